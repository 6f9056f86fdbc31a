import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { BulkInsert } from './bulkInsert.js';
import { fleet, type FleetConsumer, type FleetProvider } from './fleet.js';
import { NamedRows } from './namedRows.js';

export interface SampleOptions {
  /** Size of the sample cloud. */
  readonly hosts: number;
  /** See {@link FleetOptions}. */
  readonly seed?: number;
  /** Told how far it is after every few hundred hosts, which is several times a second. */
  readonly onProgress?: (line: string) => void;
}

/** What is gathered before it is written: some 300 hosts. */
const ROWS_AT_ONCE = 25_000;

/** The tables that are filled in bulk. */
const FILLED = [
  'resource_providers',
  'inventories',
  'allocations',
  'consumers',
  'resource_provider_traits',
  'resource_provider_aggregates',
];

/** For an interrupted load whose rows the server is still taking back. */
const PATIENCE_SECONDS = 600;

/**
 * Fills a migrated database that has no providers with the sample cloud. All of it is written in one transaction: an
 * interrupted load leaves nothing. Rows get their ids here, so that whatever refers to them is known beforehand.
 *
 * @throws Error when there are providers, consumers or allocations already
 */
export async function loadSample(database: Database, options: SampleOptions): Promise<void> {
  const connection = await database.pool.getConnection();
  try {
    await connection.query(`SET SESSION innodb_lock_wait_timeout = ${PATIENCE_SECONDS}`);
    await connection.beginTransaction();
    // Held to the end, so that of two loads at once the second finds the first one's work.
    await connection.query('SELECT id FROM resource_classes WHERE id = 0 FOR UPDATE');
    await assertEmpty(connection);
    await write(connection, options);
    await connection.commit();
    // the server would look at them later by itself; until then it chooses as if the tables were empty
    await connection.query(`ANALYZE TABLE ${FILLED.join(', ')}`);
  } finally {
    // takes its settings with it, and rolls back what was not committed
    connection.destroy();
  }
}

async function assertEmpty(connection: Connection): Promise<void> {
  for (const table of ['resource_providers', 'inventories', 'consumers', 'allocations']) {
    const rows = await connection.query<unknown[]>(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length > 0)
      throw new Error(`the sample cloud is for an empty database, and this one has ${table}`);
  }
}

async function write(connection: Connection, { hosts, seed, onProgress }: SampleOptions): Promise<void> {
  const writer = await SampleWriter.open(connection);
  let added = 0;
  for (const { providers, consumers } of fleet({ hosts, seed })) {
    for (const provider of providers) writer.addProvider(provider);
    for (const consumer of consumers) writer.addConsumer(consumer);
    added += hostsOf(providers);
    if (writer.rows < ROWS_AT_ONCE) continue;
    await writer.flush();
    onProgress?.(`sample cloud: ${added} of ${hosts} hosts`);
  }
  await writer.flush();
}

/** All roots of a rack but its storage are hosts. */
function hostsOf(rack: readonly FleetProvider[]): number {
  return rack.filter(({ parentId }) => parentId === null).length - 1;
}

class SampleWriter {
  private inventoryId = 1;
  private consumerId = 1;
  private allocationId = 1;

  private constructor(
    private readonly classes: NamedRows,
    private readonly traits: NamedRows,
    private readonly aggregates: NamedRows,
    private readonly projects: NamedRows,
    private readonly users: NamedRows,
    private readonly types: NamedRows,
    /** In the order of writing: what is referred to comes first. */
    private readonly tables: {
      readonly providers: BulkInsert;
      readonly inventories: BulkInsert;
      readonly providerTraits: BulkInsert;
      readonly providerAggregates: BulkInsert;
      readonly consumers: BulkInsert;
      readonly allocations: BulkInsert;
    },
  ) {}

  static async open(connection: Connection): Promise<SampleWriter> {
    const into = (table: string, columns: string): BulkInsert => new BulkInsert(connection, table, columns);
    return new SampleWriter(
      await NamedRows.read(connection, 'resource_classes', 'name'),
      await NamedRows.read(connection, 'traits', 'name'),
      await NamedRows.read(connection, 'placement_aggregates', 'uuid'),
      await NamedRows.read(connection, 'projects', 'external_id'),
      await NamedRows.read(connection, 'users', 'external_id'),
      await NamedRows.read(connection, 'consumer_types', 'name'),
      {
        providers: into(
          'resource_providers',
          'id, uuid, name, generation, root_provider_id, parent_provider_id',
        ),
        inventories: into(
          'inventories',
          'id, resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio',
        ),
        providerTraits: into('resource_provider_traits', 'resource_provider_id, trait_id'),
        providerAggregates: into('resource_provider_aggregates', 'resource_provider_id, aggregate_id'),
        consumers: into('consumers', 'id, uuid, project_id, user_id, generation, consumer_type_id'),
        allocations: into('allocations', 'id, resource_provider_id, consumer_id, resource_class_id, used'),
      },
    );
  }

  /** Rows that wait to be written. */
  get rows(): number {
    return Object.values(this.tables).reduce((sum, table) => sum + table.rows, 0);
  }

  addProvider(provider: FleetProvider): void {
    const { id, uuid, name, generation, rootId, parentId } = provider;
    this.tables.providers.add(id, uuid, name, generation, rootId, parentId);
    for (const {
      resourceClass,
      total,
      reserved,
      minUnit,
      maxUnit,
      stepSize,
      allocationRatio,
    } of provider.inventories) {
      const classId = this.classes.idOf(resourceClass);
      const units = [minUnit, maxUnit, stepSize];
      this.tables.inventories.add(
        this.inventoryId++,
        id,
        classId,
        total,
        reserved,
        ...units,
        allocationRatio,
      );
    }
    for (const trait of provider.traits) this.tables.providerTraits.add(id, this.traits.idOf(trait));
    for (const aggregate of provider.aggregates) {
      this.tables.providerAggregates.add(id, this.aggregates.idOf(aggregate));
    }
  }

  addConsumer({ uuid, project, user, allocations }: FleetConsumer): void {
    const owner = [this.projects.idOf(project), this.users.idOf(user)];
    this.tables.consumers.add(this.consumerId++, uuid, ...owner, 1, this.types.idOf('INSTANCE'));
    for (const { providerId, resourceClass, used } of allocations) {
      this.tables.allocations.add(
        this.allocationId++,
        providerId,
        uuid,
        this.classes.idOf(resourceClass),
        used,
      );
    }
  }

  async flush(): Promise<void> {
    for (const names of [this.traits, this.aggregates, this.projects, this.users, this.types])
      await names.flush();
    for (const table of Object.values(this.tables)) await table.flush();
  }
}
