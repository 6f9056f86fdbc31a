import type { ReadableDatabase } from '../../store/database/database.js';
import type { Queryable } from '../../store/sql/statements.js';
import type { ConsumerFiguresSource } from '../../model/listing/consumerFigures.js';
import { readConsumerTypes } from './catalog.js';
import { requestsOf } from '../../store/sql/rememberedRequests.js';
import {
  groupsOfProjects,
  projectsOfGroups,
  quotasOfProjects,
  readHeld,
  readQuotas,
  type Quota,
  type QuotaGroup,
} from '../../store/quotas/quotaList.js';
import { readTopologies, readWorkloadMembers, workloadsOf } from '../../store/sql/workloads.js';
import { BatchLoader, RowLoader } from './batchLoader.js';
import { ConsumerLoader } from '../consumer/consumerLoader.js';
import { allocationsOfProviders, consumersOfTrees, type AllocationFilter } from '../consumer/ownedLists.js';
import { consumersOf, type ConsumersOf } from '../consumer/consumersOf.js';
import { readOwners, type Owner, type OwnerTable } from '../consumer/ownerLists.js';
import { consumerCounts, usagesOfOwners, type OwnerColumn } from '../consumer/usages.js';
import { PageLoader, type OwnedList } from '../paging/pageLoader.js';
import { namedAggregates } from '../provider/aggregateLists.js';
import { DetailLoader, type Detail } from '../provider/detailLoader.js';
import { providersInAggregate, providersWithTrait, rootsOfOwner, treesOfOwner } from '../provider/members.js';
import { ProviderLoader } from '../provider/providerLoader.js';
import type { Operation } from '../../model/operation/operation.js';
import type { SharedRead, SharedReads } from './sharedReads.js';

/** The loaders of one operation. Equal and simultaneous reads share one statement. Each loader is made on first use. */
export class Loaders {
  private readonly made = new Map<string, unknown>();

  constructor(
    private readonly database: ReadableDatabase,
    private readonly reads: SharedReads,
    private readonly operation: Operation,
  ) {}

  get providers() {
    return this.once('providers', () => new ProviderLoader(this.database, this.reads, this.operation));
  }

  get inventories() {
    return this.once('inventories', () => this.details(this.reads.inventories));
  }

  get consumptions() {
    return this.once('consumptions', () => this.details(this.reads.consumptions));
  }

  get traits() {
    return this.once('traits', () => this.details(this.reads.traits));
  }

  get aggregates() {
    return this.once('aggregates', () => this.details(this.reads.aggregates));
  }

  /** Loads the aggregates that have a name. */
  namedAggregates(by: 'uuid' | 'name') {
    return this.once(`namedAggregates ${by}`, () => namedAggregates(this.operation, this.database, by));
  }

  get providersWithTrait() {
    return this.once('providersWithTrait', () => this.pages(providersWithTrait(this.pool)));
  }

  get providersInAggregate() {
    return this.once('providersInAggregate', () => this.pages(providersInAggregate(this.database)));
  }

  get ownerships() {
    return this.once('ownerships', () => this.details(this.reads.ownerships));
  }

  get rootsOfOwner() {
    return this.once('rootsOfOwner', () => this.pages(rootsOfOwner(this.pool)));
  }

  get treesOfOwner() {
    return this.once('treesOfOwner', () => this.pages(treesOfOwner(this.pool)));
  }

  get consumers() {
    return this.once('consumers', () => new ConsumerLoader(this.operation, this.database));
  }

  /** Loads the remembered requests of consumers by uuid. */
  get requests() {
    return this.once(
      'requests',
      () =>
        new BatchLoader(this.operation, async (uuids: readonly string[]) => {
          const found = await requestsOf(this.database, uuids);
          return uuids.map((uuid) => found.get(uuid) ?? null);
        }),
    );
  }

  /** Loads the named workloads of consumers by uuid. */
  get workloads() {
    return this.once(
      'workloads',
      () =>
        new BatchLoader(this.operation, async (uuids: readonly string[]) => {
          const found = await workloadsOf(this.database, uuids);
          return uuids.map((uuid) => found.get(uuid) ?? null);
        }),
    );
  }

  /** Loads the rules of named workloads as JSON by the id of the workload. Null: the workload was deleted. */
  get topologies() {
    return this.once(
      'topologies',
      () =>
        new BatchLoader(this.operation, async (ids: readonly number[]) => {
          const found = await readTopologies(this.pool, ids);
          return ids.map((id) => found.get(id) ?? null);
        }),
    );
  }

  /** Loads the members of named workloads by the id of the workload. */
  get workloadMembers() {
    return this.once(
      'workloadMembers',
      () =>
        new BatchLoader(this.operation, async (ids: readonly number[]) => {
          const found = await readWorkloadMembers(this.database, ids);
          return ids.map((id) => found.get(id) ?? []);
        }),
    );
  }

  get consumerTypes() {
    return this.once(
      'consumerTypes',
      () => new RowLoader(this.operation, 'name', () => readConsumerTypes(this.database)),
    );
  }

  /** Loads projects or users by their external ids. */
  owners(table: OwnerTable) {
    return this.once(
      `owners ${table}`,
      () => new RowLoader(this.operation, 'externalId', (ids) => readOwners(this.database, table, ids)),
    );
  }

  allocationsOfProviders(filter: AllocationFilter) {
    const key = [filter.classId, filter.consumerType ?? null, filter.consumerType === null];
    return this.pagesFor('allocationsOfProviders', key, () => allocationsOfProviders(this.database, filter));
  }

  /** Loads pages of the consumers of projects, users or types. */
  consumersOf(consumers: ConsumerFiguresSource, list: ConsumersOf) {
    const source = { database: this.database, consumers };
    return this.pagesFor('consumersOf', list, () => consumersOf(source, list));
  }

  get consumersOfTrees() {
    return this.once('consumersOfTrees', () => this.pages(consumersOfTrees(this.database)));
  }

  consumerCounts(owner: OwnerColumn | 'consumer_type_id') {
    return this.once(`consumerCounts ${owner}`, () => consumerCounts(this.operation, this.database, owner));
  }

  usages(owner: OwnerColumn) {
    return this.once(`usages ${owner}`, () => usagesOfOwners(this.operation, this.pool, owner));
  }

  /** Loads the limits of projects. */
  get quotas() {
    return this.once('quotas', () =>
      this.byId(async (owners: readonly Owner[]) => {
        const found = await quotasOfProjects(this.pool, owners);
        return owners.map(({ id }) => found.get(id) ?? []);
      }),
    );
  }

  /** Loads the part of the usage of limits that consumers with a hold have. */
  get held() {
    return this.once(
      'held',
      () =>
        new BatchLoader(this.operation, (quotas: readonly Quota[]) => readHeld(this.pool, quotas), {
          cacheKeyFn: ({ id, ownerId }) => `${id} ${ownerId}`,
        }),
    );
  }

  /** Loads the groups of projects. */
  get quotaGroups() {
    return this.once('quotaGroups', () =>
      this.byId(async (owners: readonly Owner[]) => {
        const groups = await groupsOfProjects(
          this.pool,
          owners.map(({ id }) => id),
        );
        return owners.map(({ id }) => groups.get(id) ?? null);
      }),
    );
  }

  /** Loads the limits of groups. */
  get quotasOfGroups() {
    return this.once('quotasOfGroups', () =>
      this.byId(async (groups: readonly QuotaGroup[]) => {
        const ids = groups.map(({ id }) => id);
        const found = await readQuotas(this.pool, { kind: 'GROUP', ids });
        return ids.map((id) => found.filter(({ ownerId }) => ownerId === id));
      }),
    );
  }

  /** Loads the projects of groups. */
  get projectsOfGroups() {
    return this.once('projectsOfGroups', () =>
      this.byId(async (groups: readonly QuotaGroup[]) => {
        const ids = groups.map(({ id }) => id);
        const found = await projectsOfGroups(this.pool, ids);
        return ids.map((id) => found.filter(({ groupId }) => groupId === id));
      }),
    );
  }

  private byId<K extends { readonly id: number }, V>(load: (keys: readonly K[]) => Promise<V[]>) {
    return new BatchLoader<K, V, number>(this.operation, load, { cacheKeyFn: ({ id }) => id });
  }

  private get pool(): Queryable {
    return this.database.pool;
  }

  private details<T extends Detail>(read: SharedRead<number, T>) {
    return new DetailLoader(this.operation, this.providers, (ids) => read.of(ids, this.operation));
  }

  private pages<Owner, T, Place>(list: OwnedList<Owner, T, Place>) {
    return new PageLoader(this.operation, list);
  }

  /** Returns the loader of a list that depends on `key`. */
  private pagesFor<Owner, T, Place>(name: string, key: unknown, listOf: () => OwnedList<Owner, T, Place>) {
    return this.once(`${name} ${JSON.stringify(key)}`, () => this.pages(listOf()));
  }

  private once<T>(name: string, make: () => T): T {
    if (!this.made.has(name)) this.made.set(name, make());
    return this.made.get(name) as T;
  }
}
