import type DataLoader from 'dataloader';
import { sql, type AliasedExpression, type Selectable } from 'kysely';
import type { Operation } from '../../model/operation/operation.js';
import { readTwins } from '../../store/sql/aggregates.js';
import type { ReadableDatabase } from '../../store/database/database.js';
import { list, read, statement, value, type DB } from '../../store/sql/statements.js';
import type { ProviderEntity } from '../entities.js';
import { addToGroup, groupBy } from '../../model/collections.js';
import { byName } from '../../model/listing/orderedPage.js';
import { SHARING_TRAIT } from '../../model/provider.js';
import type { SharedRead, SharedReads } from '../loaders/sharedReads.js';
import { providerOf, PROVIDERS, type StoredProvider } from './providerRow.js';
import { ProviderTree } from './tree.js';
import { BatchLoader, RowLoader } from '../loaders/batchLoader.js';

/**
 * The sharing providers of other trees that each tree can use. An aggregate serves the whole tree if it directly
 * contains the sharing provider and any provider of the tree (rule 144).
 */
const sharingThrough = (links: AliasedExpression<Link, 'a'>) =>
  statement(
    PROVIDERS.innerJoin('resource_provider_aggregates as b', 'b.resource_provider_id', 'p.id')
      .innerJoin(links, 'a.aggregate_id', 'b.aggregate_id')
      .innerJoin('resource_providers as own', 'own.id', 'a.resource_provider_id')
      .innerJoin('resource_provider_traits as m', 'm.resource_provider_id', 'p.id')
      .innerJoin('traits as t', 't.id', 'm.trait_id')
      .whereRef('p.root_provider_id', '<>', 'own.root_provider_id')
      .where('t.name', '=', value<string>())
      .where('own.root_provider_id', 'in', list<number>())
      .select('own.root_provider_id as tree')
      .distinct()
      .$narrowType<{ tree: number }>(),
  );

type Link = Pick<Selectable<DB['resource_provider_aggregates']>, 'aggregate_id' | 'resource_provider_id'>;

const SHARING_PROVIDERS = sharingThrough(sql<Link>`resource_provider_aggregates`.as('a'));

/** The same, if one of the two is linked to another row of the same aggregate. Its first value is the JSON of pairs of rows. */
const SHARING_THROUGH_TWINS = sharingThrough(
  sql<Link>`(SELECT twins.one AS aggregate_id, l.resource_provider_id
               FROM JSON_TABLE(${value<string>()}, '$[*]' COLUMNS (one int PATH '$[0]', other int PATH '$[1]')) twins
               JOIN resource_provider_aggregates l ON l.aggregate_id = twins.other)`.as('a'),
);

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
  /** The roots of the trees that this operation has requested, and so will probably request more of. */
  readonly walkedTrees = new Set<number>();
  /** The same for the sharing providers of trees. */
  readonly walkedSharing = new Set<number>();
  /** By the id of a sharing provider: the roots of the trees for which it was read. */
  private readonly servedTrees = new Map<number, number[]>();
  private readonly ids: DataLoader<number, ProviderEntity | null>;
  private readonly uuids: DataLoader<string, ProviderEntity | null>;
  private readonly names: DataLoader<string, ProviderEntity | null>;

  constructor(
    private readonly database: ReadableDatabase,
    private readonly reads: SharedReads,
    private readonly operation: Operation,
  ) {
    this.trees = new BatchLoader(operation, (rootIds) => this.loadTrees(rootIds));
    this.sharingWithTrees = new BatchLoader(operation, (rootIds) => this.loadSharing(rootIds));
    this.ids = new BatchLoader(operation, (ids) => this.loadIds(ids));
    this.uuids = new RowLoader(operation, 'uuid', (uuids) => this.read(reads.providersByUuid, uuids));
    this.names = new RowLoader(operation, 'name', (names) => this.read(reads.providersByName, names));
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
    const byRoot = groupBy(await this.read(this.reads.trees, rootIds), (provider) => provider.rootId);
    return rootIds.map((rootId) => new ProviderTree(byRoot.get(rootId) ?? [], this.operation.signal));
  }

  private async loadSharing(rootIds: readonly number[]): Promise<(readonly ProviderEntity[])[]> {
    const { pool, spellings } = this.database;
    const values = [SHARING_TRAIT, rootIds];
    const rows = await read(pool, SHARING_PROVIDERS, values);
    const twins = await readTwins(pool, spellings.aggregates);
    if (twins.length > 0)
      rows.push(...(await read(pool, SHARING_THROUGH_TWINS, [JSON.stringify(twins), ...values])));
    const once = [...new Map(rows.map((row) => [`${row.id} ${row.tree}`, row])).values()];
    for (const { id, tree } of once) addToGroup(this.servedTrees, id, tree);
    const byTree = groupBy(once, ({ tree }) => tree);
    return rootIds.map((rootId) => (byTree.get(rootId) ?? []).map(providerOf).sort(byName));
  }

  /** Takes a root from its tree if this operation reads the tree anyway. */
  private async loadIds(ids: readonly number[]): Promise<(ProviderEntity | null)[]> {
    const found = new Map<number, ProviderEntity>();
    const roots = await Promise.all(
      ids.filter((id) => this.walkedTrees.has(id)).map((id) => this.trees.load(id)),
    );
    for (const tree of roots) for (const provider of tree.providers) found.set(provider.id, provider);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0)
      for (const provider of await this.read(this.reads.providersById, missing))
        found.set(provider.id, provider);
    return ids.map((id) => found.get(id) ?? null);
  }

  private async read<Key>(
    rows: SharedRead<Key, StoredProvider>,
    keys: readonly Key[],
  ): Promise<ProviderEntity[]> {
    return (await rows.of(keys, this.operation)).map(providerOf);
  }
}
