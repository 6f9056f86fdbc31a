import { beforeAll, describe, expect, test } from '@jest/globals';
import { LiveSnapshot } from '../../src/store/live/liveSnapshot.js';
import {
  CHECKSUM_KINDS,
  checksumsIn,
  differing,
  readChecksums,
  type ChecksumKind,
} from '../../src/store/external/checksums.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { Random } from '../oracle/random.js';
import { useDatabase } from '../support/useDatabase.js';

const ours = useDatabase();

const NUMBERS = "FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) numbers";
const numbers = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, at) => at + 1));

/** Inserts root providers without inventories. */
async function insertProviders(count: number): Promise<void> {
  await ours.pool.query(
    `INSERT INTO resource_providers (uuid, name, generation) SELECT UUID(), UUID(), n ${NUMBERS}`,
    [numbers(count)],
  );
  await ours.pool.query('UPDATE resource_providers SET root_provider_id = id');
}

const PROVIDERS = 200;
const SWAPS = 60;
const RANGE = { after: 0, last: 100_000 };

describe('checksums find every swap of two rows of one range', () => {
  beforeAll(async () => {
    await insertProviders(PROVIDERS);
    await ours.pool.query(`INSERT INTO placement_aggregates (uuid) SELECT UUID() ${NUMBERS}`, [
      numbers(PROVIDERS),
    ]);
    for (const sql of [
      `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)
         SELECT p.id, a.id FROM resource_providers p JOIN placement_aggregates a ON a.id = 201 - p.generation`,
      `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
         SELECT id, 0, 1000, 0, 1, 1000, 1, 1 FROM resource_providers`,
      `INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)
         SELECT id, 0, UUID(), generation FROM resource_providers`,
    ])
      await ours.pool.query(sql);
  });

  test.each<[kind: ChecksumKind, table: string, key: string, column: string]>([
    ['providers', 'resource_provider_aggregates', 'resource_provider_id', 'aggregate_id'],
    ['providers', 'resource_providers', 'id', 'name'],
    ['providers', 'resource_providers', 'id', 'generation'],
    ['usage', 'allocations', 'resource_provider_id', 'used'],
  ])('%s, %s', async (kind, table, key, column) => {
    const { blocks } = await new LiveSnapshot(ours).current();
    const known = checksumsIn(blocks, kind, RANGE);
    expect(differing(await readChecksums(ours.pool, kind, RANGE), known)).toEqual([]);
    const rows = await ours.pool.query<{ id: number; value: unknown }[]>(
      `SELECT ${key} AS id, ${column} AS value FROM ${table} ORDER BY ${key}`,
    );
    const random = new Random(1);
    const missed: unknown[] = [];
    const set = (id: number, value: unknown): Promise<unknown> =>
      ours.pool.query(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, [value, id]);
    for (let swaps = 0; swaps < SWAPS; swaps++) {
      const [one, other] = [random.pick(rows), random.pick(rows)];
      if (one === other || one.id >> 8 !== other.id >> 8) continue;
      const temporary = typeof one.value === 'string' ? 'temporary' : one.value;
      await set(one.id, temporary);
      await set(other.id, one.value);
      await set(one.id, other.value);
      if (differing(await readChecksums(ours.pool, kind, RANGE), known).length === 0)
        missed.push([one, other]);
      await set(one.id, temporary);
      await set(other.id, other.value);
      await set(one.id, one.value);
    }
    expect(missed).toEqual([]);
  });
});

test('the pauses of the first pass over 60,000 providers of 10,000 hosts leave a quarter of the promised time', async () => {
  await insertProviders(60_000);
  const live = new LiveSnapshot(ours);
  await live.current();
  const settings = { seenWithin: 2_000 };
  const stillClock = { now: () => 0, elapsed: () => 0 }; // as if comparing took no time
  const comparing = new Reconciliation(ours, live, fail, settings, stillClock);
  for (const kind of CHECKSUM_KINDS) {
    const begun = process.cpuUsage(); // which does not depend on other programs
    const pauses = [comparing.firstPause, await comparing.step(kind)];
    await comparing.step(kind);
    expect(pauses).toEqual([750, 750]);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
  }
});

function fail(error: unknown): never {
  throw error;
}
