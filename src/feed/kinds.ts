/** What a commit may have changed of a provider. The position is the bit in the column `changes`: append new kinds. */
const CHANGE_KINDS = [
  'CREATED',
  'DELETED',
  'MOVED',
  'RENAMED',
  'INVENTORY',
  'USAGE',
  'TRAITS',
  'AGGREGATES',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A set of kinds, as the column stores it. */
export type KindSet = number;

export function kindSet(...kinds: readonly ChangeKind[]): KindSet {
  return kinds.reduce((set, kind) => set | bitOf(kind), 0);
}

/** For an existing provider that was changed in an unknown way. */
export const ANY_CHANGE: KindSet = kindSet('MOVED', 'RENAMED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');
/** For a new provider whose initial contents are unknown. */
export const NEW_WITH_ANYTHING: KindSet = kindSet('CREATED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');

/** The kinds of a change as its row in the feed has them. A new provider was not moved or renamed. */
export function kindsOf(stored: KindSet, isDeleted: boolean): KindSet {
  if (isDeleted) return kindSet('DELETED');
  return hasAny(stored, kindSet('CREATED')) ? stored & ~kindSet('MOVED', 'RENAMED') : stored;
}

export function hasAny(set: KindSet, wanted: KindSet): boolean {
  return (set & wanted) !== 0;
}

/** In the order of {@link CHANGE_KINDS}. */
export function kindsIn(set: KindSet): ChangeKind[] {
  return CHANGE_KINDS.filter((kind) => hasAny(set, bitOf(kind)));
}

function bitOf(kind: ChangeKind): KindSet {
  return 1 << CHANGE_KINDS.indexOf(kind);
}
