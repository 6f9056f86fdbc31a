/** What of a provider a commit may have changed. Each is a bit of the column `kinds` by its place: new ones go to the end. */
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

/** Several kinds, as the column holds them. */
export type KindSet = number;

export function kindSet(...kinds: readonly ChangeKind[]): KindSet {
  return kinds.reduce((set, kind) => set | bitOf(kind), 0);
}

/** Of a provider that was there before, changed by a program that does not say how. */
export const ANY_CHANGE: KindSet = kindSet('MOVED', 'RENAMED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');
/** Of one that was not there before: it may have come with anything. */
export const NEW_WITH_ANYTHING: KindSet = kindSet('CREATED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');

/**
 * What a row of the feed says. Null: it was written by a version without kinds. That the provider was deleted is certain from its
 * generation, which is null then; and what is new has not been moved from anywhere.
 */
export function kindsOf(stored: KindSet | null, isDeleted: boolean): KindSet {
  if (isDeleted) return kindSet('DELETED');
  if (stored === null) return ANY_CHANGE | NEW_WITH_ANYTHING;
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
