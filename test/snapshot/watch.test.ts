import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteConsumer, setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { recordForeignChanges } from '../../src/store/ledger/recordForeignChanges.js';
import { createProvider, deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { CursorExpired, decodeCursor, RangeCursors } from '../../src/store/feed/cursor.js';
import { FeedPosition, Sequences } from '../../src/store/feed/position.js';
import { LiveSnapshot, type RecordChanges } from '../../src/store/live/liveSnapshot.js';
import { Reconciliation } from '../../src/store/external/reconciliation.js';
import { ProviderWatch, type WatchEvent, type WatchOptions } from '../../src/store/feed/watch.js';
import { systemClock } from '../../src/model/operation/turns.js';
import { reportToConsole } from '../../src/model/operation/report.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { changesOf } from '../support/changeFeed.js';
import { wholePass } from '../support/wholePass.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { setTraits } from '../support/edits.js';
import { claim, stock, useProcesses } from './writes.js';

let watches: ProviderWatch[];

const { ours, theirs } = useProcesses();
beforeEach(() => {
  watches = [ours, theirs].map(
    (database) => new ProviderWatch(database, database.ledger.feed, reportToConsole),
  );
});
afterEach(() => {
  for (const watch of watches) watch.close();
  expect(watches.map(({ size }) => size)).toEqual([0, 0]);
});

interface Watched {
  next(): Promise<WatchEvent>;
  /** The next events, until one is of this provider. */
  until(uuid: string): Promise<WatchEvent[]>;
  error(): Promise<Error>;
  isOver(): Promise<boolean>;
  close(): void;
}

async function watching(watch: ProviderWatch, options: WatchOptions = {}): Promise<Watched> {
  const events = await watch.watch(options);
  const next = async (): Promise<WatchEvent> => {
    const { value } = (await events.next()) as { value: WatchEvent | Error | undefined };
    if (value === undefined || value instanceof Error) throw value ?? new Error('the watch is over');
    return value;
  };
  return {
    next,
    async until(uuid) {
      const list: WatchEvent[] = [];
      do list.push(await next());
      while (list[list.length - 1].change.uuid !== uuid);
      return list;
    },
    error: async () => (await events.next()).value as Error,
    isOver: async () => (await events.next()).done === true,
    close: () => void events.return!(),
  };
}

const generationsOf = (events: readonly WatchEvent[], uuid: string) =>
  events.flatMap(({ change }) => (change.uuid === uuid ? [change.generation] : []));

const nameOf = ({ change }: WatchEvent) => `${change.id} ${change.generation ?? 'gone'}`;

/** Fails where a provider's generation goes back, or anything comes after it is gone. */
function expectOrder(events: readonly WatchEvent[]): void {
  const last = new Map<number, number>();
  const unordered = events.filter(({ change }) => {
    const generation = change.generation ?? Infinity;
    const before = last.get(change.id) ?? 0;
    last.set(change.id, generation);
    return generation < before;
  });
  expect(unordered.map(nameOf)).toEqual([]);
}

/** Creates providers, each a root (null) or below an earlier one. Returns their uuids. */
async function providers(...parents: (number | null)[]): Promise<string[]> {
  const uuids: string[] = [];
  for (const at of parents) {
    const parent = at === null ? null : uuids[at];
    uuids.push((await createProvider(ours.ledger, { name: randomUUID(), parent })).uuid);
  }
  return uuids;
}

const marked = async (): Promise<string> => (await providers(null))[0];

async function idOf(uuid: string): Promise<number> {
  const sql = 'SELECT id FROM resource_providers WHERE uuid = ?';
  const [{ id }] = await ours.pool.query<{ id: number }[]>(sql, [uuid]);
  return id;
}

/** Writes of all kinds through both processes at once; gives all commits, one name for each provider in it. */
async function work(rounds: number): Promise<Set<string>> {
  const committed = new Set<string>();
  const note = (id: number, generation: number | 'gone') => committed.add(`${id} ${generation}`);
  const worker = async (database: ProcessDatabase, at: number): Promise<void> => {
    const { uuid: host } = await createProvider(database.ledger, { name: `host ${at}` });
    const { uuid: part } = await createProvider(database.ledger, { name: `part ${at}` });
    await stock(database, part, 1000);
    const consumer = randomUUID();
    for (let round = 0; round < rounds; round++) {
      await setAllocations(database.claims, claim(round === 0 ? consumer : randomUUID(), part));
      await setAllocations(database.claims, claim(randomUUID(), shared));
      if (round % 3 === 0) await updateProvider(database.ledger, { resourceProvider: part, parent: host });
      else if (round % 3 === 1)
        await updateProvider(database.ledger, { resourceProvider: part, parent: { none: true } });
    }
    await deleteConsumer(database.claims, { consumer });
    const spare = await createProvider(database.ledger, { name: `spare ${at}` });
    const id = await idOf(spare.uuid);
    const resourceProvider = spare.uuid;
    await setTraits(database.ledger, { resourceProvider, generation: 0, traits: ['CUSTOM_WATCHED'] });
    await deleteProvider(database.ledger, { resourceProvider });
    for (const generation of [0, 1, 'gone'] as const) note(id, generation);
  };
  await createTrait(ours.ledger, { name: 'CUSTOM_WATCHED' });
  const { uuid: shared } = await createProvider(ours.ledger, { name: 'shared' });
  await stock(ours, shared, 1000);
  await Promise.all([worker(ours, 0), worker(theirs, 1), worker(ours, 2), worker(theirs, 3)]);
  const rows = await ours.pool.query<{ id: number; generation: number }[]>(
    'SELECT id, generation FROM resource_providers',
  );
  for (const { id, generation } of rows) for (let at = 0; at <= generation; at++) note(id, at);
  return committed;
}

describe('the law', () => {
  test('a watch at any process emits every commit of all processes, in the order of generations for each provider', async () => {
    const streams = await Promise.all([...watches, ...watches].map((watch) => watching(watch)));
    const committed = await work(8);
    const marker = await marked();
    for (const stream of streams) {
      const events = await stream.until(marker);
      expectOrder(events);
      expect(new Set(events.slice(0, -1).map(nameOf))).toEqual(committed);
    }
  });

  test('from every cursor, at any process, every later event of each provider comes, and nothing goes back', async () => {
    const stream = await watching(watches[0]);
    const committed = await work(3);
    const marker = await marked();
    const events = await stream.until(marker);
    for (const [at, { cursor }] of events.slice(0, -1).entries()) {
      const resumed = await watching(watches[at % 2], { since: cursor });
      const later = await resumed.until(marker);
      resumed.close();
      expectOrder(later);
      const seen = events.slice(0, at + 1).map(nameOf);
      const names = new Set(later.map(nameOf));
      expect(events.slice(at + 1).filter((event) => !names.has(nameOf(event)))).toEqual([]);
      expect(names).not.toContain(seen[at]); // a cursor continues right after its event
      expect(new Set([...seen, ...names])).toEqual(new Set([...committed, nameOf(events.at(-1)!)]));
    }
  });

  test('a commit that becomes visible after a later number is not missed, neither live nor by a cursor', async () => {
    const [early, late] = [await marked(), await marked()];
    const stream = await watching(watches[0]);
    const connection = await theirs.pool.getConnection();
    const feed = theirs.ledger.feed;
    await feed.ready();
    await connection.beginTransaction();
    const sequence = await feed.write(connection, changesOf([await idOf(early)]));
    feed.complete(await feed.write(theirs.pool, changesOf([await idOf(late)])));
    const first = await stream.next();
    expect(first.change.uuid).toBe(late);
    await connection.commit();
    feed.complete(sequence);
    await connection.release();
    expect((await stream.next()).change.uuid).toBe(early);
    const resumed = await watching(watches[1], { since: first.cursor });
    expect((await resumed.next()).change.uuid).toBe(early);
  });
});

/** More providers than a page of events has. */
const WIDTH = 2_200;

/** A root with so many providers below it, and another root to move it to. */
async function wideTree(width: number): Promise<{ root: string; other: string }> {
  const [other] = await providers(null);
  const root = randomUUID();
  const children = Array.from({ length: width }, (_, at) => ({ name: `leaf ${at}` }));
  await applyProviderTree(ours.ledger, { root: { name: 'root', uuid: root, children } });
  return { root, other };
}

const move = (root: string, other: string) =>
  updateProvider(ours.ledger, { resourceProvider: root, parent: other });
const moveBack = (root: string) =>
  updateProvider(ours.ledger, { resourceProvider: root, parent: { none: true } });

describe('one who reads slowly', () => {
  test('holds a page and not more, however much is written, and gets everything in the end', async () => {
    const { root, other } = await wideTree(WIDTH);
    const [slow, quick] = [await watching(watches[0]), await watching(watches[0])];
    await move(root, other);
    const first = await slow.next();
    let events = 0;
    for (let times = 0; times < 3; times++) {
      await moveBack(root);
      await move(root, other);
      for (let left = 2 * (WIDTH + 1); left > 0; left--, events++) await quick.next();
      expect(watches[0].buffered).toBeLessThanOrEqual(10_000 + 2 * 2_000);
    }
    expect(events).toBe(3 * 2 * (WIDTH + 1));
    const marker = await marked();
    const missed = await slow.until(marker);
    expectOrder([first, ...missed]);
    expect(missed).toHaveLength(7 * (WIDTH + 1));
    // one cursor in the middle of a long stretch, too
    const resumed = await watching(watches[1], { since: missed[3_000].cursor });
    const rest = await resumed.until(marker);
    expect(rest.map(nameOf)).toEqual(missed.slice(3_001).map(nameOf));
  }, 60_000);
});

describe('inTree', () => {
  test('gives the changes of one tree, and a move as an event of both', async () => {
    const [root, child, other] = await providers(null, 0, null);
    const [here, there, byChild] = await Promise.all([
      watching(watches[0], { inTree: root }),
      watching(watches[1], { inTree: other }),
      watching(watches[1], { inTree: child }),
    ]);
    await updateProvider(theirs.ledger, { resourceProvider: other, name: 'other 1' });
    await updateProvider(theirs.ledger, { resourceProvider: child, parent: other });
    await updateProvider(ours.ledger, { resourceProvider: child, name: 'child 1' });
    await updateProvider(ours.ledger, { resourceProvider: root, name: 'root 1' });
    await deleteProvider(ours.ledger, { resourceProvider: child });
    await deleteProvider(ours.ledger, { resourceProvider: root });
    const [first, second, third] = [await here.next(), await here.next(), await here.next()];
    expect([first, second, third].map(nameOfUuid).sort()).toEqual(
      [`${child} 1`, `${root} 1`, `${root} null`].sort(),
    );
    const events = [await there.next(), await there.next(), await there.next(), await there.next()];
    expectOrder(events);
    expect(events.map(nameOfUuid).sort()).toEqual(
      [`${other} 1`, `${child} 1`, `${child} 2`, `${child} null`].sort(),
    );
    expect((await byChild.until(child)).at(-1)!.change.generation).toBe(1);
  });

  const nameOfUuid = ({ change }: WatchEvent) => `${change.uuid} ${change.generation}`;

  test('of a descendant that moves along with one above it both trees get an event', async () => {
    const [top, middle, leaf, other] = await providers(null, 0, 1, null);
    const streams = await Promise.all([top, other].map((inTree) => watching(watches[1], { inTree })));
    await updateProvider(ours.ledger, { resourceProvider: middle, parent: other });
    for (const stream of streams) {
      const events = [await stream.next(), await stream.next()];
      expect(events.map(nameOfUuid).sort()).toEqual([`${middle} 1`, `${leaf} 0`].sort());
    }
    // a claim on what was moved along belongs to the new tree
    const { uuid } = await createProvider(ours.ledger, { name: 'last', parent: leaf });
    expect((await streams[1].next()).change.uuid).toBe(uuid);
  });

  test('an unknown one waits until a provider with that uuid is created, and waits again when it is deleted', async () => {
    const inTree = randomUUID();
    const stream = await watching(watches[0], { inTree });
    await marked();
    for (let times = 0; times < 2; times++) {
      await createProvider(theirs.ledger, { name: 'late', uuid: inTree });
      await createProvider(theirs.ledger, { name: 'child', parent: inTree, uuid: randomUUID() });
      expect(nameOfUuid(await stream.next())).toBe(`${inTree} 0`);
      const child = (await stream.next()).change;
      await deleteProvider(ours.ledger, { resourceProvider: child.uuid });
      await deleteProvider(ours.ledger, { resourceProvider: inTree });
      const last = [await stream.next(), await stream.next()];
      expect(last.map(nameOfUuid).sort()).toEqual([`${child.uuid} null`, `${inTree} null`].sort());
      await marked();
    }
  });

  test('a watch of a tree with a cursor emits the changes since then, also those before the provider moved', async () => {
    const [root, child, other] = await providers(null, 0, null);
    const all = await watching(watches[0]);
    await updateProvider(ours.ledger, { resourceProvider: other, name: 'other 1' });
    const [{ cursor }] = await all.until(other);
    await updateProvider(ours.ledger, { resourceProvider: root, name: 'root 1' });
    await updateProvider(ours.ledger, { resourceProvider: child, parent: other });
    const stream = await watching(watches[1], { inTree: child, since: cursor });
    expect(nameOfUuid(await stream.next())).toBe(`${root} 1`);
    expect(nameOfUuid(await stream.next())).toBe(`${child} 1`);
  });
});

describe('writers that do not know the feed', () => {
  test('external changes are emitted by the watches of all processes, with the current generation', async () => {
    const [changed, gone] = await providers(null, null);
    const record: RecordChanges = (ids, known) => recordForeignChanges(ours.ledger, ids, known);
    const live = new LiveSnapshot(ours, systemClock, record);
    await live.current();
    const comparing = new Reconciliation(ours, live, reportToConsole);
    const streams = await Promise.all(watches.map((watch) => watching(watch)));
    const inGone = await watching(watches[1], { inTree: gone });
    await ours.pool.query('UPDATE resource_providers SET generation = 7 WHERE uuid = ?', [changed]);
    await ours.pool.query('UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = ?', [gone]);
    await ours.pool.query('DELETE FROM resource_providers WHERE uuid = ?', [gone]);
    await wholePass(comparing);
    for (const stream of streams) {
      const events = [await stream.next(), await stream.next()];
      expect(generationsOf(events, changed)).toEqual([7]);
      expect(generationsOf(events, gone)).toEqual([null]);
    }
    expect((await inGone.next()).change.uuid).toBe(gone);
    // what is found once is not found again, and what the feed tells is not found at all
    await updateProvider(theirs.ledger, { resourceProvider: changed, name: 'renamed' });
    await wholePass(comparing);
    await wholePass(comparing);
    for (const stream of streams) {
      const events = await stream.until(await marked());
      expect(generationsOf(events, changed)).toEqual([8]);
      expect(generationsOf(events, gone)).toEqual([]);
    }
  });
});

describe('cursors', () => {
  test('one of fourteen minutes ago and more is expired, at the start and under way; a younger one is not', async () => {
    const stream = await watching(watches[0]);
    await marked();
    const { cursor } = await stream.next();
    const { time, position } = decodeCursor(cursor, 'providers');
    const aged = (minutes: number) =>
      new RangeCursors('providers', time - minutes * 60, position, position).before();
    await expect(watches[0].watch({ since: aged(15) })).rejects.toThrow(CursorExpired);
    const young = await watching(watches[1], { since: aged(13) });
    const marker = await marked();
    expect((await young.next()).change.uuid).toBe(marker);
    // the cursor expires in four seconds, and no event is read
    const end = Math.floor(Date.now() / 1000) - 14 * 60 + 4;
    const expiring = new RangeCursors('providers', end, position, position);
    const late = await watching(watches[1], { since: expiring.before() });
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    expect(await late.error()).toBeInstanceOf(CursorExpired);
    expect(await late.isOver()).toBe(true);
  }, 20_000);

  test('one that names an unknown writer is of another database, and expired', async () => {
    const position = new FeedPosition(new Map([[4711, { lowWatermark: 3, seen: Sequences.of([3, 5]) }]]));
    const since = new RangeCursors('providers', Math.floor(Date.now() / 1000), position, position).before();
    await expect(watches[0].watch({ since })).rejects.toThrow(CursorExpired);
  });
});

describe('costs', () => {
  test('a process without watchers sends no statement, before the first and after the last watcher', async () => {
    const seen: string[] = [];
    const counted = openProcess(ours.url, { onStatement: (sql) => seen.push(sql) });
    const watch = new ProviderWatch(counted, counted.ledger.feed, reportToConsole);
    const stream = await watching(watch);
    const marker = await marked();
    await stream.until(marker);
    stream.close();
    expect(watch.size).toBe(0);
    await counted.pool.query('SELECT 1');
    seen.length = 0;
    await createProvider(counted.ledger, { name: 'unwatched' });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(seen.filter((sql) => sql.includes('placement_feed_changes') && !sql.startsWith('INSERT'))).toEqual(
      [],
    );
    await counted.close();
  });

  test('a hundred watchers cost no more statements than one', async () => {
    const seen: string[] = [];
    const counted = openProcess(ours.url, { onStatement: (sql) => seen.push(sql) });
    const watch = new ProviderWatch(counted, counted.ledger.feed, reportToConsole);
    const streams = await Promise.all(Array.from({ length: 100 }, () => watching(watch)));
    seen.length = 0;
    const marker = await marked();
    await Promise.all(streams.map((stream) => stream.until(marker)));
    expect(seen.filter((sql) => sql.includes('ORDER BY'))).toHaveLength(1);
    watch.close();
    expect(await Promise.all(streams.map((stream) => stream.isOver()))).not.toContain(false);
    await counted.close();
  });
});

test('a watch that is closed ends every stream, also one that waits, and every later one', async () => {
  const stream = await watching(watches[0]);
  const waiting = stream.isOver();
  watches[0].close();
  expect(await waiting).toBe(true);
  expect(await (await watching(watches[0])).isOver()).toBe(true);
});
