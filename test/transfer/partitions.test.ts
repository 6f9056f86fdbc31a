import { afterAll, expect, test } from '@jest/globals';
import { adopt, undoAdoption } from '../../src/tools/adoption/adopt.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { readAudit } from '../../src/store/audit/audit.js';
import { fingerprint, tableNames } from '../adopt/placementDatabase.js';
import { startBackup, startRestore, temporaryFolder } from '../backup/backups.js';
import {
  allocationsOf,
  consumptionOf,
  createClasses,
  freeAmount,
  newHost,
  placed,
  wants,
  wrongCounters,
  type NewHost,
} from '../ledger/partitionSupport.js';
import { endOf } from '../ledger/support.js';
import { openProcess, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { ended, OTHERS, rowsOf, startExport, startImport, useDatabases } from './transferSupport.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const { ours, empty, placement } = useDatabases();

const UTF8MB4 = 'utf8mb4 COLLATE utf8mb4_unicode_ci';

async function adopted(): Promise<TestDatabase> {
  const database = await placement(['newest'], UTF8MB4);
  await adopt(database);
  await migrate(database);
  return database;
}

interface Filled {
  readonly database: TestDatabase;
  readonly host: NewHost;
  readonly consumer: string;
}

/** Writes a host with two cards, and a consumer with two partitions of one of them. */
async function filled(database: TestDatabase): Promise<Filled> {
  await createClasses(database);
  const host = await newHost(database, 2);
  const consumer = await placed(database, {
    [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 },
    [host.uuid('gpu0-1g-3')]: { CUSTOM_1G: 1 },
  });
  return { database, host, consumer };
}

/** Expects that a copy of the database counts what the partitions consume, also in its next writes. */
async function expectCopied({ database, host, consumer }: Filled, copy: ProcessDatabase): Promise<void> {
  const rows = await rowsOf(database, ['placement_consumptions']);
  expect(rows.placement_consumptions).toHaveLength(38);
  expect(await rowsOf(copy, ['placement_consumptions'])).toEqual(rows);
  const part = host.uuid('gpu0-2g-0');
  expect(await consumptionOf(copy, part)).toEqual(await consumptionOf(database, part));
  const free = (name: string) =>
    freeAmount(copy, host.uuid(name), `CUSTOM_${name.split('-')[1].toUpperCase()}`);
  const names = ['gpu0-1g-1', 'gpu0-1g-2', 'gpu0-2g-2', 'gpu0-4g-0', 'gpu1-4g-0'];
  expect(await Promise.all(names.map(free))).toEqual([0, 1, 0, 0, 1]);
  expect(await endOf(placed(copy, { [host.uuid('gpu0-2g-2')]: { CUSTOM_2G: 1 } }))).toBe('CAPACITY_EXCEEDED');
  await setAllocations(copy.claims, {
    consumers: [wants(consumer, 1, { [host.uuid('gpu0-1g-3')]: { CUSTOM_1G: 1 } })],
  });
  expect(await allocationsOf(copy, consumer)).toEqual(
    host.lines('gpu0 CUSTOM_COMPUTE 1', 'gpu0 CUSTOM_MEM_3 1', 'gpu0-1g-3 CUSTOM_1G 1'),
  );
  await placed(copy, { [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 } });
  expect(await wrongCounters(copy)).toEqual([]);
  const page = { after: null, limit: 10 };
  expect(await readAudit(copy, ['LOST_COUNTER', 'MISSING_CONSUMPTION', 'UNKNOWN_REFERENCE'], page)).toEqual(
    [],
  );
}

test('a restored database has what partitions consume', async () => {
  const source = await filled(await ours());
  const file = folder.path('partitions');
  expect((await ended(startBackup(source.database, file))).code).toBe(0);
  const target = await empty();
  const { code, lines } = await ended(startRestore(target, file));
  expect([code, lines.at(-1)]).toEqual([0, 'the database is restored, and equal to the backup']);
  expect(lines).toContainEqual(
    expect.stringMatching(/^equal: placement_consumptions: rows 38; checksum \d+$/),
  );
  await expectCopied(source, target);
});

test('an import of an adopted database has what partitions consume', async () => {
  const source = await filled(await adopted());
  const target = await ours();
  const { code, lines } = await ended(startImport(source.database, target));
  expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
  await expectCopied(source, target);
});

test('an export to an adopted database has what partitions consume, also for a server that runs there', async () => {
  const source = await filled(await ours());
  const target = await adopted();
  const running = openProcess(target.url);
  try {
    expect((await running.snapshots.current()).blocks).toEqual([]);
    const dry = await ended(startExport(source.database, target, '--dry-run'));
    expect([dry.code, dry.lines.at(-1)]).toEqual([0, 'nothing is changed']);
    expect(dry.lines).toContainEqual(expect.stringMatching(/^would copy placement_consumptions: rows 38;/));
    const { code, lines } = await ended(startExport(source.database, target));
    expect([code, lines.at(-1)]).toEqual([0, 'the copy is equal to the source']);
    expect(lines.filter((line) => line.startsWith('not copied'))).toEqual([]);
    await expectCopied(source, running);
  } finally {
    await running.close();
  }
});

test('an export to OpenStack Placement has the allocations of counters, and reports what it does not copy', async () => {
  const { database, host, consumer } = await filled(await ours());
  await database.pool.query(
    "INSERT INTO placement_aggregate_names (aggregate_uuid, name, created_at) VALUES (UUID(), 'rack', NOW())",
  );
  const target = await placement(['newest'], UTF8MB4);
  const { code, lines } = await ended(startExport(database, target));
  expect(code).toBe(0);
  expect(lines.filter((line) => /not copied|adopt/.test(line))).toEqual([
    'not copied: 38 amounts that partitions consume: OpenStack Placement offers partitions that overlap',
    'not copied: 1 names of aggregates',
    '`placement-graphql adopt` on the target before the export copies these, too',
  ]);
  expect(await allocationsOf(target, consumer)).toEqual(await allocationsOf(database, consumer));
  expect(await rowsOf(target, OTHERS)).toEqual(await rowsOf(database, OTHERS));
  // adopted later, it has no partitions: a reshape makes them again
  await adopt(target);
  await migrate(target);
  expect(await consumptionOf(target, host.uuid('gpu0-2g-0'))).toEqual([]);
  expect(await freeAmount(target, host.uuid('gpu0'), 'CUSTOM_MEM_1')).toBe(0);
});

test('an export is rejected by a target whose adoption was interrupted or is of an older version', async () => {
  const source = await ours();
  const [interrupted, older] = [await adopted(), await adopted()];
  await interrupted.pool.query('UPDATE _prisma_migrations SET finished_at = NULL');
  await older.pool.query('DROP TABLE placement_consumptions');
  const lastLine = async (target: TestDatabase) => {
    const { code, lines } = await ended(startExport(source, target));
    return [code, lines.at(-1)];
  };
  expect(await lastLine(interrupted)).toEqual([
    1,
    'the target has tables of this program, but no adoption of it has ended: run `adopt` on it',
  ]);
  expect(await lastLine(older)).toEqual([
    1,
    'the target lacks the column placement_consumptions.provider_id: run `migrate` of this version on it',
  ]);
});

test('adopt --undo removes what partitions consume, and leaves the allocations of their counters', async () => {
  const { database, consumer } = await filled(await adopted());
  const allocations = await allocationsOf(database, consumer);
  const names = (await tableNames(database.pool)).filter((name) => OTHERS.includes(name));
  const before = await fingerprint(database, names);
  database.stop(); // its feed would renew its lease
  expect(await undoAdoption(database)).toContain('placement_consumptions');
  expect(await tableNames(database.pool)).not.toContain('placement_consumptions');
  expect(await fingerprint(database, names)).toEqual(before);
  expect(await allocationsOf(database, consumer)).toEqual(allocations);
  await adopt(database);
  expect(await database.pool.query('SELECT * FROM placement_consumptions')).toEqual([]);
});
