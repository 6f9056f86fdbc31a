import type { Database } from '../../src/store/database/database.js';
import { mapValues } from '../../src/model/collections.js';
import { insertRows, type Row } from './insertRows.js';

/** The numbers of parts of the large shapes. */
const SIZES = { chain: 5_000, children: 9_000, aggregates: 24_000, racks: 3, devices: 64 } as const;

/** A class that only the racks of devices have, so that claims of it affect nothing else. */
export const DEVICE = 'CUSTOM_DEVICE';

const KINDS = ['chain', 'wide', 'child', 'joined', 'aggregate', 'rack', 'device', 'odd', 'consumer'] as const;

/** Returns the uuid of one of the shapes. The only shape of a kind has number 0. */
export function shapeUuid(kind: (typeof KINDS)[number], number = 0): string {
  return `0dd50000-0000-4000-8${String(KINDS.indexOf(kind)).padStart(3, '0')}-${String(number).padStart(12, '0')}`;
}

/**
 * Adds providers of shapes that no ordinary cloud has: a chain of thousands of levels, thousands of
 * children of one parent, thousands of aggregates of one provider, racks of many equal devices, and
 * providers that are bare, full, over-allocated and sharing. Call it before a server loads the
 * fleet, because it does not record the changes in the feed. A second call adds nothing.
 */
export async function addOddShapes(database: Pick<Database, 'pool'>): Promise<void> {
  const { pool } = database;
  const known = await pool.query<object[]>('SELECT 1 FROM resource_providers WHERE uuid = ?', [
    shapeUuid('chain'),
  ]);
  if (known.length > 0) return;
  const after = async (table: string, least = 1): Promise<number> => {
    const [{ next }] = await pool.query<{ next: number | bigint }[]>(
      `SELECT COALESCE(MAX(id), 0) + 1 AS next FROM ${table}`,
    );
    return Math.max(least, Number(next));
  };
  const idOf = async (table: string, name: string): Promise<number> => {
    const [{ id }] = await pool.query<{ id: number }[]>(`SELECT id FROM ${table} WHERE name = ?`, [name]);
    return id;
  };

  const deviceClass = await after('resource_classes', 10_000);
  await insertRows(database, 'resource_classes', 'id, name', [[deviceClass, DEVICE]]);
  const [vcpu, disk] = [await idOf('resource_classes', 'VCPU'), await idOf('resource_classes', 'DISK_GB')];
  const sharing = await idOf('traits', 'MISC_SHARES_VIA_AGGREGATE');
  const [projects, users] = [await after('projects'), await after('users')];
  const shapes = new Shapes(await after('resource_providers'), await after('placement_aggregates'));
  shapes.rows.projects.push([projects, 'odd']);
  shapes.rows.users.push([users, 'odd']);
  shapes.addTrees(deviceClass, vcpu);
  shapes.addAggregates();
  shapes.addUse(vcpu, disk, sharing, await after('consumers'), [projects, users]);
  for (const [table, columns] of Object.entries(COLUMNS))
    await insertRows(database, table, columns, shapes.rows[table as keyof typeof COLUMNS]);
  await pool.query('ANALYZE TABLE resource_providers, resource_provider_aggregates, placement_aggregates');
}

/** The tables of the shapes, in the order of insertion. */
const COLUMNS = {
  projects: 'id, external_id',
  users: 'id, external_id',
  resource_providers: 'id, uuid, name, generation, root_provider_id, parent_provider_id',
  placement_aggregates: 'id, uuid',
  resource_provider_aggregates: 'resource_provider_id, aggregate_id',
  resource_provider_traits: 'resource_provider_id, trait_id',
  inventories:
    'resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio',
  consumers: 'id, uuid, project_id, user_id, generation',
  allocations: 'resource_provider_id, consumer_id, resource_class_id, used',
};

class Shapes {
  readonly rows = mapValues(COLUMNS, (): Row[] => []);

  constructor(
    private nextProvider: number,
    private readonly firstAggregate: number,
  ) {}

  addTrees(deviceClass: number, vcpu: number): void {
    let [root, parent] = [0, null as number | null];
    for (let number = 0; number < SIZES.chain; number++) {
      parent = this.add('chain', number, parent, root);
      if (number === 0) root = parent;
    }
    const wide = this.add('wide', 0);
    for (let number = 0; number < SIZES.children; number++) this.add('child', number, wide, wide);
    for (let rack = 0; rack < SIZES.racks; rack++) {
      const place = this.add('rack', rack);
      this.stock(place, vcpu, 1_000);
      for (let number = 0; number < SIZES.devices; number++)
        this.stock(this.add('device', rack * SIZES.devices + number, place, place), deviceClass, 4);
    }
  }

  addAggregates(): void {
    const [joined, neighbour] = [this.add('joined', 0), this.add('joined', 1)];
    for (let number = 0; number < SIZES.aggregates; number++) {
      this.rows.placement_aggregates.push([this.firstAggregate + number, shapeUuid('aggregate', number)]);
      for (const member of [joined, neighbour])
        this.rows.resource_provider_aggregates.push([member, this.firstAggregate + number]);
    }
  }

  /** Adds a bare provider, a full one, an over-allocated one, and storage that they share. */
  addUse(vcpu: number, disk: number, sharing: number, firstConsumer: number, owner: readonly number[]): void {
    const [bare, full, over, storage] = [0, 1, 2, 3].map((number) => this.add('odd', number));
    this.stock(full, vcpu, 8);
    this.stock(over, vcpu, 8);
    this.stock(storage, disk, 100);
    this.rows.resource_provider_traits.push([storage, sharing]);
    const common = this.firstAggregate + SIZES.aggregates;
    this.rows.placement_aggregates.push([common, shapeUuid('aggregate', SIZES.aggregates)]);
    for (const member of [bare, full, over, storage])
      this.rows.resource_provider_aggregates.push([member, common]);
    for (const provider of [full, over, over]) {
      const { length } = this.rows.consumers;
      const consumer = shapeUuid('consumer', length);
      this.rows.consumers.push([firstConsumer + length, consumer, ...owner, 1]);
      this.rows.allocations.push([provider, consumer, vcpu, 8], [storage, consumer, disk, 10]);
    }
  }

  private add(kind: (typeof KINDS)[number], number: number, parent: number | null = null, root = 0): number {
    const id = this.nextProvider++;
    this.rows.resource_providers.push([
      id,
      shapeUuid(kind, number),
      `${kind}-${number}`,
      1,
      root || id,
      parent,
    ]);
    return id;
  }

  private stock(provider: number, resourceClass: number, total: number): void {
    this.rows.inventories.push([provider, resourceClass, total, 0, 1, total, 1, 1]);
  }
}
