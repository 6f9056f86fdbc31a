import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { inventoryAt, type Snapshot } from '../../src/fleet/snapshot.js';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { createResourceClass, deleteResourceClass } from '../../src/store/ledger/catalog.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { createProvider, deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { createTrait, deleteTrait } from '../../src/store/ledger/provider/traits.js';
import { readProviders } from '../../src/store/live/changes.js';
import { FeedPosition } from '../../src/store/feed/position.js';
import { FeedWriter } from '../../src/store/feed/writer.js';
import { openDatabase } from '../../src/store/database/database.js';
import { createProcess } from '../../src/server/process.js';
import { LiveSnapshot, type RecordChanges, loadSnapshot } from '../../src/store/live/liveSnapshot.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { BackgroundJobs } from '../../src/store/live/backgroundJobs.js';
import { changesOf, recordChanges } from '../support/changeFeed.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { allocate } from '../ledger/support.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { pictureOf } from '../support/snapshotPicture.js';
import { wholePass } from '../support/wholePass.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { setAggregates, setInventories, setTraits } from '../support/edits.js';
import { claim, stock, stocked, useProcesses } from './writes.js';

const { ours, theirs } = useProcesses();
let live: LiveSnapshot;
let recordChange: RecordChanges;
const recordForeign: RecordChanges = (ids, known) => recordForeignChanges(ours.ledger, ids, known);
/** Compares with the snapshot, and records by `record`. */
const reconciliation = (record = recordForeign) => {
  recordChange = record;
  return new Reconciliation(ours, live, reportToConsole);
};

beforeEach(async () => {
  recordChange = recordForeign;
  live = new LiveSnapshot(ours, systemClock, (...change) => recordChange(...change));
  await live.current();
});

function stateOf(snapshot: Snapshot, uuid: string): { generation: number; used: number | null } | null {
  const place = snapshot.locate(uuid);
  if (place === undefined) return null;
  const { block, row } = place;
  const at = inventoryAt(block, row, snapshot.classes.idOf('VCPU')!);
  return { generation: block.generations[row], used: at < 0 ? null : block.used[at] };
}

test('every kind of write of another process is in the next snapshot, and nothing is loaded whole again', async () => {
  const [root, child, other, consumer] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const aggregate = randomUUID();
  const writes: (() => Promise<unknown>)[] = [
    () => createProvider(theirs.ledger, { name: 'root', uuid: root }),
    () => createProvider(theirs.ledger, { name: 'child', uuid: child, parent: root }),
    () => createProvider(theirs.ledger, { name: 'other', uuid: other }),
    () => stock(theirs, child, 10),
    () => setAllocations(theirs.claims, claim(consumer, child, 4)),
    () => setAllocations(theirs.claims, claim(consumer, child, 6, 1)),
    () => deleteConsumer(theirs.claims, { consumer }),
    () => createTrait(theirs.ledger, { name: 'CUSTOM_T' }),
    () => setTraits(theirs.ledger, { resourceProvider: root, generation: 0, traits: ['CUSTOM_T'] }),
    () => setTraits(theirs.ledger, { resourceProvider: root, generation: 1, traits: [] }),
    () => deleteTrait(theirs.ledger, { name: 'CUSTOM_T' }),
    () => setAggregates(theirs.ledger, { resourceProvider: root, generation: 2, aggregates: [aggregate] }),
    () => updateProvider(theirs.ledger, { resourceProvider: root, parent: other }),
    () => updateProvider(theirs.ledger, { resourceProvider: root, parent: { none: true }, name: 'renamed' }),
    () => setInventories(theirs.ledger, { resourceProvider: child, generation: 4, inventories: [] }),
    () => deleteProvider(theirs.ledger, { resourceProvider: child }),
    () => createResourceClass(theirs.ledger, { name: 'CUSTOM_C' }),
    () => deleteResourceClass(theirs.ledger, { name: 'CUSTOM_C' }),
  ];
  for (const write of writes) {
    await write();
    const snapshot = await live.current();
    const { snapshot: fresh } = await loadSnapshot(ours);
    expect(pictureOf(snapshot)).toEqual(pictureOf(fresh));
    for (const name of ['CUSTOM_T', 'CUSTOM_C']) {
      expect(snapshot.traits.idOf(name)).toBe(fresh.traits.idOf(name));
      expect(snapshot.classes.idOf(name)).toBe(fresh.classes.idOf(name));
    }
  }
  expect(live.fullLoads).toBe(1);
});

test('under writes of two processes a reader sees all commits before its read', async () => {
  const uuids = await Promise.all(Array.from({ length: 6 }, () => stocked(ours, 1000)));
  const committed = new Map(uuids.map((uuid) => [uuid, 0]));
  const usedIn = (snapshot: Snapshot) => uuids.map((uuid) => stateOf(snapshot, uuid)!.used!);
  let reads = 0;
  const writer = async (database: ProcessDatabase, mine: string[]): Promise<void> => {
    while (reads < 200) {
      for (const uuid of mine) {
        await setAllocations(database.claims, claim(randomUUID(), uuid, 1));
        committed.set(uuid, committed.get(uuid)! + 1);
      }
    }
  };
  const reader = async (): Promise<void> => {
    for (; reads < 200; reads++) {
      const before = [...committed.values()];
      const used = usedIn(await live.current());
      if (before.some((amount, at) => used[at] < amount)) expect({ used }).toEqual({ used: before });
    }
  };
  await Promise.all([
    writer(ours, uuids.slice(0, 2)),
    writer(theirs, uuids.slice(2, 4)),
    writer(theirs, uuids.slice(4)),
    reader(),
    reader(),
  ]);
  const snapshot = await live.current();
  expect(uuids.map((uuid) => stateOf(snapshot, uuid))).toEqual(
    [...committed.values()].map((used) => ({ generation: used + 1, used })),
  );
  expect(live.fullLoads).toBe(1);
});

/** Two providers, and the position of the feed behind them. */
async function twoProviders(): Promise<{ first: number; second: number; position: FeedPosition }> {
  const names = ['first', 'second'];
  for (const name of names) await createProvider(ours.ledger, { name });
  const rows = await ours.pool.query<{ id: number }[]>('SELECT id FROM resource_providers ORDER BY id');
  const [first, second] = rows.map(({ id }) => id);
  return { first, second, position: (await FeedPosition.START.readDelta(ours.pool)).position };
}

test.each(['known', 'lost'])(
  'a transaction that commits after a later number is not missed when the answer to its commit is %s',
  async (answer) => {
    const { first, second, position } = await twoProviders();
    const early = await ours.pool.getConnection();
    const feed = new FeedWriter(theirs, () => undefined);
    await feed.ready();
    await early.beginTransaction();
    const sequence = await feed.write(early, changesOf([first]));
    const outcome = answer === 'lost' ? feed.outcome(sequence, early) : null;
    feed.complete(await feed.write(ours.pool, changesOf([second])));
    const during = await position.readDelta(ours.pool);
    expect([...during.changed]).toEqual([second]);
    await early.commit();
    if (outcome === null) feed.complete(sequence);
    else expect(await outcome).toBe('committed');
    await early.release();
    const after = await during.position.readDelta(ours.pool);
    expect([...after.changed]).toEqual([first]);
    expect([...(await after.position.readDelta(ours.pool)).changed]).toEqual([]);
  },
);

test('a refresh also reads the providers that change meanwhile', async () => {
  const { first, second, position } = await twoProviders();
  const { names } = await live.current();
  for (const name of ['first', 'second'])
    await ours.pool.query('UPDATE resource_providers SET generation = 7 WHERE name = ?', [name]);
  await recordChanges(ours, [first, second]);
  const changes = await readProviders(ours, { position, names }, new Set([first]));
  expect([...changes.providers].map(([id, entry]) => [id, entry?.generation])).toEqual([
    [first, 7],
    [second, 7],
  ]);
});

test('a writer that had much in flight sends a closing watermark', async () => {
  const { first, position } = await twoProviders();
  const feed = new FeedWriter(theirs, () => undefined);
  await feed.ready();
  const sequences = await Promise.all(
    Array.from({ length: 20 }, () => feed.write(ours.pool, changesOf([first]))),
  );
  for (const sequence of sequences) feed.complete(sequence);
  const during = await position.readDelta(ours.pool);
  const known = new Set(position.writers.keys());
  const openRows = (of: FeedPosition): number[] =>
    [...of.writers].flatMap(([writer, { seen }]) =>
      known.has(writer) ? [] : [seen.runs.reduce((sum, [first, last]) => sum + last - first + 1, 0)],
    );
  expect(openRows(during.position)).toEqual([20]);
  for (let after = during; openRows(after.position)[0] > 1;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    after = await after.position.readDelta(ours.pool);
    expect([...after.changed]).toEqual([]);
  }
});

test('a writer that is stopped only ends its lease, and does not report failures', async () => {
  const { first } = await twoProviders();
  const seen: string[] = [];
  const reported: unknown[] = [];
  const database = openDatabase(ours.url, { onStatement: (sql) => seen.push(sql) });
  const other = createProcess(database, { report: (error) => reported.push(error) });
  const { feed } = other.ledger;
  await feed.ready();
  for (let count = 0; count < 20; count++) feed.complete(await feed.write(database.pool, changesOf([first])));
  const unknown = await feed.write(database.pool, changesOf([first]));
  await ours.pool.query('RENAME TABLE placement_feed_changes TO renamed');
  seen.length = 0;
  void feed.outcome(unknown, { threadId: 0, info: null });
  for (let turn = 0; turn < 5; turn++) await Promise.resolve(); // its statement is under way, and fails after the stop
  other.stop();
  await new Promise((resolve) => setTimeout(resolve, 400));
  await database.close();
  await ours.pool.query('RENAME TABLE renamed TO placement_feed_changes');
  expect(seen).toEqual([
    expect.stringMatching(/^INSERT IGNORE/),
    expect.stringMatching(/^update `placement_feed_writers` set `expires_at` = UTC_TIMESTAMP\(\) where/),
  ]);
  expect(reported).toEqual([]);
});

test('for a while after a change no snapshot is offered to speculative searches', async () => {
  let elapsed = 1_000_000;
  const timed = new LiveSnapshot(ours, { now: () => Date.now(), elapsed: () => elapsed });
  const first = await timed.current();
  expect(timed.speculative).toBe(first);
  await createProvider(theirs.ledger, { name: 'new' });
  const second = await timed.current();
  elapsed += 100;
  expect(timed.speculative).toBeNull();
  elapsed += 1;
  expect(timed.speculative).toBe(second);
});

test('the fleet is loaded again after ten minutes without a poll, and if the clock was set back', async () => {
  let skipped = 0;
  const timed = new LiveSnapshot(ours, { ...systemClock, now: () => systemClock.now() + skipped });
  for (const [minutes, loads] of [
    [0, 1],
    [9, 1],
    [20, 2],
    [0, 3],
  ]) {
    skipped = minutes * 60_000;
    await timed.current();
    expect(timed.fullLoads).toBe(loads);
  }
});

test('while nothing changes a freshness check costs one statement, which calls that arrive together share', async () => {
  const seen: string[] = [];
  const counted = openProcess(ours.url, { onStatement: (sql) => seen.push(sql) });
  const counting = new LiveSnapshot(counted);
  const first = await counting.current();
  seen.length = 0;
  expect(await counting.current()).toBe(first);
  expect(seen).toHaveLength(1);
  seen.length = 0;
  // the first statement is sent at once: whoever asks while it is under way waits for the next one
  await Promise.all(Array.from({ length: 50 }, () => counting.current()));
  expect(seen).toHaveLength(2);
  await counted.close();
});

describe('background jobs', () => {
  test('find what a program changed that does not use the feed, with and without a new generation', async () => {
    const [root, above, below, gone] = Array.from({ length: 4 }, () => randomUUID());
    for (const uuid of [root, above, gone]) await createProvider(ours.ledger, { name: uuid, uuid });
    await createProvider(ours.ledger, { name: below, uuid: below, parent: above });
    await stock(ours, root, 10);
    await live.current();
    const comparing = reconciliation();
    const changes: readonly (readonly string[])[] = [
      [
        `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used)
           SELECT id, UUID(), 0, 3 FROM resource_providers WHERE uuid = '${root}'`,
      ],
      ['DELETE FROM allocations'],
      [
        `UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = '${gone}'`,
        `DELETE FROM resource_providers WHERE uuid = '${gone}'`,
      ],
      [
        `UPDATE resource_providers p JOIN resource_providers r ON r.uuid = '${root}'
            SET p.root_provider_id = r.id, p.parent_provider_id = IF(p.uuid = '${above}', r.id, p.parent_provider_id)
          WHERE p.uuid IN ('${above}', '${below}')`,
        `UPDATE resource_providers SET name = 'renamed' WHERE uuid = '${below}'`,
      ],
      [
        'INSERT INTO placement_aggregates (uuid) VALUES (UUID())',
        `INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id)
           SELECT p.id, a.id FROM resource_providers p, placement_aggregates a`,
      ],
      ["INSERT INTO traits (name) VALUES ('CUSTOM_T')"],
      ["INSERT INTO resource_classes (name) VALUES ('CUSTOM_C')"],
    ];
    for (const statements of changes) {
      const before = await allOf(live);
      for (const sql of statements) await ours.pool.query(sql);
      const after = await allOf(new LiveSnapshot(ours));
      expect({ statements, after }).not.toEqual({ statements, after: before });
      await wholePass(comparing);
      expect({ statements, after: await allOf(live) }).toEqual({ statements, after });
    }
    const snapshot = await live.current();
    await wholePass(comparing);
    expect(await live.current()).toBe(snapshot);
    expect(live.fullLoads).toBe(1);
  });

  /** All that a snapshot knows, but not the names of standard traits and classes. */
  async function allOf(of: LiveSnapshot): Promise<unknown> {
    const snapshot = await of.current();
    const { traits, classes } = snapshot.names;
    return [pictureOf(snapshot), traits.idOf('CUSTOM_T'), classes.idOf('CUSTOM_C')];
  }

  test('take up a great many foreign changes a few hundred at a time', async () => {
    const rows = Array.from({ length: 450 }, () => [randomUUID(), 0]);
    await ours.pool.batch('INSERT INTO resource_providers (uuid, generation) VALUES (?, ?)', rows);
    const atATime: number[] = [];
    const comparing = reconciliation((ids, known) => {
      atATime.push(ids.length);
      return recordForeign(ids, known);
    });
    await wholePass(comparing);
    const snapshot = await live.current();
    expect(rows.filter(([uuid]) => snapshot.locate(String(uuid)) === undefined)).toEqual([]);
    expect(atATime.reduce((sum, count) => sum + count)).toBe(450);
    expect(Math.max(...atATime)).toBeLessThanOrEqual(256);
  });

  test('a provider that leaves its tree is recorded once, and an allocation without an inventory is not recorded', async () => {
    const [lost, used] = [randomUUID(), randomUUID()];
    for (const uuid of [lost, used]) await createProvider(ours.ledger, { name: uuid, uuid });
    await live.current();
    // a provider in no tree, and an allocation without an inventory
    await ours.pool.query(
      'UPDATE resource_providers SET parent_provider_id = root_provider_id WHERE uuid = ?',
      [lost],
    );
    await allocate(ours, used, 'VCPU', 3);
    const recorded: number[] = [];
    const comparing = reconciliation((ids, known) => {
      recorded.push(...ids);
      return recordForeign(ids, known);
    });
    for (let pass = 0; pass < 3; pass++) await wholePass(comparing);
    expect(recorded).toHaveLength(1);
    expect((await live.current()).locate(lost)).toBeUndefined();
  });

  test('record nothing of many writes that use the feed', async () => {
    const uuids = await Promise.all(Array.from({ length: 5 }, () => stocked(theirs, 100)));
    const recorded: number[] = [];
    const comparing = reconciliation((ids) => Promise.resolve(void recorded.push(...ids)));
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; at < 60; at++) {
        const consumer = randomUUID();
        await setAllocations(theirs.claims, claim(consumer, uuids[at % 5], 1));
        await deleteConsumer(theirs.claims, { consumer });
      }
      isOver = true;
    })();
    let steps = 0;
    for (; !isOver; steps++) await wholePass(comparing);
    await writing;
    expect(steps).toBeGreaterThan(5);
    expect(recorded).toEqual([]);
  });

  test('run in one process of several on a server', async () => {
    const others = new LiveSnapshot(theirs, systemClock, recordForeign);
    const other = new Reconciliation(theirs, others, reportToConsole);
    await wholePass(reconciliation());
    const foreign = randomUUID();
    await ours.pool.query('INSERT INTO resource_providers (uuid, generation) VALUES (?, 0)', [foreign]);
    await wholePass(other);
    expect((await live.current()).locate(foreign)).toBeUndefined();
    await wholePass(reconciliation());
    expect((await live.current()).locate(foreign)).toBeDefined();
    expect((await others.current()).locate(foreign)).toBeDefined();
  });

  test('prune old changes of all writers, and readers that kept up lose nothing', async () => {
    const clock = { now: () => Date.now(), minutes: 0, elapsed: () => clock.minutes * 60_000 };
    const jobs = new BackgroundJobs(ours, live, reconciliation(), reportToConsole, clock);
    const rows = (): Promise<unknown[]> =>
      ours.pool.query("SELECT * FROM placement_feed_changes WHERE kind = 'PROVIDER'");
    const { uuid } = await createProvider(theirs.ledger, { name: 'a' });
    await jobs.prune();
    clock.minutes = 14;
    await createProvider(theirs.ledger, { name: 'c' });
    await jobs.prune();
    expect(await rows()).toHaveLength(2);
    clock.minutes = 16;
    await jobs.prune();
    expect(await rows()).toHaveLength(1);
    clock.minutes = 30;
    await jobs.prune();
    expect(await rows()).toEqual([]);
    await updateProvider(theirs.ledger, { resourceProvider: uuid, name: 'b' });
    expect(stateOf(await live.current(), uuid)!.generation).toBe(1);
  });

  test('prune no change that others have yet to read when the clock of the database jumps ahead', async () => {
    const { uuid } = await createProvider(theirs.ledger, { name: 'a' });
    await ours.pool.query('UPDATE placement_feed_changes SET created_at = created_at - INTERVAL 1 HOUR');
    const others = new BackgroundJobs(theirs, new LiveSnapshot(theirs), reconciliation(), reportToConsole);
    await others.prune();
    expect(stateOf(await live.current(), uuid)!.generation).toBe(0);
  });
});
