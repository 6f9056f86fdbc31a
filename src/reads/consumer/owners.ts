import type { Reader } from '../../database/statements.js';
import { isStorable } from '../../database/storable.js';

interface Owners {
  readonly projectId?: string | null;
  readonly userId?: string | null;
}

/** Whether there can be a project and a user of these ids, as far as they are given. */
export async function areOwnersStorable(reader: Reader, { projectId, userId }: Owners): Promise<boolean> {
  return (
    (projectId == null || (await isStorable(reader, 'projects', projectId))) &&
    (userId == null || (await isStorable(reader, 'users', userId)))
  );
}
