import { addToGroup } from '../model/collections.js';
import { SHARING_TRAIT } from '../model/provider.js';
import {
  classIndexOf,
  copyOf,
  recalculateTrees,
  LoadedProviders,
  type LocatedKey,
  ProviderIndex,
  SharingIndex,
} from './providerIndex.js';
import type { Effort } from '../model/operation/waiting.js';
import {
  blockNumber,
  blockOf,
  indexWith,
  inventoryAt,
  isReservedWhole,
  treeOf,
  TREES_PER_BLOCK,
  type Block,
  type Names,
  type ProviderRef,
  type Snapshot,
  type ProviderData,
  type NameTable,
} from './snapshot.js';
import type { UsageChange, UsageCommit } from '../model/recordedChanges.js';
import { BlocksDraft, buildBlock } from './block.js';
import {
  columnsOf,
  contentOf,
  providerAt,
  providersIn,
  type ProviderColumns,
  sliceOf,
  treesOf,
  type Trees,
} from './providerColumns.js';
import { countedClasses } from './consumption.js';

export type SnapshotNames = Readonly<Record<'classes' | 'traits' | 'aggregates', NameTable>>;

type ProviderChanges = ReadonlyMap<number, ProviderData | null>;

/** All providers and their usage at one time. Immutable. Successors share unchanged parts. */
export class FleetSnapshot implements Snapshot {
  readonly classes: Names;
  readonly traits: Names;
  readonly aggregates: Names;

  private constructor(
    readonly blocks: readonly Block[],
    readonly treeCount: number,
    readonly freeTreeIndices: readonly number[],
    private readonly providers: ProviderIndex,
    readonly sharing: SharingIndex,
    readonly names: SnapshotNames,
  ) {
    ({ classes: this.classes, traits: this.traits, aggregates: this.aggregates } = names);
  }

  static of(columns: ProviderColumns, names: SnapshotNames): FleetSnapshot {
    const trees = treesOf(columns);
    const sharingTrait = names.traits.idOf(SHARING_TRAIT);
    const treeIndices = trees.starts.length - 1;
    const blocks: Block[] = [];
    for (let treeIndex = 0; treeIndex < treeIndices; treeIndex += TREES_PER_BLOCK) {
      const some = sliceOf(trees, treeIndex, Math.min(treeIndex + TREES_PER_BLOCK, treeIndices));
      blocks.push(buildBlock(treeIndex, some, sharingTrait));
    }
    const providers = ProviderIndex.of(new LoadedProviders(blocks));
    return new FleetSnapshot(blocks, treeIndices, [], providers, SharingIndex.of(blocks), names);
  }

  locate(uuid: string): ProviderRef | undefined {
    const treeIndex = this.providers.treeIndexOfUuid(uuid);
    if (treeIndex === undefined) return undefined;
    const { block, start } = treeOf(this, treeIndex);
    return { block, row: block.uuids.indexOf(uuid, start) };
  }

  /**
   * Returns the next snapshot. The changes must contain the whole subtree of a provider that moved to
   * another tree.
   */
  with(changes: ProviderChanges, names: SnapshotNames = this.names): FleetSnapshot {
    if (changes.size === 0 && names === this.names) return this;
    const { treeIndices, providers } = this.affected(changes);
    const sharingTrait = names.traits.idOf(SHARING_TRAIT);
    const draft = new BlocksDraft(this.blocks, this.treeCount, this.freeTreeIndices, sharingTrait);
    const trees = byRoot(treesOf(columnsOf(providers)));
    for (const treeIndex of treeIndices) {
      const { block, start } = treeOf(this, treeIndex);
      const rootId = block.ids[start];
      draft.replace(treeIndex, trees.get(rootId));
      trees.delete(rootId);
    }
    const newTrees = [...trees.values()].map((tree) => draft.add(tree));
    const { blocks, freeTreeIndices, replaced } = draft;
    const before = treeIndices.flatMap((treeIndex) => keysIn(this.blocks, treeIndex));
    const written = new Set([...treeIndices, ...newTrees]);
    const after = [...written].flatMap((treeIndex) => keysIn(blocks, treeIndex));
    return new FleetSnapshot(
      blocks,
      draft.treeCount,
      freeTreeIndices,
      this.providers.with(before, after),
      this.sharing.with(blocks, replaced),
      names,
    );
  }

  /**
   * Returns the snapshot after commits that changed only usage, and the ids of providers whose
   * generation does not follow from the change. Skips unknown providers.
   */
  withUsage(commits: readonly UsageCommit[]): { snapshot: FleetSnapshot; stale: readonly number[] } {
    const rows = new Map<number, RowUsage[]>();
    const changes = commits.flatMap(({ providers }) => providers);
    // without a step, the change follows the one that led to the generation
    for (const change of changes.sort((a, b) => a.generation - b.generation || b.steps - a.steps)) {
      const place = this.locateId(change.id);
      if (place) addToGroup(rows, blockNumber(place.block.firstTree), { row: place.row, change });
    }
    if (rows.size === 0) return { snapshot: this, stale: [] };
    const blocks = [...this.blocks];
    const stale: number[] = [];
    for (const [at, some] of rows) {
      const updated = withUsage(blocks[at], some);
      blocks[at] = updated.block;
      stale.push(...updated.stale);
    }
    return { snapshot: this.withBlocks(blocks), stale };
  }

  /** Returns the same providers with other capacities. */
  *withCapacities(
    capacityOf: (resourceClass: number, capacity: number) => number,
    effort: Effort,
  ): Generator<void, FleetSnapshot> {
    const blocks: Block[] = [];
    for (const block of this.blocks) {
      const capacities = block.capacities.map((capacity, at) => capacityOf(block.classes[at], capacity));
      const allowed =
        block.allowed === block.capacities
          ? capacities
          : block.allowed.map((most, at) => (isReservedWhole(block, at) ? most : capacities[at]));
      const columns = { ...block, capacities, allowed };
      blocks.push({ ...columns, index: indexWith(block.index, classIndexOf(columns)) });
      effort.otherWork += 4 * capacities.length;
      if (effort.isUsedUp) yield;
    }
    return this.withBlocks(blocks);
  }

  /** Returns the same providers with other columns. */
  private withBlocks(blocks: readonly Block[]): FleetSnapshot {
    const { treeCount, freeTreeIndices, providers, sharing, names } = this;
    return new FleetSnapshot(blocks, treeCount, freeTreeIndices, providers, sharing, names);
  }

  locateId(id: number): ProviderRef | undefined {
    const treeIndex = this.providers.treeIndexOfId(id);
    if (treeIndex === undefined) return undefined;
    const { block, start } = treeOf(this, treeIndex);
    return { block, row: block.ids.indexOf(id, start) };
  }

  providerOf(id: number): ProviderData | undefined {
    const place = this.locateId(id);
    return place && providerAt(place);
  }

  /** Returns whether the provider is in exactly this state; null: whether it is absent. */
  has(id: number, provider: ProviderData | null): boolean {
    const known = this.providerOf(id);
    if (known === undefined || provider === null) return known === undefined && provider === null;
    return contentOf(known) === contentOf(provider);
  }

  providersAt(treeIndex: number): ProviderData[] {
    const block = blockOf(this, treeIndex);
    return providersIn(block, treeIndex - block.firstTree);
  }

  /** Returns the trees to replace, and all providers of these and of new trees. */
  private affected(changes: ProviderChanges): { treeIndices: number[]; providers: ProviderData[] } {
    const treeIndices = new Set<number>();
    for (const [id, provider] of changes) {
      const before = this.providers.treeIndexOfId(id);
      if (before !== undefined) treeIndices.add(before);
      const after = provider === null ? undefined : this.providers.treeIndexOfId(provider.rootId);
      if (after !== undefined) treeIndices.add(after);
    }
    const present = [...treeIndices].flatMap((treeIndex) => this.providersAt(treeIndex));
    const kept = present.filter(({ id }) => !changes.has(id));
    const changed = [...changes.values()].filter((provider) => provider !== null);
    return { treeIndices: [...treeIndices], providers: [...kept, ...changed] };
  }
}

/** Returns single trees by the id of their root. */
function byRoot(trees: Trees): Map<number, Trees> {
  const roots = trees.starts.subarray(0, -1);
  return new Map(
    Array.from(roots, (start, at) => [trees.columns.ids[trees.rows[start]], sliceOf(trees, at, at + 1)]),
  );
}

function keysIn(blocks: readonly Block[], treeIndex: number): LocatedKey[] {
  const { block, start, end } = treeOf({ blocks }, treeIndex);
  const uuids = block.uuids.slice(start, end);
  return uuids.map((uuid, at) => ({ id: block.ids[start + at], uuid, treeIndex }));
}

interface RowUsage {
  readonly row: number;
  readonly change: UsageChange;
}

/**
 * Returns a copy of a block with changed usage, and as `stale` the providers whose generation does not follow
 * from the change: another program has written them without the feed. Shares all other columns. Skips classes
 * without an inventory.
 */
function withUsage(
  block: Block,
  rows: readonly RowUsage[],
): { readonly block: Block; readonly stale: readonly number[] } {
  const generations = block.generations.slice();
  const updatedAt = block.updatedAt.slice();
  const used = block.used.slice();
  const treesByClass = new Map<number, number[]>();
  const stale: number[] = [];
  for (const { row, change } of rows) {
    if (generations[row] + change.steps !== change.generation) stale.push(change.id);
    // Commits may arrive out of order.
    if (change.generation > generations[row]) {
      generations[row] = change.generation;
      updatedAt[row] = change.updatedAt ?? updatedAt[row];
    } else if (change.steps === 0 && change.generation === generations[row]) {
      updatedAt[row] = Math.max(updatedAt[row], change.updatedAt ?? updatedAt[row]);
    }
    for (const [classId, amount] of change.amounts) {
      const at = inventoryAt(block, row, classId);
      if (at < 0) continue;
      used[at] += amount;
      addToGroup(treesByClass, classId, block.trees[row]);
      if (block.consumption !== null)
        for (const counted of countedClasses(block, block.trees[row]))
          if (counted !== classId) addToGroup(treesByClass, counted, block.trees[row]);
    }
  }
  const columns = { ...block, generations, updatedAt, used };
  const classes = new Map(block.index.classes);
  for (const [classId, trees] of treesByClass)
    classes.set(classId, recalculateTrees(columns, new Set(trees), classId, copyOf(classes.get(classId)!)));
  return { block: { ...columns, index: indexWith(block.index, classes) }, stale };
}
