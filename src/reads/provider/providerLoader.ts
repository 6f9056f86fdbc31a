import type DataLoader from 'dataloader';
import type { Operation } from '../../runtime/operation.js';
import type { Queryable } from '../../database/statements.js';
import type { ProviderEntity } from '../entities.js';
import { addToGroup, groupBy } from '../../domain/collections.js';
import type { SharedRead } from '../sharedRead.js';
import type { SharedReads } from '../sharedReads.js';
import { providerOf, type ProviderRow } from './providerRow.js';
import { readSharingProviders } from './sharing.js';
import { ProviderTree } from './tree.js';
import { BatchLoader } from '../batchLoader.js';

/** A tree with more providers than this is large. */
const LARGE_TREE = 500;
const WALKS_IN_A_TURN = 10;

/**
 * Loads providers, whole trees, and the sharing providers of trees. Simultaneous requests share one
 * statement. All traversals of a tree share one load of the tree.
 */
export class ProviderLoader {
  private readonly trees: DataLoader<number, ProviderTree>;
  private readonly sharingWithTrees: DataLoader<number, readonly ProviderEntity[]>;
  private walks = 0;
  private turn = Promise.resolve();
  private readonly walkedTrees = new Set<number>();
  private readonly walkedSharing = new Set<number>();
  /** By the id of a sharing provider: the roots of the trees for which it was read. */
  private readonly servedTrees = new Map<number, number[]>();
  private readonly ids: DataLoader<number, ProviderEntity | null>;
  private readonly uuids: DataLoader<string, ProviderEntity | null>;
  private readonly names: DataLoader<string, ProviderEntity | null>;

  constructor(
    private readonly reader: Queryable,
    private readonly reads: SharedReads,
    private readonly operation: Operation,
  ) {
    this.trees = new BatchLoader(operation, (rootIds) => this.loadTrees(rootIds));
    this.sharingWithTrees = new BatchLoader(operation, (rootIds) => this.loadSharing(rootIds));
    this.ids = new BatchLoader(operation, (ids) => this.loadIds(ids));
    this.uuids = loaderOf(reads.providersByUuid, ({ uuid }) => uuid, operation);
    this.names = loaderOf(reads.providersByName, ({ name }) => name, operation);
  }

  async tree(rootId: number): Promise<ProviderTree> {
    this.walkedTrees.add(rootId);
    const tree = await this.trees.load(rootId);
    if (tree.providers.length > LARGE_TREE) await this.turnToWalk();
    return tree;
  }

  /** Resumes a few of the waiting readers in each turn, because each may list a whole large tree. */
  private turnToWalk(): Promise<void> {
    if (this.walks++ % WALKS_IN_A_TURN === 0) this.turn = this.turn.then(() => this.operation.pause());
    return this.turn;
  }

  /** Returns the sharing providers of other trees that this tree can use, sorted by name. */
  sharingProviders(rootId: number): Promise<readonly ProviderEntity[]> {
    this.walkedSharing.add(rootId);
    return this.sharingWithTrees.load(rootId);
  }

  /** Whether this operation has requested the tree and so will probably request more of it. */
  walksTree(rootId: number): boolean {
    return this.walkedTrees.has(rootId);
  }

  walksSharingProviders(rootId: number): boolean {
    return this.walkedSharing.has(rootId);
  }

  /** Returns the roots of the trees for which this operation has read the sharing provider. */
  servedTreesOf(id: number): readonly number[] {
    return this.servedTrees.get(id) ?? [];
  }

  byId(id: number): Promise<ProviderEntity | null> {
    return this.ids.load(id);
  }

  byUuid(uuid: string): Promise<ProviderEntity | null> {
    return this.uuids.load(uuid);
  }

  byName(name: string): Promise<ProviderEntity | null> {
    return this.names.load(name);
  }

  private async loadTrees(rootIds: readonly number[]): Promise<ProviderTree[]> {
    const providers = (await this.reads.trees.of(rootIds, this.operation)).map(providerOf);
    const byRoot = groupBy(providers, (provider) => provider.rootId);
    return rootIds.map((rootId) => new ProviderTree(byRoot.get(rootId) ?? [], this.operation.signal));
  }

  private async loadSharing(rootIds: readonly number[]): Promise<(readonly ProviderEntity[])[]> {
    const byTree = await readSharingProviders(this.reader, rootIds);
    for (const [rootId, sharing] of byTree)
      for (const { id } of sharing) addToGroup(this.servedTrees, id, rootId);
    return rootIds.map((rootId) => byTree.get(rootId) ?? []);
  }

  /** Takes a root from its tree if this operation reads the tree anyway. */
  private async loadIds(ids: readonly number[]): Promise<(ProviderEntity | null)[]> {
    const found = new Map<number, ProviderEntity>();
    const roots = await Promise.all(ids.filter((id) => this.walksTree(id)).map((id) => this.trees.load(id)));
    for (const tree of roots) for (const provider of tree.providers) found.set(provider.id, provider);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await this.reads.providersById.of(missing, this.operation);
      for (const row of rows) found.set(row.id, providerOf(row));
    }
    return ids.map((id) => found.get(id) ?? null);
  }
}

/** Keys are compared exactly, whatever the collation of the database. */
function loaderOf(
  rows: Pick<SharedRead<string, ProviderRow>, 'of'>,
  keyOf: (row: ProviderRow) => string | null,
  operation: Operation,
): DataLoader<string, ProviderEntity | null> {
  return new BatchLoader(operation, async (keys) => {
    const found = new Map((await rows.of(keys, operation)).map((row) => [keyOf(row), providerOf(row)]));
    return keys.map((key) => found.get(key) ?? null);
  });
}
