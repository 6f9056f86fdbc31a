/** A value within an input, with the object or list that contains it. */
interface InputPlace {
  readonly field: string;
  readonly value: unknown;
  readonly owner: InputPlace | null;
}

/** Matches the value of an input that caused a rejection. */
export type Cause = (place: InputPlace) => boolean;

/** Returns the path of the first value of an input that matches one of the causes, in their order; [] if none does. */
export function pathOfCause(causes: readonly Cause[], input: object): string[] {
  for (const isCause of causes) {
    const found = find({ field: '', value: input, owner: null }, isCause);
    if (found !== null) return pathTo(found);
  }
  return [];
}

/** Searches depth first in input order. Iterates, because the depth of an input is unlimited. */
function find(root: InputPlace, isCause: Cause): InputPlace | null {
  const open = [root];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (isCause(place)) return place;
    if (typeof place.value !== 'object' || place.value === null) continue;
    const owner = place;
    const inner = Object.entries(place.value).map(([field, value]) => ({
      field,
      value: value as unknown,
      owner,
    }));
    open.push(...inner.reverse());
  }
  return null;
}

function pathTo(place: InputPlace): string[] {
  const path: string[] = [];
  for (let at = place; at.owner !== null; at = at.owner) path.push(at.field);
  return path.reverse();
}

export function isField(name: string, of: string): Cause {
  return ({ field, value }) => field === name && value === of;
}

/** Matches an amount of the class from the provider. */
export function isAmount(resourceProvider: string, resourceClass: string): Cause {
  return ({ field, owner }) =>
    field === 'amount' &&
    has(owner, 'resourceClass', resourceClass) &&
    has(owner?.owner?.owner, 'resourceProvider', resourceProvider);
}

export function has(place: InputPlace | null | undefined, field: string, value: string): boolean {
  return (place?.value as Record<string, unknown> | undefined)?.[field] === value;
}

export function isWithin(place: InputPlace | null, field: string): boolean {
  for (let at = place; at !== null; at = at.owner) if (at.field === field) return true;
  return false;
}
