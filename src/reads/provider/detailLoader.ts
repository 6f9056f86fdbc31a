import DataLoader from 'dataloader';
import { groupBy } from '../groups.js';
import type { ProviderLoader } from './providerLoader.js';
import type { ProviderSource } from './providerSource.js';

export interface Detail {
  readonly providerId: number;
}

type Fetched<T> = Promise<ReadonlyMap<number, readonly T[]>>;

/**
 * Loads what hangs on providers (inventories, traits, ...): one statement for all providers asked for at the same
 * time. Where the operation walks a provider's tree, or goes on to the sharing providers of that tree, the statement
 * fetches for all of those as well, and the providers met later on the walk need none: so the number of statements
 * does not grow with the depth of the query.
 */
export class DetailLoader<T extends Detail> {
  private readonly loader: DataLoader<ProviderSource, readonly T[], number>;
  /** By the id of the root: what was fetched for the whole tree, and for its sharing providers. */
  private readonly ofTrees = new Map<number, Fetched<T>>();
  private readonly ofSharers = new Map<number, Fetched<T>>();

  constructor(
    private readonly providers: ProviderLoader,
    /** Reads the details of these providers, in the order in which they are to be given. */
    private readonly fetch: (providerIds: readonly number[]) => Promise<readonly T[]>,
  ) {
    this.loader = new DataLoader((batch) => this.load(batch), { cacheKeyFn: (provider) => provider.id });
  }

  of(provider: ProviderSource): Promise<readonly T[]> {
    return this.loader.load(provider);
  }

  private load(batch: readonly ProviderSource[]): Promise<(readonly T[])[]> {
    const missing = batch.filter((provider) => !this.underWay(provider));
    const fresh = missing.length > 0 ? this.fetchAround(missing) : undefined;
    return Promise.all(
      batch.map(async (provider) => (await (this.underWay(provider) ?? fresh))?.get(provider.id) ?? []),
    );
  }

  private underWay({ id, rootId }: ProviderSource): Fetched<T> | undefined {
    const borrower = this.providers.borrowersOf(id).find((root) => this.ofSharers.has(root));
    return this.ofTrees.get(rootId) ?? (borrower === undefined ? undefined : this.ofSharers.get(borrower));
  }

  private fetchAround(batch: readonly ProviderSource[]): Fetched<T> {
    const roots = [...new Set(batch.map((provider) => provider.rootId))];
    const trees = roots.filter((root) => this.providers.walksTree(root));
    const borrowers = roots.filter((root) => this.providers.walksSharers(root));
    const fresh = this.fetchFor(batch, trees, borrowers);
    for (const root of trees) this.ofTrees.set(root, fresh);
    for (const root of borrowers) this.ofSharers.set(root, fresh);
    return fresh;
  }

  private async fetchFor(
    batch: readonly ProviderSource[],
    trees: readonly number[],
    borrowers: readonly number[],
  ): Fetched<T> {
    const [members, sharers] = await Promise.all([
      Promise.all(trees.map(async (root) => (await this.providers.tree(root)).providers)),
      Promise.all(borrowers.map((root) => this.providers.sharers(root))),
    ]);
    const wanted = [...batch, ...members.flat(), ...sharers.flat()];
    const details = await this.fetch([...new Set(wanted.map((provider) => provider.id))]);
    return groupBy(details, (detail) => detail.providerId);
  }
}
