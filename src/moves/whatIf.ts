import { createHash } from 'node:crypto';
import { capacityOf, ensure, firstDuplicate, InvalidInput } from '../model/input.js';
import { checkLength } from '../model/request.js';
import type { Effort } from '../model/operation/waiting.js';
import { treeIndexOf, type Block, type ProviderRef, type ProviderData } from '../fleet/snapshot.js';
import type { Operation } from '../model/operation/operation.js';
import type { FleetSnapshot } from '../fleet/fleetSnapshot.js';
import { classIdIn, type RemovedProviders, type SnapshotSource } from '../search/candidateSearch.js';
import { resultInSlices } from '../search/timeSlices.js';
import { rootsOf, type TreesInput } from '../search/trees.js';

/** A source of whole fleets, which can be modified. */
export interface FleetSource extends SnapshotSource {
  current(): Promise<FleetSnapshot>;
}

/** Changes to the fleet that a search assumes. Trees are copied from the unmodified fleet. */
export interface WhatIf {
  /** The trees to remove, with the allocations on them; null: none. */
  readonly remove: TreesInput | null;
  /** Copies of trees, without allocations. `copyOf` is any provider of the tree. */
  readonly add: readonly { readonly copyOf: string; readonly count: number }[];
  /** Factors for the capacities of classes, including those of copies. */
  readonly scale: readonly { readonly resourceClass: string; readonly factor: number }[];
}

export const MAX_CHANGED_TREES = 1000;
export const MAX_FACTOR = 1000;

const MAX_ID = 2 ** 31 - 1;

/** The effort of changing a tree, from measurements. */
const WORK_PER_TREE = 600;

/** The id of a provider and its new state; null: removed. */
type Change = [id: number, provider: ProviderData | null];

/**
 * Returns a source of modified snapshots, which are made in time slices of the operation. They are never used
 * for writes.
 *
 * @throws InvalidInput (from `current`) for unknown names and numbers out of range; its path begins with whatIf
 */
export function modifiedSource(source: FleetSource, whatIf: WhatIf, operation: Operation): FleetSource {
  let last: { readonly base: FleetSnapshot; readonly modified: Promise<FleetSnapshot> } | undefined;
  let removed: RemovedProviders = { ids: new Set(), uuids: new Set() };
  return {
    async current() {
      const base = await source.current();
      if (last?.base !== base) {
        const roots = whatIf.remove === null ? [] : rootsOf(base, whatIf.remove, ['whatIf', 'remove']);
        removed = providersIn(roots);
        const modified = resultInSlices((effort) => modify(base, whatIf, roots, effort), operation);
        last = { base, modified };
      }
      return last.modified;
    },
    get removed() {
      return removed;
    },
    speculative: null,
    recheck: (ids) => source.recheck(ids),
    fullLoads: source.fullLoads,
  };
}

function* modify(
  base: FleetSnapshot,
  { add, scale }: WhatIf,
  removed: readonly ProviderRef[],
  effort: Effort,
): Generator<void, FleetSnapshot> {
  const path = ['whatIf'];
  checkLength(add, [...path, 'add']);
  add.forEach(({ count }, at) => {
    const range = `count ${count} is not from 1 to ${MAX_CHANGED_TREES}`;
    ensure(count >= 1 && count <= MAX_CHANGED_TREES, [...path, 'add', String(at), 'count'], range);
  });
  const changed = add.reduce((sum, { count }) => sum + count, removed.length);
  const message = `${changed} trees are removed or added: at most ${MAX_CHANGED_TREES}`;
  ensure(changed <= MAX_CHANGED_TREES, path, message);
  let snapshot = base;
  let changes: Change[] = [];
  for (const tree of changedTrees(base, add, removed)) {
    changes.push(...tree);
    effort.otherWork += WORK_PER_TREE;
    if (!effort.isUsedUp) continue;
    snapshot = snapshot.with(new Map(changes));
    changes = [];
    yield;
  }
  return yield* scaled(snapshot.with(new Map(changes)), scale, effort);
}

/** Returns the providers of the trees with these roots. */
function providersIn(roots: readonly ProviderRef[]): RemovedProviders {
  const columnOf = <T>(read: (block: Block, start: number, end: number) => Iterable<T>): Set<T> =>
    new Set(roots.flatMap(({ block, row }) => [...read(block, row, block.ends[row])]));
  return {
    ids: columnOf(({ ids }, start, end) => ids.subarray(start, end)),
    uuids: columnOf(({ uuids }, start, end) => uuids.slice(start, end)),
  };
}

/** Yields the changes of each tree: copies first, then removals. */
function* changedTrees(
  base: FleetSnapshot,
  add: WhatIf['add'],
  removed: readonly ProviderRef[],
): Generator<Change[]> {
  let lastId = MAX_ID;
  for (const [at, { copyOf, count }] of add.entries()) {
    const provider = base.locate(copyOf);
    const message = `there is no resource provider ${copyOf}`;
    if (provider === undefined) throw new InvalidInput(['whatIf', 'add', String(at), 'copyOf'], message);
    const tree = base.providersAt(treeIndexOf(provider));
    for (let n = 1; n <= count; n++) {
      lastId -= tree.length;
      yield copyOfTree(tree, `${at + 1}.${n}`, lastId).map((copy) => [copy.id, copy]);
    }
  }
  for (const { block, row } of removed)
    yield Array.from(block.ids.subarray(row, block.ends[row]), (id) => [id, null]);
}

/** Copies the providers of a tree under ids after `lastId`, without allocations. */
function copyOfTree(tree: readonly ProviderData[], label: string, lastId: number): ProviderData[] {
  const ids = new Map(tree.map(({ id }, at) => [id, lastId + 1 + at]));
  return tree.map((provider) => ({
    ...provider,
    id: ids.get(provider.id)!,
    uuid: uuidOfCopy(provider.uuid, label),
    name: `${provider.name} (copy ${label})`,
    generation: 0,
    parentId: provider.parentId === null ? null : ids.get(provider.parentId)!,
    consumption: provider.consumption?.map((each) => ({
      ...each,
      counterProviderId: ids.get(each.counterProviderId)!,
    })),
    rootId: ids.get(provider.rootId)!,
    inventories: provider.inventories.map((inventory) => ({ ...inventory, used: 0 })),
  }));
}

/** Returns a deterministic uuid, so that equal requests have equal answers. */
export function uuidOfCopy(uuid: string, label: string): string {
  const hex = createHash('sha1').update(`${uuid} ${label}`).digest('hex');
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-5${c}-a${d}-${hex.slice(20, 32)}`;
}

function* scaled(
  snapshot: FleetSnapshot,
  scale: WhatIf['scale'],
  effort: Effort,
): Generator<void, FleetSnapshot> {
  if (scale.length === 0) return snapshot;
  const path = ['whatIf', 'scale'];
  checkLength(scale, path);
  const repeated = firstDuplicate(scale.map(({ resourceClass }) => resourceClass));
  const factors = new Map<number, number>();
  scale.forEach(({ resourceClass, factor }, at) => {
    const here = [...path, String(at)];
    const id = classIdIn(snapshot, resourceClass, [...here, 'resourceClass']);
    ensure(at !== repeated, [...here, 'resourceClass'], `resource class ${resourceClass} is repeated`);
    const message = `factor ${factor} is not from 0 to ${MAX_FACTOR}`;
    ensure(factor >= 0 && factor <= MAX_FACTOR, [...here, 'factor'], message);
    factors.set(id, factor);
  });
  const scaledCapacity = (resourceClass: number, capacity: number): number =>
    capacityOf(capacity, 0, factors.get(resourceClass) ?? 1);
  return yield* snapshot.withCapacities(scaledCapacity, effort);
}
