import type { ReadableDatabase } from '../database/database.js';
import type { Reader } from '../database/statements.js';
import { consumerCounts } from './consumer/consumerCounts.js';
import { ConsumerLoader } from './consumer/consumerLoader.js';
import {
  allocationsOfProviders,
  consumersOfTrees,
  type AllocationFilter,
  type ProviderAllocation,
} from './consumer/ownedLists.js';
import { usagesOfOwners } from './consumer/ownerUsages.js';
import { PageLoader } from './paging/pageLoader.js';
import { aggregateNames, aggregatesByName } from './provider/aggregates.js';
import { DetailLoader, type Detail } from './provider/detailLoader.js';
import { providersInAggregate, providersWithTrait } from './provider/members.js';
import { ProviderLoader } from './provider/providerLoader.js';
import type { Operation } from '../runtime/operation.js';
import type { SharedReads } from './sharedReads.js';

type AllocationPages = PageLoader<number, ProviderAllocation, number>;

/**
 * What one operation reads through, so that equal and simultaneous reads cost one statement. Each loader is made when it is first
 * asked for: most operations need none or two.
 */
export class Loaders {
  private readonly made = new Map<string, unknown>();

  constructor(
    private readonly database: ReadableDatabase,
    private readonly reads: SharedReads,
    private readonly operation: Operation,
  ) {}

  get providers() {
    return this.once('providers', () => new ProviderLoader(this.pool, this.reads, this.operation));
  }

  get inventories() {
    return this.once('inventories', () =>
      this.details((ids) => this.reads.inventories.of(ids, this.operation.activity)),
    );
  }

  get traits() {
    return this.once('traits', () =>
      this.details((ids) => this.reads.traits.of(ids, this.operation.activity)),
    );
  }

  get aggregates() {
    return this.once('aggregates', () =>
      this.details((ids) => this.reads.aggregates.of(ids, this.operation.activity)),
    );
  }

  get aggregateNames() {
    return this.once('aggregateNames', () => aggregateNames(this.pool));
  }

  get aggregatesByName() {
    return this.once('aggregatesByName', () => aggregatesByName(this.pool));
  }

  get providersWithTrait() {
    return this.once('providersWithTrait', () => new PageLoader(providersWithTrait(this.pool)));
  }

  get providersInAggregate() {
    return this.once('providersInAggregate', () => new PageLoader(providersInAggregate(this.pool)));
  }

  get consumers() {
    return this.once('consumers', () => new ConsumerLoader(this.pool));
  }

  /** Those that a filter lets through. */
  allocationsOfProviders(filter: AllocationFilter) {
    const known = this.once('allocationsOfProviders', () => new Map<string, AllocationPages>());
    const key = JSON.stringify([filter.classId, filter.consumerType ?? null, filter.consumerType === null]);
    const made = known.get(key) ?? new PageLoader(allocationsOfProviders(this.pool, filter));
    known.set(key, made);
    return made;
  }

  get consumersOfTrees() {
    return this.once('consumersOfTrees', () => new PageLoader(consumersOfTrees(this.pool)));
  }

  get consumerCountOfType() {
    return this.once('consumerCountOfType', () => consumerCounts(this.pool, 'type'));
  }

  get consumerCountOfProject() {
    return this.once('consumerCountOfProject', () => consumerCounts(this.pool, 'project'));
  }

  get consumerCountOfUser() {
    return this.once('consumerCountOfUser', () => consumerCounts(this.pool, 'user'));
  }

  get usagesOfProjects() {
    return this.once('usagesOfProjects', () => usagesOfOwners(this.database, 'project_id'));
  }

  get usagesOfUsers() {
    return this.once('usagesOfUsers', () => usagesOfOwners(this.database, 'user_id'));
  }

  private get pool(): Reader {
    return this.database.pool;
  }

  private details<T extends Detail>(fetch: (providerIds: readonly number[]) => Promise<readonly T[]>) {
    return new DetailLoader(this.providers, fetch);
  }

  private once<T>(name: keyof Loaders, make: () => T): T {
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name) as T;
  }
}
