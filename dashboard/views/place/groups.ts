import { emptyGroup, type PlaceRequest } from './placeRequest';

/** The trait of the root of a NUMA node. */
const NUMA_ROOT = 'HW_NUMA_ROOT';

/** Returns what is wrong with a new name of a group, or null. The empty name is that of the unsuffixed group. */
export function nameFault(name: string, others: readonly string[]): string | null {
  if (!/^[\w-]{0,64}$/.test(name))
    return `"${name}" is no name: names have up to 64 of A-Z, a-z, 0-9, _ and -.`;
  if (!others.includes(name)) return null;
  return name === '' ? 'Another group has no name already.' : `Another group is named "${name}".`;
}

/** Renames a group, also in the conditions on several groups. Only the unsuffixed group can be split. */
export function renameGroup(request: PlaceRequest, before: string, after: string): PlaceRequest {
  const rename = (suffix: string): string => (suffix === before ? after : suffix);
  return {
    ...request,
    groups: request.groups.map((group) =>
      group.suffix === before ? { ...group, suffix: after, split: after === '' ? group.split : [] } : group,
    ),
    isolate: request.isolate.map(rename).filter(Boolean),
    sameSubtree: request.sameSubtree.map((term) =>
      term
        .split(',')
        .map((part) => (part.startsWith('!') ? `!${rename(part.slice(1))}` : rename(part)))
        .join(','),
    ),
  };
}

/** Removes a group, also from the conditions on several groups. */
export function removeGroup(request: PlaceRequest, suffix: string): PlaceRequest {
  return {
    ...request,
    groups: request.groups.filter((group) => group.suffix !== suffix),
    isolate: request.isolate.filter((each) => each !== suffix),
    sameSubtree: request.sameSubtree.flatMap((term) => without(term, [suffix, `!${suffix}`]) ?? []),
  };
}

/** Returns a condition without groups; null if it has no two groups left. */
function without(term: string, suffixes: readonly string[]): string | null {
  const left = term.split(',').filter((part) => !suffixes.includes(part));
  return left.length < 2 ? null : left.join(',');
}

/** Returns whether a group without resources stands for the NUMA node of other groups. */
export const isNode = ({ groups }: PlaceRequest, suffix: string): boolean => {
  const group = groups.find((each) => each.suffix === suffix);
  return group?.resources.length === 0 && group.required.includes(NUMA_ROOT);
};

/** Returns the condition by which two groups are on one NUMA node, if there is one. */
export function nodeOf(request: PlaceRequest, one: string, other: string): string | undefined {
  return request.sameSubtree.find((term) => {
    const parts = term.split(',');
    return parts.includes(one) && parts.includes(other) && parts.some((part) => isNode(request, part));
  });
}

/**
 * Puts two groups on the same NUMA node, or ends that. A group without resources stands for the node. An unsuffixed
 * group gets a name, which a condition on several groups needs.
 */
export function toggleSameNode(given: PlaceRequest, one: string, other: string): PlaceRequest {
  const condition = nodeOf(given, one, other);
  if (condition !== undefined) return leaveNode(given, condition, one);
  const [named, first, second] = withNames(given, one, other);
  const joined = named.sameSubtree.find(
    (term) => term.split(',').includes(second) && term.split(',').some((part) => isNode(named, part)),
  );
  if (joined !== undefined)
    return {
      ...named,
      sameSubtree: named.sameSubtree.map((term) => (term === joined ? `${term},${first}` : term)),
    };
  const node = freeName(named, '_NUMA');
  return {
    ...named,
    groups: [...named.groups, { ...emptyGroup(node), required: [NUMA_ROOT] }],
    sameSubtree: [...named.sameSubtree, [node, second, first].join(',')],
  };
}

function leaveNode(request: PlaceRequest, condition: string, suffix: string): PlaceRequest {
  const left = condition.split(',').filter((part) => part !== suffix);
  if (left.length > 2)
    return {
      ...request,
      sameSubtree: request.sameSubtree.map((term) => (term === condition ? left.join(',') : term)),
    };
  return removeGroup(
    { ...request, sameSubtree: request.sameSubtree.filter((term) => term !== condition) },
    left.find((part) => isNode(request, part))!,
  );
}

/** Gives a name to the unsuffixed group, if it is one of two. */
function withNames(request: PlaceRequest, one: string, other: string): [PlaceRequest, string, string] {
  if (one !== '' && other !== '') return [request, one, other];
  const name = freeName(request, '_MAIN');
  return [renameGroup(request, '', name), one || name, other || name];
}

/** Returns the name, with a number behind it if a group has it. */
function freeName({ groups }: PlaceRequest, name: string): string {
  const taken = groups.map(({ suffix }) => suffix);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}${number}`;
    if (!taken.includes(free)) return free;
  }
}
