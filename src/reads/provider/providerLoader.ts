import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import { groupBy } from '../groups.js';
import { providerOf, type ProviderSource } from './providerSource.js';
import type { SharedReads } from '../sharedReads.js';
import { readSharers } from './sharing.js';
import { ProviderTree } from './tree.js';

/**
 * Finds providers, alone, with their whole tree, or those that share with a tree: one statement for all that is asked
 * for at the same time. Everything that walks a tree shares one load of it.
 */
export class ProviderLoader {
  private readonly trees: DataLoader<number, ProviderTree>;
  private readonly sharersOfTrees: DataLoader<number, readonly ProviderSource[]>;
  private readonly walkedTrees = new Set<number>();
  private readonly walkedSharers = new Set<number>();
  /** By the id of a sharing provider: the roots of the trees that it was found for. */
  private readonly borrowers = new Map<number, number[]>();
  private readonly ids: DataLoader<number, ProviderSource | null>;
  private readonly uuids: DataLoader<string, ProviderSource | null>;
  private readonly names: DataLoader<string, ProviderSource | null>;

  constructor(
    private readonly database: Database,
    private readonly reads: SharedReads,
  ) {
    this.trees = new DataLoader((rootIds) => this.loadTrees(rootIds));
    this.sharersOfTrees = new DataLoader((rootIds) => this.loadSharers(rootIds));
    this.ids = new DataLoader((ids) => this.loadIds(ids));
    this.uuids = new DataLoader((uuids) => this.loadUuids(uuids));
    this.names = new DataLoader((names) => this.loadNames(names));
  }

  tree(rootId: number): Promise<ProviderTree> {
    this.walkedTrees.add(rootId);
    return this.trees.load(rootId);
  }

  /** The sharing providers of other trees that this tree can draw on, by name. */
  sharers(rootId: number): Promise<readonly ProviderSource[]> {
    this.walkedSharers.add(rootId);
    return this.sharersOfTrees.load(rootId);
  }

  /** Whether this operation has asked for the tree, so that more of it is about to be wanted. */
  walksTree(rootId: number): boolean {
    return this.walkedTrees.has(rootId);
  }

  walksSharers(rootId: number): boolean {
    return this.walkedSharers.has(rootId);
  }

  /** The roots of the trees of whose sharers this operation has found the provider to be one. */
  borrowersOf(id: number): readonly number[] {
    return this.borrowers.get(id) ?? [];
  }

  byId(id: number): Promise<ProviderSource | null> {
    return this.ids.load(id);
  }

  byUuid(uuid: string): Promise<ProviderSource | null> {
    return this.uuids.load(uuid);
  }

  byName(name: string): Promise<ProviderSource | null> {
    return this.names.load(name);
  }

  private async loadTrees(rootIds: readonly number[]): Promise<ProviderTree[]> {
    const providers = (await this.reads.trees.of(rootIds)).map(providerOf);
    const byRoot = groupBy(providers, (provider) => provider.rootId);
    return rootIds.map((rootId) => new ProviderTree(byRoot.get(rootId) ?? []));
  }

  private async loadSharers(rootIds: readonly number[]): Promise<(readonly ProviderSource[])[]> {
    const byTree = await readSharers(this.database, rootIds);
    for (const [rootId, sharers] of byTree) {
      for (const { id } of sharers) {
        const known = this.borrowers.get(id);
        if (known) known.push(rootId);
        else this.borrowers.set(id, [rootId]);
      }
    }
    return rootIds.map((rootId) => byTree.get(rootId) ?? []);
  }

  /** A root whose tree is being read anyway comes from there. */
  private async loadIds(ids: readonly number[]): Promise<(ProviderSource | null)[]> {
    const found = new Map<number, ProviderSource>();
    const roots = await Promise.all(ids.filter((id) => this.walksTree(id)).map((id) => this.trees.load(id)));
    for (const tree of roots) for (const provider of tree.providers) found.set(provider.id, provider);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      for (const row of await this.reads.providersById.of(missing)) found.set(row.id, providerOf(row));
    }
    return ids.map((id) => found.get(id) ?? null);
  }

  private async loadUuids(uuids: readonly string[]): Promise<(ProviderSource | null)[]> {
    const rows = await this.reads.providersByUuid.of(uuids);
    const found = new Map(rows.map((row) => [row.uuid, providerOf(row)]));
    return uuids.map((uuid) => found.get(uuid) ?? null);
  }

  /** Compared exactly, whatever the collation of the database. */
  private async loadNames(names: readonly string[]): Promise<(ProviderSource | null)[]> {
    const rows = await this.reads.providersByName.of(names);
    const found = new Map(rows.map((row) => [row.name, providerOf(row)]));
    return names.map((name) => found.get(name) ?? null);
  }
}
