import type DataLoader from 'dataloader';
import type { ProviderEntity } from '../entities.js';
import { groupBy } from '../../model/collections.js';
import type { ProviderLoader } from './providerLoader.js';
import type { Operation } from '../../model/operation/operation.js';
import { BatchLoader } from '../loaders/batchLoader.js';

export interface Detail {
  readonly providerId: number;
}

/** The details of each provider of a read, by the id of the provider. */
type Fetched<T> = Promise<ReadonlyMap<number, readonly T[]>>;

/**
 * Loads details of providers (inventories, traits, ...). Simultaneous requests share one statement.
 * If the operation has read the provider's tree, or the sharing providers of that tree, the
 * statement also reads their details, because the operation will probably request them next. So the
 * number of statements does not grow with the depth of the query.
 */
export class DetailLoader<T extends Detail> {
  private readonly loader: DataLoader<ProviderEntity, readonly T[], number>;
  /** The details of whole trees and of their sharing providers, by the id of the root. */
  private readonly ofTrees = new Map<number, Fetched<T>>();
  private readonly ofSharing = new Map<number, Fetched<T>>();

  constructor(
    operation: Operation,
    private readonly providers: ProviderLoader,
    /** Reads the details of these providers in the order of the result. */
    private readonly fetch: (providerIds: readonly number[]) => Promise<readonly T[]>,
  ) {
    this.loader = new BatchLoader(operation, (batch) => this.load(batch), {
      cacheKeyFn: (provider) => provider.id,
    });
  }

  of(provider: ProviderEntity): Promise<readonly T[]> {
    return this.loader.load(provider);
  }

  private async load(batch: readonly ProviderEntity[]): Promise<(readonly T[])[]> {
    const missing = batch.filter((provider) => !this.underWay(provider));
    const fresh = missing.length > 0 ? this.fetchAround(missing) : undefined;
    const sources = batch.map((provider) => this.underWay(provider) ?? fresh!);
    const fetched = new Map(
      await Promise.all([...new Set(sources)].map(async (source) => [source, await source] as const)),
    );
    const found = batch.map(({ id }, at) => fetched.get(sources[at])!.get(id));
    // a provider may have joined the tree after the tree was read
    const joined = batch.filter((_provider, at) => found[at] === undefined);
    const rest = joined.length > 0 ? await this.fetchFor(joined, [], []) : null;
    return batch.map(({ id }, at) => found[at] ?? rest!.get(id)!);
  }

  private underWay({ id, rootId }: ProviderEntity): Fetched<T> | undefined {
    const served = this.providers.servedTreesOf(id).find((root) => this.ofSharing.has(root));
    return this.ofTrees.get(rootId) ?? (served === undefined ? undefined : this.ofSharing.get(served));
  }

  private fetchAround(batch: readonly ProviderEntity[]): Fetched<T> {
    const roots = [...new Set(batch.map((provider) => provider.rootId))];
    const trees = roots.filter((root) => this.providers.walkedTrees.has(root));
    const served = roots.filter((root) => this.providers.walkedSharing.has(root));
    const fresh = this.fetchFor(batch, trees, served);
    for (const root of trees) this.ofTrees.set(root, fresh);
    for (const root of served) this.ofSharing.set(root, fresh);
    return fresh;
  }

  private async fetchFor(
    batch: readonly ProviderEntity[],
    trees: readonly number[],
    served: readonly number[],
  ): Fetched<T> {
    const [members, sharing] = await Promise.all([
      Promise.all(trees.map(async (root) => (await this.providers.tree(root)).providers)),
      Promise.all(served.map((root) => this.providers.sharingProviders(root))),
    ]);
    const wanted = [...batch, ...members.flat(), ...sharing.flat()];
    const ids = [...new Set(wanted.map((provider) => provider.id))];
    const details = groupBy(await this.fetch(ids), (detail) => detail.providerId);
    return new Map(ids.map((id) => [id, details.get(id) ?? []]));
  }
}
