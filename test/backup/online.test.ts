import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/store/database/database.js';
import { audit } from '../races/audit.js';
import { readHistory, recordHistory, type HistoryRow } from '../races/history.js';
import { Load } from '../races/load.js';
import { ServerProcess, START } from '../races/process.js';
import { projectOf, type Attempt } from '../races/writeLog.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { cases } from '../support/length.js';
import { ended } from '../transfer/transferSupport.js';
import { startBackupProcess, startRestore, temporaryFolder } from './backups.js';

const folder = temporaryFolder();
let source: TestDatabase;
let target: TestDatabase;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  [source, target] = [await testDatabase(), await emptyDatabase()];
  await recordHistory(source);
  servers = await Promise.all([ServerProcess.start(source.url), ServerProcess.start(source.url)]);
}, START);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await Promise.all([source.close(), target.close()]);
  folder.remove();
});

interface Restored {
  /** By the provider's id. */
  readonly generations: ReadonlyMap<number, number>;
  /** `provider class consumer used`, in the order of their text. */
  readonly allocations: readonly string[];
  /** By the consumer's uuid the project that the last write has given it. */
  readonly projects: ReadonlyMap<string, string>;
}

async function stateOf({ pool }: Database): Promise<Restored> {
  const providers = await pool.query<{ id: number; generation: number }[]>(
    'SELECT id, generation FROM resource_providers',
  );
  const allocations = await pool.query<{ text: string }[]>(
    "SELECT CONCAT_WS(' ', resource_provider_id, resource_class_id, consumer_id, used) AS text FROM allocations",
  );
  const consumers = await pool.query<{ uuid: string; project: string }[]>(
    'SELECT c.uuid, p.external_id AS project FROM consumers c JOIN projects p ON p.id = c.project_id',
  );
  return {
    generations: new Map(providers.map(({ id, generation }) => [id, generation])),
    allocations: allocations.map(({ text }) => text).sort(),
    projects: new Map(consumers.map(({ uuid, project }) => [uuid, project])),
  };
}

/** What was allocated when each provider had a generation: by the record that the database itself has made. */
function replayed(history: readonly HistoryRow[], generations: Restored['generations']): string[] {
  const rows = new Map<number, string>();
  for (const row of history) {
    if (row.what !== 'allocation' || row.generation! > generations.get(row.providerId!)!) continue;
    if (row.present === 0) rows.delete(row.rowId!);
    else rows.set(row.rowId!, [row.providerId, row.classId, row.consumer, row.amount].join(' '));
  }
  return [...rows.values()].sort();
}

/**
 * Writes of several consumers of which the backup has the one part and lacks the other: where a consumer is as such a write left it, none of
 * the others may be as it was before that.
 */
function torn(
  history: readonly HistoryRow[],
  attempts: readonly Attempt[],
  { projects }: Restored,
): string[] {
  const events = new Map<string, (string | null)[]>();
  for (const { what, consumer, present, project } of history) {
    if (what !== 'consumer') continue;
    const list = events.get(consumer!) ?? [];
    events.set(consumer!, list);
    list.push(present === 1 ? project : null);
  }
  return attempts.flatMap(({ number, consumers }) => {
    const mark = projectOf(number);
    const isThere = consumers.some(({ consumer }) => projects.get(consumer) === mark);
    if (!isThere) return [];
    return consumers.flatMap(({ consumer }) => {
      const list = events.get(consumer) ?? [];
      const at = list.lastIndexOf(mark);
      const now = projects.get(consumer) ?? null;
      return at < 0 || list.lastIndexOf(now) >= at ? [] : [`${mark}: ${consumer} is as ${now} left it`];
    });
  });
}

const isBetween = (low: Restored, some: Restored, high: Restored): boolean =>
  [...some.generations].every(
    ([id, generation]) => generation >= low.generations.get(id)! && generation <= high.generations.get(id)!,
  );

test('a backup that is taken while sixteen writers go on is what the database was at one moment', async () => {
  const load = new Load(
    servers.map(({ client }) => client),
    1,
    16,
  );
  await load.prepare();
  const running = load.run();
  const backups: { before: Restored; after: Restored; file: string }[] = [];
  for (const file of ['one', 'two', 'three'].slice(0, cases(3, 2)).map(folder.path)) {
    await sleep(cases(2_000, 1_000));
    const before = await stateOf(source);
    expect((await ended(startBackupProcess(source, file))).code).toBe(0);
    backups.push({ before, after: await stateOf(source), file });
  }
  load.isOver = true;
  await running;
  expect((await audit(source, load)).findings.slice(0, 20)).toEqual([]);

  const history = await readHistory(source);
  let concurrent = 0;
  for (const { before, after, file } of backups) {
    const { code, lines } = await ended(startRestore(target, file, '--replace'));
    expect([code, lines.at(-1)]).toEqual([0, 'the database is restored, and equal to the backup']);
    const restored = await stateOf(target);
    expect(isBetween(before, restored, after)).toBe(true);
    if (!isBetween(after, restored, after)) concurrent += 1;
    expect(restored.allocations.length).toBeGreaterThan(0);
    expect(restored.allocations).toEqual(replayed(history, restored.generations));
    expect(torn(history, load.log.attempts, restored)).toEqual([]);
  }
  expect(concurrent).toBeGreaterThan(0); // otherwise no write was concurrent
}, 180_000);
