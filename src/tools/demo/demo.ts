import { sql } from 'kysely';
import type { Connection } from 'mariadb';
import type { Database } from '../../store/database/database.js';
import { execute, tables, type Queryable } from '../../store/sql/statements.js';
import { BulkInsert, NamedRows } from './bulkInsert.js';
import { fleet, zonesOf, type DemoConsumer, type DemoProvider } from './fleet.js';

/** The default number of hosts. */
export const DEMO_HOSTS = 100;

export interface DemoOptions {
  readonly hosts: number;
  readonly seed?: number;
  /** Called after each write with a line that has the number of hosts so far. */
  readonly onProgress?: (line: string) => void;
  /** Ends the load: the database rolls it back. */
  readonly signal?: AbortSignal;
}

/** The number of rows per write: some 300 hosts. */
const ROWS_AT_ONCE = 25_000;

/** The lock timeout: the server may still be rolling back an interrupted load. */
const LOCK_WAIT_SECONDS = 600;

/**
 * Fills a migrated, empty database with the demo data. Writes it in one transaction, so that an
 * interrupted load leaves nothing. Assigns the ids, so that rows can refer to unwritten rows.
 *
 * @throws Error if there are already providers, inventories, consumers or allocations, or if the signal aborts
 */
export async function loadDemoData(database: Database, options: DemoOptions): Promise<void> {
  const connection = await database.longWork.getConnection();
  const end = (): void => connection.destroy();
  options.signal?.addEventListener('abort', end, { once: true });
  try {
    options.signal?.throwIfAborted();
    await connection.query(`SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`);
    await connection.beginTransaction();
    // a lock until the end of the transaction: a concurrent load then finds the rows of this one
    await execute(
      connection,
      tables.selectFrom('resource_classes').select('id').where('id', '=', 0).forUpdate(),
    );
    const filled = await firstFilledTable(connection);
    if (filled !== null) throw new Error(`demo data needs an empty database, and this one has ${filled}`);
    await write(connection, options);
    await connection.commit();
    // the server would do this only later, and until then plan queries for empty tables
    const filledTables = Object.values(bulkInserts(connection)).map(({ table }) => table);
    await connection.query(`ANALYZE TABLE ${filledTables.join(', ')}`);
  } finally {
    options.signal?.removeEventListener('abort', end);
    // discards the session settings and rolls back an open transaction
    connection.destroy();
  }
}

/** Returns the first table that has rows. Null if the database is empty. */
export async function firstFilledTable(reader: Queryable): Promise<string | null> {
  for (const table of ['resource_providers', 'inventories', 'consumers', 'allocations'] as const) {
    const rows = await execute(reader, tables.selectFrom(table).select('id').limit(sql.lit(1)));
    if (rows.length > 0) return table;
  }
  return null;
}

/** Returns the number of trees of providers. */
export async function rootCount(reader: Queryable): Promise<number> {
  const count = tables
    .selectFrom('resource_providers')
    .where('parent_provider_id', 'is', null)
    .select((select) => select.fn.countAll<number | bigint>().as('count'));
  return Number((await execute(reader, count))[0].count);
}

async function write(
  connection: Connection,
  { hosts, seed, onProgress, signal }: DemoOptions,
): Promise<void> {
  const writer = new DemoWriter(await namedRows(connection), bulkInserts(connection));
  let added = 0;
  for (const { providers, consumers } of fleet({ hosts, seed })) {
    for (const provider of providers) writer.addProvider(provider);
    for (const consumer of consumers) writer.addConsumer(consumer);
    added += hostsOf(providers);
    if (writer.rows < ROWS_AT_ONCE) continue;
    await writer.flush();
    signal?.throwIfAborted();
    onProgress?.(`demo data: ${added} of ${hosts} hosts`);
  }
  await writer.flush();
  // names of an earlier load may still exist
  await connection.batch(
    `INSERT IGNORE INTO placement_aggregate_names (aggregate_uuid, name, created_at) VALUES (?, ?, UTC_TIMESTAMP())`,
    zonesOf(hosts, seed).map(({ aggregate, name }) => [aggregate, name]),
  );
}

function hostsOf(rack: readonly DemoProvider[]): number {
  return rack.filter(({ parentId }) => parentId === null).length - 1;
}

/** Returns the bulk inserts in the order of writing: referenced rows come first. */
function bulkInserts(connection: Connection) {
  return {
    providers: new BulkInsert(connection, 'resource_providers'),
    inventories: new BulkInsert(connection, 'inventories'),
    providerTraits: new BulkInsert(connection, 'resource_provider_traits'),
    providerAggregates: new BulkInsert(connection, 'resource_provider_aggregates'),
    consumers: new BulkInsert(connection, 'consumers'),
    allocations: new BulkInsert(connection, 'allocations'),
  };
}

/** Reads the tables of names. Their new rows are written before all others. */
async function namedRows(connection: Connection) {
  return {
    classes: await NamedRows.read(connection, 'resource_classes'),
    traits: await NamedRows.read(connection, 'traits'),
    aggregates: await NamedRows.read(connection, 'placement_aggregates', 'uuid'),
    projects: await NamedRows.read(connection, 'projects', 'external_id'),
    users: await NamedRows.read(connection, 'users', 'external_id'),
    types: await NamedRows.read(connection, 'consumer_types'),
  };
}

class DemoWriter {
  private inventoryId = 1;
  private consumerId = 1;
  private allocationId = 1;

  constructor(
    private readonly names: Awaited<ReturnType<typeof namedRows>>,
    private readonly tables: ReturnType<typeof bulkInserts>,
  ) {}

  get rows(): number {
    return Object.values(this.tables).reduce((sum, { rows }) => sum + rows, 0);
  }

  addProvider({ id, uuid, name, generation, rootId, parentId, ...supply }: DemoProvider): void {
    const { providers, inventories, providerTraits, providerAggregates } = this.tables;
    const { classes, traits, aggregates } = this.names;
    providers.add({ id, uuid, name, generation, root_provider_id: rootId, parent_provider_id: parentId });
    for (const { resourceClass, total, reserved, ...rest } of supply.inventories)
      inventories.add({
        id: this.inventoryId++,
        resource_provider_id: id,
        resource_class_id: classes.idOf(resourceClass),
        total,
        reserved,
        min_unit: rest.minUnit,
        max_unit: rest.maxUnit,
        step_size: rest.stepSize,
        allocation_ratio: rest.allocationRatio,
      });
    for (const trait of supply.traits)
      providerTraits.add({ resource_provider_id: id, trait_id: traits.idOf(trait) });
    for (const aggregate of supply.aggregates)
      providerAggregates.add({ resource_provider_id: id, aggregate_id: aggregates.idOf(aggregate) });
  }

  addConsumer({ uuid, project, user, allocations }: DemoConsumer): void {
    const { classes, projects, users, types } = this.names;
    this.tables.consumers.add({
      id: this.consumerId++,
      uuid,
      project_id: projects.idOf(project),
      user_id: users.idOf(user),
      generation: 1,
      consumer_type_id: types.idOf('INSTANCE'),
    });
    for (const { providerId, resourceClass, used } of allocations)
      this.tables.allocations.add({
        id: this.allocationId++,
        resource_provider_id: providerId,
        consumer_id: uuid,
        resource_class_id: classes.idOf(resourceClass),
        used,
      });
  }

  async flush(): Promise<void> {
    for (const names of Object.values(this.names)) await names.flush();
    for (const table of Object.values(this.tables)) await table.flush();
  }
}
