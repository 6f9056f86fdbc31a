import type { Viewer } from '../../authentication/viewer.js';
import { scopesOf } from './scopes.js';

/** The project to which what a viewer sees is limited; null: to none. */
export function ownProject(viewer: Viewer | null): string | null {
  return viewer === null || scopesOf(viewer).reader ? null : viewer.projectId;
}

/** Whether a viewer may see what belongs to a project. */
export function maySee(viewer: Viewer | null, { projectId }: { readonly projectId: string }): boolean {
  const own = ownProject(viewer);
  return own === null || own === projectId;
}

/** The types of nodes that belong to projects: their readers find no others. */
export const NODES_OF_PROJECTS: ReadonlySet<string> = new Set(['Allocation', 'Consumer', 'Project']);
