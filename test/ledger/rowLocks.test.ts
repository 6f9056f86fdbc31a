import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PoolConnection } from 'mariadb';
import { kindSet } from '../../src/model/recordedChanges.js';
import { writeAllocations } from '../../src/store/ledger/allocation/allocationRows.js';
import { bumpConsumers, deleteConsumers } from '../../src/store/ledger/allocation/consumerRows.js';
import { AUDIT_RULES } from '../../src/store/audit/rules.js';
import {
  markChanged,
  clearNames,
  removeProviders,
  renameProviders,
  setParents,
  setRoot,
} from '../../src/store/ledger/provider/providerRows.js';
import { writeInventories } from '../../src/store/ledger/inventory/inventoryRows.js';
import { writeLinks, type LinkTable } from '../../src/store/ledger/provider/links.js';
import { lockRows, inTransaction, type Transaction } from '../../src/store/ledger/transaction.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

/** The id of a resource class that does not exist, so that the audit repairs each inventory. */
const UNKNOWN_CLASS = 5000;
const CUSTOM_CLASSES = 10_000;

const uuidOf = (id: number): string => `00000000-0000-0000-0000-${String(id).padStart(12, '0')}`;
const traitOf = (id: number): number => (id % 7) + 1;

/** The rows with the id N of all tables belong to the provider N. */
async function fill({ pool }: TestDatabase, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const insert = (table: string, names: string, row: (id: number) => readonly unknown[]): Promise<unknown> =>
    pool.query(`INSERT INTO ${table} (${names}) VALUES ${ids.map(() => '(?)').join(', ')}`, ids.map(row));
  await insert('resource_providers', 'id, uuid, name, generation', (id) => [id, uuidOf(id), `host-${id}`, 0]);
  await pool.query('UPDATE resource_providers SET root_provider_id = id');
  await insert(
    'inventories',
    'id, resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio',
    (id) => [id, id, UNKNOWN_CLASS, 8, 0, 1, 8, 1, 1],
  );
  await insert('allocations', 'id, resource_provider_id, consumer_id, resource_class_id, used', (id) => [
    id,
    id,
    uuidOf(id),
    0,
    1,
  ]);
  await insert('resource_provider_traits', 'trait_id, resource_provider_id', (id) => [traitOf(id), id]);
  await insert('resource_provider_aggregates', 'resource_provider_id, aggregate_id', (id) => [id, id]);
  await insert('consumers', 'id, uuid, project_id, user_id', (id) => [id, uuidOf(id), 1, 1]);
  await insert('resource_classes', 'id, name', (id) => [CUSTOM_CLASSES + id, `CUSTOM_${id}`]);
}

interface LockingWrite {
  /** The tables whose rows the write locks. */
  readonly tables: readonly string[];
  readonly write: (tx: Transaction, ids: readonly number[]) => Promise<unknown> | void;
}

const storedProvider = (id: number) => ({
  id,
  uuid: uuidOf(id),
  name: `host-${id}`,
  generation: 0,
  rootId: id,
  parentId: null,
});
const inventoryOf = (id: number) => ({
  ...{ id, providerId: id, classId: UNKNOWN_CLASS, total: 8, reserved: 0 },
  ...{ minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 1, hasCounters: 0 },
});
const links = (table: LinkTable, targetOf: (id: number) => number): LockingWrite => ({
  tables: [table],
  write: (tx, ids) =>
    writeLinks(tx, table, {
      removed: ids.map((id) => ({ providerId: id, targetId: targetOf(id) })),
      added: [],
    }),
});

const WRITES: Readonly<Record<string, LockingWrite>> = {
  markChanged: {
    tables: ['resource_providers'],
    write: (tx, ids) => markChanged(tx, ids.map(storedProvider), kindSet('USAGE')),
  },
  'markChanged with steps': {
    tables: ['resource_providers'],
    write(tx, ids) {
      const providers = ids.map(storedProvider);
      markChanged(tx, providers, kindSet('USAGE'), new Map(providers.map((each) => [each, 2])));
    },
  },
  'lockRows of providers': {
    tables: ['resource_providers'],
    write: (tx, ids) => lockRows(tx, 'resource_providers', ids),
  },
  'lockRows of classes': {
    tables: ['resource_classes'],
    write: async (tx, ids) => {
      const classes = ids.map((id) => CUSTOM_CLASSES + id);
      expect(await lockRows(tx, 'resource_classes', classes)).toBe(ids.length);
    },
  },
  setParents: {
    tables: ['resource_providers'],
    write: (tx, [root, ...ids]) =>
      setParents(
        tx,
        [root, ...ids].map((id) => ({ id, parentId: id === root ? null : root, rootId: root })),
      ),
  },
  setRoot: { tables: ['resource_providers'], write: (tx, ids) => setRoot(tx, ids, ids[0]) },
  renameProviders: {
    tables: ['resource_providers'],
    write: (tx, ids) =>
      renameProviders(
        tx,
        ids.map((id) => ({ id, name: `new-${id}` })),
      ),
  },
  clearNames: { tables: ['resource_providers'], write: clearNames },
  removeProviders: {
    tables: ['resource_providers', 'inventories', 'resource_provider_traits', 'resource_provider_aggregates'],
    write: (tx, ids) => removeProviders(tx, ids.map(storedProvider)),
  },
  writeAllocations: {
    tables: ['allocations'],
    write: (tx, ids) =>
      writeAllocations(tx, {
        removed: ids.map((id) => ({ id, consumer: uuidOf(id), providerId: id, classId: 0, used: 1 })),
        added: [],
      }),
  },
  writeInventories: {
    tables: ['inventories'],
    write: (tx, ids) => writeInventories(tx, { removed: ids.map(inventoryOf), written: [], newClassIds: [] }),
  },
  'writeInventories again': {
    tables: ['inventories'],
    write: (tx, ids) => writeInventories(tx, { removed: [], written: ids.map(inventoryOf), newClassIds: [] }),
  },
  'writeLinks of traits': links('resource_provider_traits', traitOf),
  'writeLinks of aggregates': links('resource_provider_aggregates', (id) => id),
  bumpConsumers: {
    tables: ['consumers'],
    write: (tx, ids) =>
      bumpConsumers(
        tx,
        ids.map((id) => ({ id, generation: 0 })),
      ),
  },
  deleteConsumers: {
    tables: ['consumers'],
    write: (tx, ids) =>
      deleteConsumers(
        tx,
        ids.map((id) => ({ id, generation: 0, uuid: uuidOf(id), projectId: 1 })),
      ),
  },
  'the repair of unknown references': {
    tables: ['inventories', 'resource_provider_aggregates', 'resource_providers'],
    async write(tx, ids) {
      const repaired = new Set<number>();
      for (const { check, repair } of AUDIT_RULES) {
        if (check !== 'UNKNOWN_REFERENCE' || repair === undefined) continue;
        const keys = await repair(
          tx,
          ids.map((id) => [id, id]),
        );
        for (const [id] of keys) repaired.add(id);
      }
      expect([...repaired].sort((a, b) => a - b)).toEqual(ids);
    },
  },
};

/** The key of the row of a provider in a table. */
function keyIn(table: string, id: number): string {
  if (table === 'resource_classes') return `id = ${CUSTOM_CLASSES + id}`;
  if (table === 'resource_provider_traits')
    return `trait_id = ${traitOf(id)} AND resource_provider_id = ${id}`;
  return table === 'resource_provider_aggregates'
    ? `resource_provider_id = ${id} AND aggregate_id = ${id}`
    : `id = ${id}`;
}

class Undone extends Error {}

// small tables, because both databases scan a table if the list names many of its rows
describe.each([
  { count: 60, lengths: [1, 20, 50] },
  { count: 1100, lengths: [1000] },
])('a write beside $count rows in all', ({ count, lengths }) => {
  let database: TestDatabase;
  let other: PoolConnection;

  beforeAll(async () => {
    database = await testDatabase();
    await fill(database, count);
    other = await database.pool.getConnection();
  });
  afterAll(async () => {
    await other.release();
    await database.close();
  });

  const [locked, free] = [Math.ceil(count / 2), Math.ceil(count / 2) + 1];
  const among = Array.from({ length: count }, (_, index) => index + 1).filter(
    (id) => id !== locked && id !== free,
  );

  /** Runs a write beside a locked row, checks that it has locked no other row, and rolls it back. */
  async function run({ tables, write }: LockingWrite, length: number): Promise<void> {
    const ids = Array.from({ length }, (_, index) => among[Math.floor((index * among.length) / length)]);
    const lock = (id: number): Promise<unknown[]> =>
      Promise.all(
        tables.map((table) =>
          other.query(`SELECT 1 FROM ${table} WHERE ${keyIn(table, id)} FOR UPDATE NOWAIT`),
        ),
      );
    await other.beginTransaction();
    await lock(locked);
    const writing = inTransaction(
      database.ledger,
      async (tx) => {
        await tx.query('SET innodb_lock_wait_timeout = 1');
        await write(tx, ids);
        await tx.query('SELECT 1'); // waits for what was sent
        await lock(free);
        throw new Undone();
      },
      { length: 0, end: 0 },
    );
    const end = await writing.catch((error: unknown) => error);
    await other.rollback();
    expect(end).toBeInstanceOf(Undone);
  }

  describe.each(lengths)('of %i', (length) => {
    test.each(Object.entries(WRITES))('%s waits for no row outside of its list', (_, write) =>
      run(write, length),
    );
  });
});

test('every UPDATE and DELETE of the ledger begins in that way', () => {
  const folder = join(import.meta.dirname, '../../src/store/ledger');
  const others = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    if (!file.endsWith('.ts')) return [];
    const text = readFileSync(join(folder, file), 'utf8');
    return text.match(/['"`](UPDATE|DELETE) .*|(updateTable|deleteFrom)\(.*/g) ?? [];
  });
  expect(others).toEqual([]);
});
