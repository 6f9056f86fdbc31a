import { SHARING_TRAIT } from '../../domain/sharingTrait.js';
import {
  blockOf,
  TREES_PER_BLOCK,
  type Block,
  type Names,
  type ProviderRef,
  type SharingProvider,
  type Snapshot,
} from '../../engine/model/snapshot.js';
import { buildBlock } from './block.js';
import { columnsOf, type ProviderColumns } from './columns.js';
import { entriesOf, type ProviderEntry } from './entries.js';
import type { NameTable } from './names.js';
import { LoadedPlaces } from './loadedProviders.js';
import { Places, type PlacedKey } from './providerIndex.js';
import { SharingIndex } from './sharing.js';
import { spliceTree } from './splice.js';
import { slotsOf, someOf, treesOf, type Trees } from './trees.js';

export interface SnapshotNames {
  readonly classes: NameTable;
  readonly traits: NameTable;
  readonly aggregates: NameTable;
}

export interface KnownProvider {
  readonly id: number;
  readonly uuid: string;
  readonly generation: number;
  readonly rootId: number;
  /** As of `fingerprints`. */
  readonly fingerprint: string;
}

/** The providers that changed, by id: as they are now, or null where they are gone. */
export type ProviderChanges = ReadonlyMap<number, ProviderEntry | null>;

/** The offer at one moment. Immutable: `with` gives the next moment and shares with this one all that did not change. */
export class FleetSnapshot implements Snapshot {
  private constructor(
    readonly blocks: readonly Block[],
    readonly treeCount: number,
    private readonly freeSlots: readonly number[],
    private readonly providers: Places,
    private readonly sharing: SharingIndex,
    readonly names: SnapshotNames,
  ) {}

  /** The first moment, of all providers. */
  static of(columns: ProviderColumns, names: SnapshotNames): FleetSnapshot {
    const trees = treesOf(columns);
    const sharingTrait = names.traits.idOf(SHARING_TRAIT);
    const treeIndices = trees.starts.length - 1;
    const blocks: Block[] = [];
    for (let treeIndex = 0; treeIndex < treeIndices; treeIndex += TREES_PER_BLOCK) {
      const some = someOf(trees, treeIndex, Math.min(treeIndex + TREES_PER_BLOCK, treeIndices));
      blocks.push(buildBlock(treeIndex, some, sharingTrait));
    }
    const providers = Places.of(new LoadedPlaces(columns.ids, columns.uuids, slotsOf(trees)));
    return new FleetSnapshot(blocks, treeIndices, [], providers, SharingIndex.of(blocks), names);
  }

  get classes(): Names {
    return this.names.classes;
  }

  get traits(): Names {
    return this.names.traits;
  }

  get aggregates(): Names {
    return this.names.aggregates;
  }

  locate(uuid: string): ProviderRef | undefined {
    const treeIndex = this.providers.slotOfUuid(uuid);
    if (treeIndex === undefined) return undefined;
    const block = blockOf(this, treeIndex);
    const tree = treeIndex - block.firstTree;
    for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
      if (block.uuids[row] === uuid) return { block, row };
    }
    return undefined;
  }

  sharingProvidersIn(aggregate: number): readonly SharingProvider[] {
    return this.sharing.sharersIn(aggregate);
  }

  sharingProviders(): readonly SharingProvider[] {
    return this.sharing.all;
  }

  isShared(kind: 'class' | 'trait', id: number): boolean {
    return this.sharing.isShared(kind, id);
  }

  /**
   * The next moment. Whoever moved to another tree is among the changes, with all that moved along. Costs a copy of
   * the columns that changed in each block, and of the list of blocks.
   */
  with(changes: ProviderChanges, names: SnapshotNames = this.names): FleetSnapshot {
    const { slots: treeIndices, entries } = this.affected(changes);
    const draft = new Draft(this.blocks, this.treeCount, this.freeSlots, names.traits.idOf(SHARING_TRAIT));
    const trees = byRoot(treesOf(columnsOf(entries)));
    for (const treeIndex of treeIndices) {
      const rootId = this.rootIdAt(treeIndex);
      draft.replace(treeIndex, trees.get(rootId));
      trees.delete(rootId);
    }
    const added = [...trees.values()].map((tree) => draft.add(tree));
    const { blocks, freeSlots, renewed } = draft;
    const gone = treeIndices.flatMap((treeIndex) => keysAt(this.blocks, treeIndex));
    const placed = [...treeIndices, ...added].flatMap((treeIndex) => keysAt(blocks, treeIndex));
    return new FleetSnapshot(
      blocks,
      draft.treeIndices,
      freeSlots,
      movedBetween(gone, placed) ? this.providers.with(gone, placed) : this.providers,
      this.sharing.with(this.blocks, blocks, renewed),
      names,
    );
  }

  /** Of each provider with an id above `behind` and up to `last`: its generation and, by class, what is used of it. */
  fingerprints(behind: number, last: number): Map<number, string> {
    const prints = new Map<number, string>();
    for (const block of this.blocks) {
      const [least, most] = boundsOf(block.ids);
      if (most <= behind || least > last) continue;
      for (let row = 0; row < block.ids.length; row++) {
        const id = block.ids[row];
        if (id > behind && id <= last) prints.set(id, fingerprint(block, row));
      }
    }
    return prints;
  }

  /** The provider with this id, as far as it takes to tell others of it. */
  providerOf(id: number): KnownProvider | undefined {
    const treeIndex = this.providers.slotOfId(id);
    if (treeIndex === undefined) return undefined;
    const block = blockOf(this, treeIndex);
    const row = block.ids.indexOf(id);
    const [uuid, generation] = [block.uuids[row], block.generations[row]];
    return { id, uuid, generation, rootId: this.rootIdAt(treeIndex), fingerprint: fingerprint(block, row) };
  }

  /** The trees that the changes touch, as they were, and all that will be in them. */
  private affected(changes: ProviderChanges): { slots: number[]; entries: ProviderEntry[] } {
    const treeIndices = new Set<number>();
    for (const [id, entry] of changes) {
      const was = this.providers.slotOfId(id);
      if (was !== undefined) treeIndices.add(was);
      const will = entry === null ? undefined : this.providers.slotOfId(entry.rootId);
      if (will !== undefined) treeIndices.add(will);
    }
    const kept = [...treeIndices].flatMap((treeIndex) => {
      const block = blockOf(this, treeIndex);
      return entriesOf(block, treeIndex - block.firstTree).filter(({ id }) => !changes.has(id));
    });
    const changed = [...changes.values()].filter((entry) => entry !== null);
    return { slots: [...treeIndices], entries: [...kept, ...changed] };
  }

  private rootIdAt(treeIndex: number): number {
    const block = blockOf(this, treeIndex);
    return block.ids[block.treeStarts[treeIndex - block.firstTree]];
  }
}

/** Each tree by itself, by the id of its root. */
function byRoot(trees: Trees): Map<number, Trees> {
  const roots = trees.starts.subarray(0, -1);
  return new Map(
    Array.from(roots, (start, at) => [trees.columns.ids[trees.rows[start]], someOf(trees, at, at + 1)]),
  );
}

function keysAt(blocks: readonly Block[], treeIndex: number): PlacedKey[] {
  const block = blocks[Math.floor(treeIndex / TREES_PER_BLOCK)];
  const tree = treeIndex - block.firstTree;
  const keys: PlacedKey[] = [];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    keys.push({ id: block.ids[row], uuid: block.uuids[row], slot: treeIndex });
  }
  return keys;
}

const bounds = new WeakMap<Int32Array, readonly [least: number, most: number]>();

/** The least and the largest id of a block. Known by its column of ids, which most renewals leave as it is. */
function boundsOf(ids: Int32Array): readonly [least: number, most: number] {
  let known = bounds.get(ids);
  if (known === undefined) {
    known = [
      ids.reduce((least, id) => Math.min(least, id), Infinity),
      ids.reduce((most, id) => Math.max(most, id), 0),
    ];
    bounds.set(ids, known);
  }
  return known;
}

function fingerprint(block: Block, row: number): string {
  const uses: { classId: number; used: number }[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    if (block.used[at] > 0) uses.push({ classId: block.classes[at], used: block.used[at] });
  }
  uses.sort((a, b) => a.classId - b.classId);
  return [block.generations[row], ...uses.map(({ classId, used }) => `${classId}:${used}`)].join(' ');
}

/** Whether any provider came, went or got another slot: most changes are of use and inventories, and move nobody. */
function movedBetween(before: readonly PlacedKey[], after: readonly PlacedKey[]): boolean {
  const treeIndices = new Map(before.map(({ id, slot: treeIndex }) => [id, treeIndex]));
  return (
    before.length !== after.length ||
    after.some(({ id, slot: treeIndex }) => treeIndices.get(id) !== treeIndex)
  );
}

/** The blocks of the next moment while it is being made. */
class Draft {
  readonly blocks: Block[];
  readonly freeSlots: number[];
  readonly renewed = new Set<number>();

  constructor(
    blocks: readonly Block[],
    public treeIndices: number,
    freeSlots: readonly number[],
    private readonly sharingTrait: number | undefined,
  ) {
    this.blocks = [...blocks];
    this.freeSlots = [...freeSlots];
  }

  /** Puts a tree in the place of the one at a slot; without one the slot is free. */
  replace(treeIndex: number, tree: Trees | undefined): void {
    const at = Math.floor(treeIndex / TREES_PER_BLOCK);
    const block = this.blocks[at];
    const layout = buildBlock(treeIndex, tree ?? EMPTY_TREE, this.sharingTrait);
    this.blocks[at] = spliceTree(block, treeIndex - block.firstTree, layout);
    this.renewed.add(at);
    if (tree === undefined) this.freeSlots.push(treeIndex);
  }

  /** Puts a new tree at a free slot, or behind the last one. */
  add(tree: Trees): number {
    const free = this.freeSlots.pop();
    const treeIndex = free ?? this.treeIndices++;
    if (free === undefined) {
      const at = Math.floor(treeIndex / TREES_PER_BLOCK);
      const block = this.blocks[at] ?? buildBlock(treeIndex, NO_TREE, this.sharingTrait);
      this.blocks[at] = { ...block, treeStarts: Int32Array.of(...block.treeStarts, block.ids.length) };
    }
    this.replace(treeIndex, tree);
    return treeIndex;
  }
}

const NO_TREE = treesOf(columnsOf([]));
const EMPTY_TREE: Trees = { ...NO_TREE, starts: Int32Array.of(0, 0) };
