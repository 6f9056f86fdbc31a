import type { Role } from './viewer.js';

/** What each role implies, as Keystone's own roles do when it is set up; service stands alone. */
const IMPLIED: Readonly<Record<Role, readonly Role[]>> = {
  admin: ['member', 'reader'],
  member: ['reader'],
  reader: [],
  service: [],
};

export const ROLES = Object.keys(IMPLIED) as readonly Role[];

/** The roles among these names, with those that they imply. */
export function rolesOf(names: readonly string[]): ReadonlySet<Role> {
  return new Set(names.filter(isRole).flatMap((role) => [role, ...IMPLIED[role]]));
}

function isRole(name: string): name is Role {
  return Object.hasOwn(IMPLIED, name);
}
