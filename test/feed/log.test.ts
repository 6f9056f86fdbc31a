import { expect, test } from '@jest/globals';
import { FeedLog } from '../../src/store/feed/log.js';
import { FeedPosition, FeedReset, type FeedRow } from '../../src/store/feed/position.js';
import { recordReset } from '../../src/store/feed/writer.js';
import { Random } from '../oracle/random.js';
import { useProcesses } from '../snapshot/writes.js';
import { changesOf, providerIds } from '../support/changeFeed.js';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { openProcess } from '../support/database.js';

const { ours, theirs } = useProcesses();

/** Writers add heartbeats at any time. */
const namesOf = (rows: readonly FeedRow[]): string[] =>
  rows.flatMap(({ kind, writerId, seq, objectId }) =>
    kind === 'PROVIDER' ? [`${writerId} ${seq} ${objectId}`] : [],
  );

/** A reader of the log, which notes the rows that it received. */
class Follower {
  readonly received: string[] = [];

  constructor(
    readonly log: FeedLog,
    private position: FeedPosition,
  ) {}

  async read(): Promise<void> {
    const { rows, position } = await this.log.since(this.position);
    this.take(rows, position);
  }

  /** Reads like the snapshot when it reads providers: by a statement of its own. */
  async readBeside(): Promise<void> {
    await this.read();
    const read = await this.position.read(ours.pool);
    this.log.extend(this.position, read);
    this.take(read.rows, read.position);
  }

  private take(rows: readonly FeedRow[], position: FeedPosition): void {
    this.received.push(...namesOf(rows));
    this.position = position;
  }
}

async function rowsNow(): Promise<string[]> {
  return namesOf((await FeedPosition.START.read(ours.pool)).rows);
}

test('each follower receives each row once, although they poll at different times and commits change places', async () => {
  await createProvider(ours.ledger, { name: 'host' });
  const ids = await providerIds(ours);
  const log = new FeedLog(ours);
  const random = new Random(1);
  const followers: { readonly follower: Follower; readonly before: ReadonlySet<string> }[] = [];
  const join = async () => {
    const before = new Set(await rowsNow());
    const { position } = await FeedPosition.START.read(ours.pool);
    followers.push({ follower: new Follower(log, position), before });
  };
  await join();
  for (const { feed } of [ours.ledger, theirs.ledger]) await feed.ready();
  const open: (() => Promise<void>)[] = [];
  const begin = async (): Promise<void> => {
    const { feed } = random.pick([ours.ledger, theirs.ledger]);
    const connection = await ours.pool.getConnection();
    await connection.beginTransaction();
    const sequence = await feed.write(connection, changesOf(ids));
    open.push(async () => {
      await (random.chance(25) ? connection.rollback() : connection.commit());
      feed.complete(sequence);
      await connection.release();
    });
  };
  const end = async () => {
    await open.splice(random.between(0, open.length - 1), 1)[0]?.();
  };
  for (let step = 0; step < 150; step++) {
    if (open.length < 3) await begin();
    else await end();
    const { follower } = random.pick(followers);
    const reads = [
      follower.read(),
      random.pick(followers).follower === follower ? Promise.resolve() : log.poll(),
    ];
    await Promise.all(reads);
    if (step % 7 === 0) await Promise.all([random.pick(followers).follower.readBeside(), log.poll()]);
    if (step % 40 === 39) await join();
  }
  while (open.length > 0) await end();
  for (const { follower } of followers) await follower.read();
  const all = await rowsNow();
  for (const { follower, before } of followers)
    expect(follower.received.toSorted()).toEqual(all.filter((row) => !before.has(row)).toSorted());
});

test('a poll serves all followers that wait, and those behind it read from memory', async () => {
  const seen: string[] = [];
  const counted = openProcess(ours.url, { onStatement: (sql) => seen.push(sql) });
  const log = new FeedLog(counted);
  const start = await FeedPosition.START.read(counted.pool);
  await log.since(start.position);
  await createProvider(theirs.ledger, { name: 'new' });
  await log.poll();
  seen.length = 0;
  const reads = await Promise.all(Array.from({ length: 5 }, () => log.since(start.position)));
  expect(seen).toHaveLength(2); // the first is sent at once, the others share the next one
  for (const { rows } of reads) expect(rows.map(({ kind }) => kind)).toEqual(['PROVIDER']);
  await counted.close();
});

test('a poll that another statement overtakes is repeated, and a statement that a poll overtakes is ignored', async () => {
  const log = new FeedLog(ours);
  const start = await log.poll();
  const create = async (name: string): Promise<void> => void (await createProvider(ours.ledger, { name }));
  await create('first');
  const early = await start.read(ours.pool);
  await create('second');
  const polling = log.since(start);
  log.extend(start, early);
  const both = await polling;
  expect([early.rows, both.rows].map(({ length }) => length)).toEqual([1, 2]);
  await create('third');
  await log.poll();
  log.extend(start, early);
  log.extend(both.position, early);
  expect((await log.since(early.position)).rows).toHaveLength(2);
  expect((await log.since(both.position)).rows).toHaveLength(1);
});

test('a follower before a restore gets FeedReset, and one that begins after it does not', async () => {
  const log = new FeedLog(ours);
  const { position } = await FeedPosition.START.read(ours.pool);
  await log.since(position);
  await recordReset(ours.pool);
  await expect(log.since(position)).rejects.toThrow(FeedReset);
  const after = await FeedPosition.START.read(ours.pool);
  expect((await log.since(after.position)).rows).toEqual([]);
});
