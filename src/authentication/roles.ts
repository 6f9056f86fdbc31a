import type { Role } from './viewer.js';

export const ROLES: readonly Role[] = ['admin', 'service', 'reader', 'member'];

/**
 * The roles among these names. Members of a project are readers of it, which Keystone says by itself. Without a project that would make
 * a reader of the whole cloud out of whose project is missing by mistake.
 */
export function rolesOf(names: readonly string[], projectId: string | null): ReadonlySet<Role> {
  const roles = new Set(ROLES.filter((role) => names.includes(role)));
  if (roles.has('member') && projectId !== null) roles.add('reader');
  return roles;
}
