import type { ReadableDatabase } from '../database/database.js';
import type { Queryable } from '../database/statements.js';
import type { ConsumerFiguresSource } from '../domain/listing/consumerFigures.js';
import { consumerTypesByName } from './catalog.js';
import { ConsumerLoader } from './consumer/consumerLoader.js';
import { allocationsOfProviders, consumersOfTrees, type AllocationFilter } from './consumer/ownedLists.js';
import { consumersOf, type ConsumersOf } from './consumer/consumersOf.js';
import { ownersById } from './consumer/owners.js';
import { consumerCounts, usagesOfOwners } from './consumer/usages.js';
import { PageLoader } from './paging/pageLoader.js';
import { aggregateNames, aggregatesByName } from './provider/aggregates.js';
import { DetailLoader, type Detail } from './provider/detailLoader.js';
import { providersInAggregate, providersWithTrait } from './provider/members.js';
import { ProviderLoader } from './provider/providerLoader.js';
import type { Operation } from '../runtime/operation.js';
import type { SharedReads } from './sharedReads.js';

/** The loaders of one operation. Equal and simultaneous reads share one statement. Each loader is made on first use. */
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
      this.details((ids) => this.reads.inventories.of(ids, this.operation)),
    );
  }

  get traits() {
    return this.once('traits', () => this.details((ids) => this.reads.traits.of(ids, this.operation)));
  }

  get aggregates() {
    return this.once('aggregates', () =>
      this.details((ids) => this.reads.aggregates.of(ids, this.operation)),
    );
  }

  get aggregateNames() {
    return this.once('aggregateNames', () => aggregateNames(this.operation, this.database));
  }

  get aggregatesByName() {
    return this.once('aggregatesByName', () => aggregatesByName(this.operation, this.database));
  }

  get providersWithTrait() {
    return this.once(
      'providersWithTrait',
      () => new PageLoader(this.operation, providersWithTrait(this.pool)),
    );
  }

  get providersInAggregate() {
    return this.once(
      'providersInAggregate',
      () => new PageLoader(this.operation, providersInAggregate(this.pool)),
    );
  }

  get consumers() {
    return this.once('consumers', () => new ConsumerLoader(this.operation, this.database));
  }

  get consumerTypes() {
    return this.once('consumerTypes', () => consumerTypesByName(this.operation, this.database));
  }

  get projects() {
    return this.once('projects', () => ownersById(this.operation, this.database, 'projects'));
  }

  get users() {
    return this.once('users', () => ownersById(this.operation, this.database, 'users'));
  }

  allocationsOfProviders(filter: AllocationFilter) {
    const key = [filter.classId, filter.consumerType ?? null, filter.consumerType === null];
    return this.onceFor(
      'allocationsOfProviders',
      key,
      () => new PageLoader(this.operation, allocationsOfProviders(this.database, filter)),
    );
  }

  /** Loads pages of the consumers of projects, users or types. */
  consumersOf(consumers: ConsumerFiguresSource, list: ConsumersOf) {
    return this.onceFor(
      'consumersOf',
      list,
      () => new PageLoader(this.operation, consumersOf({ database: this.database, consumers }, list)),
    );
  }

  get consumersOfTrees() {
    return this.once(
      'consumersOfTrees',
      () => new PageLoader(this.operation, consumersOfTrees(this.database)),
    );
  }

  get consumerCountOfType() {
    return this.once('consumerCountOfType', () =>
      consumerCounts(this.operation, this.pool, 'consumer_type_id'),
    );
  }

  get consumerCountOfProject() {
    return this.once('consumerCountOfProject', () => consumerCounts(this.operation, this.pool, 'project_id'));
  }

  get consumerCountOfUser() {
    return this.once('consumerCountOfUser', () => consumerCounts(this.operation, this.pool, 'user_id'));
  }

  get usagesOfProjects() {
    return this.once('usagesOfProjects', () => usagesOfOwners(this.operation, this.pool, 'project_id'));
  }

  get usagesOfUsers() {
    return this.once('usagesOfUsers', () => usagesOfOwners(this.operation, this.pool, 'user_id'));
  }

  private get pool(): Queryable {
    return this.database.pool;
  }

  private details<T extends Detail>(fetch: (providerIds: readonly number[]) => Promise<readonly T[]>) {
    return new DetailLoader(this.operation, this.providers, fetch);
  }

  /** Returns the loader of a key. */
  private onceFor<T>(name: keyof Loaders, key: unknown, make: () => T): T {
    const known = this.once(name, () => new Map<string, T>());
    const text = JSON.stringify(key);
    const made = known.get(text) ?? make();
    known.set(text, made);
    return made;
  }

  private once<T>(name: keyof Loaders, make: () => T): T {
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name) as T;
  }
}
