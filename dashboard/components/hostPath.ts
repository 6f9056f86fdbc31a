import { isUuid } from './uuid';

const PREFIX = 'name=';

/** Returns the path of a host, or of any provider of its tree. */
export const hostPath = (name: string): string =>
  `/hosts/${encodeURIComponent(needsPrefix(name) ? PREFIX + name : name)}`;

/** Returns the name that a path states with a prefix. Null: the path has a uuid, or a name as it is. */
export function prefixedName(inPath: string): string | null {
  const name = inPath.startsWith(PREFIX) ? inPath.slice(PREFIX.length) : null;
  return name !== null && needsPrefix(name) ? name : null;
}

/** Returns whether a path needs `name=` before a name: browsers remove `.` and `..` from paths, and a uuid is no name. */
function needsPrefix(name: string): boolean {
  const rest = name.replace(/^(name=)+/, '');
  return rest === '.' || rest === '..' || isUuid(rest);
}
