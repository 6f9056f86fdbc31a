import { randomUUID } from 'node:crypto';
import type { ProviderRow } from '../provider/providerRows.js';
import type { StoredTrees } from './stored.js';
import type { Wish } from './input.js';
import { childrenById } from '../provider/trees.js';

/** A provider that the input states: what is stored of it, and what it shall be. */
export interface PlannedProvider {
  readonly wish: Wish;
  /** Undefined for a new one. */
  readonly stored: ProviderRow | undefined;
  /** The id of a new one is a number below 0 until it is written, and so is that of a new root or parent. */
  readonly row: ProviderRow;
}

/** What becomes of the providers of a tree. */
export interface TreePlan {
  /** In the order of the input; the root first. */
  readonly planned: readonly PlannedProvider[];
  /** Depth first, by name. */
  readonly deleted: readonly ProviderRow[];
  /** What the input does not state and does not take away: it stays below the provider that it is below. */
  readonly kept: readonly ProviderRow[];
}

/**
 * Matches the providers of an input with stored ones, by uuid, else by name within the tree; what is moved in from another
 * tree brings everything below it along. A stored provider that is not matched goes where the children of the nearest
 * matched one above it are stated, and stays where they are not.
 */
export function planTree(wishes: readonly Wish[], { root, members }: StoredTrees): TreePlan {
  const byUuid = new Map(members.map((row) => [row.uuid, row]));
  const matches = new Map<Wish, ProviderRow>();
  if (root) matches.set(wishes[0], root);
  for (const wish of wishes) {
    const stored = byUuid.get(wish.desired.uuid ?? '');
    if (stored) matches.set(wish, stored);
  }
  const within = walk([...matches.values()], members);
  const taken = new Set([...matches.values()].map(({ id }) => id));
  const byName = new Map(within.filter(({ id }) => !taken.has(id)).map((row) => [row.name, row]));
  for (const wish of wishes) {
    const stored = wish.desired.uuid == null && wish.parent ? byName.get(wish.desired.name) : undefined;
    if (stored) matches.set(wish, stored);
  }
  return { planned: place(wishes, matches), ...fates(within, matches) };
}

/** These providers and everything below them: depth first, by name, each once. */
function walk(tops: readonly ProviderRow[], members: readonly ProviderRow[]): ProviderRow[] {
  const backwards = [...members].sort((a, b) => (a.name < b.name ? 1 : -1));
  const byId = new Map(members.map((row) => [row.id, row]));
  const childrenOf = childrenById(backwards);
  const walked = new Set<ProviderRow>();
  for (const top of tops) {
    const open: (ProviderRow | undefined)[] = [top];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (walked.has(row)) continue;
      walked.add(row);
      for (const id of childrenOf.get(row.id) ?? []) open.push(byId.get(id));
    }
  }
  return [...walked];
}

function place(wishes: readonly Wish[], matches: ReadonlyMap<Wish, ProviderRow>): PlannedProvider[] {
  const rows = new Map<Wish, ProviderRow>();
  let missing = 0;
  return wishes.map((wish) => {
    const stored = matches.get(wish);
    const id = stored?.id ?? --missing;
    const row = {
      id,
      uuid: stored?.uuid ?? wish.desired.uuid ?? randomUUID(),
      name: wish.desired.name,
      generation: stored?.generation ?? 0,
      rootId: rows.get(wishes[0])?.id ?? id,
      parentId: (wish.parent && rows.get(wish.parent)?.id) ?? null,
    };
    rows.set(wish, row);
    return { wish, stored, row };
  });
}

/** Whether those that are not matched go or stay; each comes after the one above it. */
function fates(
  within: readonly ProviderRow[],
  matches: ReadonlyMap<Wish, ProviderRow>,
): Pick<TreePlan, 'deleted' | 'kept'> {
  const wishOf = new Map([...matches].map(([wish, { id }]) => [id, wish]));
  const gone = new Set<number>();
  const unmatched = within.filter(({ id }) => !wishOf.has(id));
  for (const { id, parentId } of unmatched) {
    const above = wishOf.get(parentId ?? -1);
    if (above ? above.desired.children != null : gone.has(parentId ?? -1)) gone.add(id);
  }
  return {
    deleted: unmatched.filter(({ id }) => gone.has(id)),
    kept: unmatched.filter(({ id }) => !gone.has(id)),
  };
}

export function isNew({ stored }: PlannedProvider): boolean {
  return stored === undefined;
}

export function isRenamed({ stored, row }: PlannedProvider): boolean {
  return stored !== undefined && stored.name !== row.name;
}

export function isMoved({ stored, row }: PlannedProvider): boolean {
  return stored !== undefined && stored.parentId !== row.parentId;
}

/** Whether providers are created, moved or deleted: then their trees have to stand still. */
export function changesShape({ planned, deleted }: TreePlan): boolean {
  return deleted.length > 0 || planned.some((each) => isNew(each) || isMoved(each));
}
