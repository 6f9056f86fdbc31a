import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/database/database.js';
import { EPOCH_TABLE } from '../../src/database/backup/storedState.js';
import { deleteAllocations, setAllocations } from '../../src/ledger/allocation/allocations.js';
import { createTrait, setTraits } from '../../src/ledger/provider/traits.js';
import { createProvider, deleteProvider, updateProvider } from '../../src/ledger/provider/providers.js';
import { setInventories } from '../../src/ledger/inventory/inventories.js';
import { createProcess, type Process } from '../../src/process/process.js';
import { NO_LOG, type Log } from '../../src/runtime/observation/log.js';
import { FileLoad } from '../../src/snapshot/file/loadFile.js';
import type { FleetSnapshot } from '../../src/snapshot/model/fleetSnapshot.js';
import { loadSnapshot } from '../../src/snapshot/load.js';
import { Random } from '../oracle/random.js';
import { randomForest } from '../oracle/randomForest.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { SEED } from '../support/fastCheck.js';
import { loadForest } from '../support/loadForest.js';
import { pictureOf } from '../support/snapshotPicture.js';

let ours: TestDatabase;
let directory: string;
let path: string;
let running: Server[] = [];

interface Server {
  readonly process: Process;
  /** What it has logged, each line with its reason. */
  readonly lines: string[];
  readonly reported: string[];
  readonly database: Database;
}

beforeEach(async () => {
  ours = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'kept-'));
  path = join(directory, 'fleet.snapshot');
  running = [];
});

afterEach(async () => {
  for (const server of running) await killed(server);
  await ours.close();
  await rm(directory, { recursive: true });
});

/** A process that keeps its snapshot in the file. @param early does something before it has its parts, while the file is being read */
async function started(url = ours.url, early?: (load: FileLoad) => Promise<void>): Promise<Server> {
  const lines: string[] = [];
  const reported: string[] = [];
  const log: Log = {
    ...NO_LOG,
    info: ({ reason = '' }, line) => lines.push(`${line} ${String(reason)}`.trim()),
  };
  const database = openDatabase(url);
  const fileLoad = early === undefined ? null : FileLoad.beginEarly(database, path);
  if (fileLoad !== null) await early!(fileLoad);
  const process = createProcess(database, {
    log,
    fileLoad,
    report: (error, during) => reported.push(`${during}: ${String(error)}`),
    snapshotFile: path,
  });
  const server = { process, lines, reported, database };
  running.push(server);
  await process.start();
  return server;
}

/** Ends as one that crashes does: without a last write. */
async function killed({ process, database }: Server): Promise<void> {
  process.stop();
  await database.close();
}

async function stopped(server: Server): Promise<void> {
  server.process.stop();
  await server.process.keepSnapshot();
  await server.database.close();
  expect(server.reported).toEqual([]);
}

const FROM_FILE = ['the snapshot was in its file'];
const notUsed = (reason: string): unknown[] => [
  expect.stringContaining(`the snapshot in its file is not used ${reason}`),
];

const currentOf = async ({ process: { snapshots } }: Server): Promise<FleetSnapshot> =>
  (await snapshots.current()) as FleetSnapshot;

/** What a process that starts now has, which must be what a full load gives. */
async function expectTrue(server: Server): Promise<void> {
  const snapshot = await currentOf(server);
  const { snapshot: full } = await loadSnapshot(ours);
  expect(pictureOf(snapshot)).toEqual(pictureOf(full));
  expect(snapshot.fingerprints(0, 2 ** 31 - 1)).toEqual(full.fingerprints(0, 2 ** 31 - 1));
  expect([...snapshot.names.traits.entries()]).toEqual([...full.names.traits.entries()]);
}

const inventory = (total: number) => ({
  ...{ resourceClass: 'VCPU', total, reserved: 0, minUnit: 1, maxUnit: 100, stepSize: 1, allocationRatio: 1 },
});

async function provider(name: string, parent: string | null = null): Promise<string> {
  const uuid = randomUUID();
  await createProvider(ours.ledger, { name, uuid, parent });
  await setInventories(ours.ledger, { resourceProvider: uuid, generation: 0, inventories: [inventory(10)] });
  return uuid;
}

async function claim(resourceProvider: string, amount: number): Promise<string> {
  const consumer = randomUUID();
  const resources = [{ resourceClass: 'VCPU', amount }];
  const owner = { consumer, consumerGeneration: null, projectId: 'p', userId: 'u' };
  await setAllocations(ours.claims, {
    consumers: [{ ...owner, allocations: [{ resourceProvider, resources }] }],
  });
  return consumer;
}

test('of random fleets, changed with the feed and without it while nobody runs, the next process has all', async () => {
  const random = new Random(SEED);
  await stopped(await started());
  for (let round = 0; round < 12; round++) {
    await loadForest(ours, randomForest(random));
    const server = await started();
    expect(server.lines).toEqual(FROM_FILE);
    await expectTrue(server);
    await rm(path, { force: true }); // which is fresh
    await stopped(server);
    // what a program that writes no feed may change
    await ours.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE RAND() < 0.3');
    await ours.pool.query("UPDATE resource_providers SET name = CONCAT(name, '+') WHERE RAND() < 0.2");
    await ours.pool.query('DELETE FROM allocations WHERE RAND() < 0.3');
    const next = await started();
    expect(next.lines).toEqual(FROM_FILE);
    await expectTrue(next);
    await rm(path, { force: true });
    await stopped(next);
  }
});

test('every kind of write between the writing and the reading is seen, and a crash leaves the file before', async () => {
  const [first, second] = [await provider('first'), await provider('second')];
  const child = await provider('child', first);
  const consumer = await claim(first, 3);
  await stopped(await started());
  await claim(second, 4);
  await deleteAllocations(ours.claims, { consumer });
  await createTrait(ours.ledger, { name: 'CUSTOM_NEW' });
  await setTraits(ours.ledger, { resourceProvider: second, generation: 2, traits: ['CUSTOM_NEW'] });
  await updateProvider(ours.ledger, { resourceProvider: child, name: 'renamed', parent: second });
  const crashing = await started();
  expect(crashing.lines).toEqual(FROM_FILE);
  await expectTrue(crashing);
  const mine = crashing.process;
  await createProvider(mine.ledger, { name: 'third' });
  await deleteProvider(mine.ledger, { resourceProvider: child });
  await killed(crashing);
  const server = await started();
  expect(server.lines).toEqual(FROM_FILE);
  await expectTrue(server);
});

test('the first answer has what other programs wrote while no server ran: supply, use, places, names', async () => {
  const [first, second] = [await provider('first'), await provider('second')];
  const child = await provider('child', first);
  await claim(first, 3);
  await stopped(await started());
  await ours.pool.query('UPDATE inventories SET total = 77');
  await ours.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE uuid = ?', [first]);
  await ours.pool.query('DELETE FROM allocations');
  await ours.pool.query(
    "UPDATE resource_providers SET name = 'moved', parent_provider_id = NULL, root_provider_id = id WHERE uuid = ?",
    [child],
  );
  await ours.pool.query("INSERT INTO traits (name) VALUES ('CUSTOM_FOREIGN')");
  const server = await started();
  expect(server.lines).toEqual(FROM_FILE);
  const snapshot = await currentOf(server);
  const at = snapshot.locate(first)!;
  expect(at.block.used[at.block.inventoryStarts[at.row]]).toBe(0);
  expect(at.block.capacities[at.block.inventoryStarts[at.row]]).toBe(77);
  expect(snapshot.traits.idOf('CUSTOM_FOREIGN')).toBeDefined();
  const [moved, kept] = [snapshot.locate(child)!, snapshot.locate(second)!];
  expect(moved.block.parents[moved.row]).toBe(-1);
  expect(moved.block.names[moved.row]).toBe('moved');
  expect(kept.block.names[kept.row]).toBe('second');
});

test('providers whose ids lie far apart are all compared', async () => {
  const ids = [1, 131_072, 131_073, 400_000, 2_000_000_000, 2 ** 31 - 1];
  await ours.pool.batch(
    'INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id) VALUES (?, ?, ?, 0, ?)',
    ids.map((id) => [id, randomUUID(), `provider ${id}`, id]),
  );
  await stopped(await started());
  for (const id of ids) {
    await ours.pool.query('UPDATE resource_providers SET generation = generation + 1 WHERE id = ?', [id]);
    const server = await started();
    expect(server.lines).toEqual(FROM_FILE);
    await expectTrue(server);
    await killed(server);
  }
});

test('without a file, and with a damaged one, the database is read, and the file replaced when the process ends', async () => {
  const uuid = await provider('first');
  const first = await started();
  expect(first.lines).toEqual([]);
  await stopped(first);
  const written = await readFile(path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  written[written.length - 40] ^= 1;
  await rm(path);
  await writeFile(path, written);
  const second = await started();
  expect(second.lines).toEqual(notUsed('it is damaged'));
  await claim(uuid, 1);
  await expectTrue(second);
  await rm(path); // else it is too fresh to be replaced
  await stopped(second);
  expect((await started()).lines).toEqual(FROM_FILE);
});

test.each([
  ['it is too old', 'UPDATE placement_feed_changes SET created_at = created_at - INTERVAL 20 MINUTE'],
  ['it is too old', 'UPDATE placement_feed_changes SET created_at = created_at + INTERVAL 1 MINUTE'],
  ['it is too old, of another database', 'DELETE FROM placement_feed_changes'],
  [
    'it is too old, of another database',
    'UPDATE placement_feed_changes SET root_id = root_id - 1 WHERE root_id > 0',
  ],
  ['the database was restored', `INSERT INTO ${EPOCH_TABLE} VALUES (7, UTC_TIMESTAMP())`],
])('where %s (%s), the database is read', async (reason, sql) => {
  await provider('first');
  await stopped(await started());
  await ours.pool.query(sql);
  const server = await started();
  expect(server.lines).toEqual(notUsed(reason));
  await expectTrue(server);
});

test('where too much was written since, the database is read', async () => {
  await provider('first');
  await stopped(await started());
  await ours.pool.query(
    `INSERT INTO placement_feed_changes (writer_id, seq, provider_id, settled, created_at)
     SELECT 1000, seq, -1, 1, UTC_TIMESTAMP() FROM JSON_TABLE(?, '$[*]' COLUMNS (seq int PATH '$')) numbers`,
    [JSON.stringify(Array.from({ length: 50_001 }, (_, n) => n + 1))],
  );
  const server = await started();
  expect(server.lines).toEqual(notUsed('too much has changed since'));
  await expectTrue(server);
});

describe('read before the process has its parts, it', () => {
  const RENAME = "UPDATE resource_providers SET name = CONCAT(name, '+')";

  test('has what was written before without the feed, and with it until the process starts', async () => {
    const uuid = await provider('first');
    await stopped(await started());
    await ours.pool.query(RENAME);
    const server = await started(ours.url, async (load) => {
      expect(await load.isUsable()).toBe(true);
      await claim(uuid, 3);
    });
    expect(server.lines).toEqual(FROM_FILE);
    await expectTrue(server);
  });

  test('is read again after a while, with what was written meanwhile without the feed', async () => {
    await provider('first');
    await stopped(await started());
    const server = await started(ours.url, async (load) => {
      expect(await load.isUsable()).toBe(true);
      await ours.pool.query(RENAME);
      jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000);
    });
    jest.restoreAllMocks();
    expect(server.lines).toEqual(FROM_FILE);
    await expectTrue(server);
  });

  test('is not used when the database has been taken back meanwhile', async () => {
    await provider('first');
    await stopped(await started());
    const server = await started(ours.url, async (load) => {
      expect(await load.isUsable()).toBe(true);
      await ours.pool.query('DELETE FROM placement_feed_changes');
    });
    expect(server.lines).toEqual(notUsed('it is too old, of another database'));
    await expectTrue(server);
  });

  test('fails without harm where the database is not migrated yet', async () => {
    await provider('first');
    await stopped(await started());
    await ours.pool.query('UPDATE _prisma_migrations SET finished_at = NULL');
    const server = await started(ours.url, async (load) => {
      expect(await load.isUsable()).toBe(false);
      await ours.pool.query('UPDATE _prisma_migrations SET finished_at = UTC_TIMESTAMP()');
    });
    expect(server.lines).toEqual(FROM_FILE);
    await expectTrue(server);
  });
});

test('the file of another database with the same ids is not used', async () => {
  const other = await testDatabase();
  try {
    await createProvider(other.ledger, { name: 'theirs' });
    await provider('ours');
    await stopped(await started(other.url));
    const server = await started();
    expect(server.lines).toEqual(notUsed('it is too old, of another database'));
    await expectTrue(server);
  } finally {
    await other.close();
  }
});

test('a process that has not loaded anything writes nothing, and of several that end at once one writes', async () => {
  const database = openDatabase(ours.url);
  const process = createProcess(database, { snapshotFile: path, report: () => undefined });
  process.stop();
  await process.keepSnapshot();
  await database.close();
  await expect(stat(path)).rejects.toThrow('ENOENT');
  await provider('first');
  const servers = [await started(), await started(), await started()];
  await Promise.all(servers.map(stopped));
  const kept = await readFile(path);
  expect((await started()).lines).toEqual(FROM_FILE);
  expect((await readFile(path)).equals(kept)).toBe(true);
});

test('a write that fails is reported once, and the process ends as always', async () => {
  await provider('first');
  const server = await started();
  await rm(directory, { recursive: true });
  server.process.stop();
  await server.process.keepSnapshot();
  await server.process.keepSnapshot();
  expect(server.reported).toEqual([expect.stringMatching(/keeping the snapshot in its file: .*ENOENT/)]);
  directory = await mkdtemp(join(tmpdir(), 'kept-'));
});
