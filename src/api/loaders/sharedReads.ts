import type { Database } from '../../store/database/database.js';
import { storable, list, read, statement, type Statement } from '../../store/sql/statements.js';
import { readAllocationsOfConsumers, type WrittenAllocation } from '../../store/sql/consumers.js';
import { groupBy } from '../../model/collections.js';
import type { Operation } from '../../model/operation/operation.js';
import { SingleFlight } from '../../model/operation/waiting.js';
import {
  readAggregates,
  readAggregatesByUuid,
  readConsumptions,
  readInventories,
  readInventoriesByUuid,
  readOwnerships,
  readParentsByUuid,
  readTraits,
  readTraitsByUuid,
  readUsagesByUuid,
  type WithDetail,
} from '../provider/details.js';
import { PROVIDERS, type StoredProvider } from '../provider/providerRow.js';

/**
 * A read of more keys than this has its own statement, for which no other read waits. It waits for a connection like
 * a list, because such statements would otherwise take all connections.
 */
const MOST_SHARED = 100;

/** The maximum time that a statement delays the next one, in milliseconds. */
const LONGEST_WAIT = 50;

/**
 * Reads rows by key for all operations of the process. Operations that request rows while a
 * statement runs share the next statement. So each operation gets rows of a statement that was sent
 * after its request, and under load many operations cost one statement. Nothing is cached.
 */
export class SharedRead<Key, Row> {
  private keys = new Set<Key>();
  private readonly statements = new SingleFlight(async () => {
    const keys = [...this.keys];
    this.keys = new Set();
    return groupBy(await this.read(keys), this.keyOf);
  }, LONGEST_WAIT);

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<readonly Row[]>,
    private readonly keyOf: (row: Row) => Key,
    /** The text of the statement in traces. */
    private readonly about: string,
  ) {}

  /** Returns the rows of distinct keys, in the order of the read. */
  of(keys: readonly Key[], operation: Operation): Promise<readonly Row[]> {
    return operation.activity.statement(this.about, () => {
      if (keys.length <= MOST_SHARED) return this.shared(keys);
      return operation.isWrite ? this.read(keys) : operation.withConnection(() => this.read(keys));
    });
  }

  private async shared(keys: readonly Key[]): Promise<readonly Row[]> {
    for (const key of keys) this.keys.add(key);
    const rows = await this.statements.join();
    return keys.flatMap((key) => rows.get(key) ?? []);
  }
}

const BY_ID = statement(PROVIDERS.where('p.id', 'in', list<number>()));
const BY_UUID = statement(PROVIDERS.where('p.uuid', 'in', list<string>()));
const BY_NAME = statement(PROVIDERS.where('p.name', 'in', list<string>()));
const BY_ROOT = statement(PROVIDERS.where('p.root_provider_id', 'in', list<number>()));

export type SharedReads = ReturnType<typeof createSharedReads>;

/** Creates the small reads of nearly every operation. All operations of the process share them. */
export function createSharedReads(database: Database) {
  const { pool } = database;
  const providers = <Key>(
    one: Statement<StoredProvider>,
    keyOf: (row: StoredProvider) => Key,
  ): SharedRead<Key, StoredProvider> => new SharedRead((keys) => read(pool, one, [keys]), keyOf, one.text);
  const withDetail = <Detail>(
    name: string,
    load: (uuids: readonly string[]) => Promise<readonly WithDetail<Detail>[]>,
  ): SharedRead<string, WithDetail<Detail>> =>
    new SharedRead(load, ({ provider }) => provider.uuid, `SELECT resource_providers, ${name}`);
  const owner = ({ providerId }: { readonly providerId: number }): number => providerId;
  return {
    providersById: providers(BY_ID, ({ id }) => id),
    providersByUuid: providers(BY_UUID, ({ uuid }) => uuid),
    providersByName: new SharedRead<string, StoredProvider>(
      async (keys) => {
        const names = await storable(pool, 'resource_providers', keys);
        return names.size === 0 ? [] : read(pool, BY_NAME, [[...names]]);
      },
      ({ name }) => name!,
      BY_NAME.text,
    ),
    /** All providers of trees, by the id of the root. */
    trees: providers(BY_ROOT, ({ rootId }) => rootId),
    inventories: new SharedRead((ids) => readInventories(pool, ids), owner, 'SELECT inventories'),
    traits: new SharedRead((ids) => readTraits(pool, ids), owner, 'SELECT traits'),
    ownerships: new SharedRead((ids) => readOwnerships(pool, ids), owner, 'SELECT ownerships'),
    consumptions: new SharedRead((ids) => readConsumptions(pool, ids), owner, 'SELECT consumptions'),
    aggregates: new SharedRead((ids) => readAggregates(database, ids), owner, 'SELECT aggregates'),
    /** Providers by uuid, each with its details. */
    withParents: withDetail('parents', (uuids) => readParentsByUuid(pool, uuids)),
    withInventories: withDetail('inventories', (uuids) => readInventoriesByUuid(pool, uuids)),
    withUsages: withDetail('usages', (uuids) => readUsagesByUuid(pool, uuids)),
    withTraits: withDetail('traits', (uuids) => readTraitsByUuid(pool, uuids)),
    withAggregates: withDetail('aggregates', (uuids) => readAggregatesByUuid(database, uuids)),
    allocationsOfConsumers: new SharedRead<string, WrittenAllocation>(
      (uuids) => readAllocationsOfConsumers(database, uuids),
      ({ consumer }) => consumer.uuid,
      'SELECT allocations of consumers',
    ),
  };
}
