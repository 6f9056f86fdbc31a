import type { Viewer } from '../../authentication/viewer.js';

/** What the roles of a viewer come to: the rules of fields are made of these. */
export interface Scopes {
  /** Reads everything. */
  readonly reader: boolean;
  /** Writes, too. */
  readonly writer: boolean;
  /** Acts for another service of the cloud, as a compute service does. */
  readonly service: boolean;
  /** Reads what belongs to the project of the credentials. */
  readonly projectReader: boolean;
}

const EVERYTHING: Scopes = { reader: true, writer: true, service: true, projectReader: true };

/** Those of a viewer; everything where nobody is asked who they are. */
export function scopesOf(viewer: Viewer | null): Scopes {
  if (viewer === null) return EVERYTHING;
  const { roles, projectId } = viewer;
  const isService = roles.has('service');
  const isWriter = isService || roles.has('admin');
  return {
    reader: isWriter || (projectId === null && roles.has('reader')),
    writer: isWriter,
    service: isService,
    projectReader: projectId !== null && roles.has('reader'),
  };
}
