import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from 'mariadb';
import { CONNECTING, databaseAddress } from '../../src/store/database/address.js';
import {
  startPrivateDatabase,
  type PrivateDatabase,
} from '../../src/tools/privateDatabase/privateDatabase.js';
import { databaseProcesses, stopProcesses } from '../../src/tools/privateDatabase/processes.js';

let folder: string;
let directory: string;

beforeEach(async () => {
  folder = directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
});

afterEach(async () => {
  await stopProcesses(folder);
  await rm(folder, { recursive: true, force: true });
});

const start = (lines: string[] = []) =>
  startPrivateDatabase({ directory, durable: true, onProgress: (line) => lines.push(line) });

async function run(database: Pick<PrivateDatabase, 'url'>, ...statements: string[]): Promise<unknown> {
  const connection = await createConnection({ ...databaseAddress(database.url('mysql')), ...CONNECTING });
  try {
    let result: unknown;
    for (const statement of statements) result = await connection.query(statement);
    return result;
  } finally {
    await connection.end();
  }
}

const remember = (database: Pick<PrivateDatabase, 'url'>) =>
  run(
    database,
    'CREATE DATABASE kept',
    'CREATE TABLE kept.words (word varchar(20)) ENGINE=InnoDB',
    `INSERT INTO kept.words VALUES ('still here')`,
  );

const recall = (database: PrivateDatabase) => run(database, 'SELECT word FROM kept.words');

describe('a private database', () => {
  test('heals an interrupted first start, flushes every commit, keeps others out, and keeps its data over a stop and a kill', async () => {
    const unfinished = join(directory, 'database.new-1');
    await mkdir(join(unfinished, 'mysql'), { recursive: true });
    await writeFile(join(unfinished, 'ibdata1'), 'half');
    const first = await start();
    await remember(first);
    expect(
      await run(
        first,
        `SELECT @@innodb_flush_log_at_trx_commit AS flush, @@skip_networking AS closed,
                CAST(@@innodb_doublewrite AS CHAR) AS doublewrite`,
      ),
    ).toEqual([{ flush: 1n, closed: 1n, doublewrite: expect.stringMatching(/^(1|ON)$/) }]);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'database'))).mode & 0o777).toBe(0o700);
    await first.stop();
    await first.stop();
    expect(await databaseProcesses(directory)).toEqual([]);
    expect((await readdir(directory)).sort()).toEqual(['database', 'database.log', 'temporary']);

    const second = await start();
    expect(await recall(second)).toEqual([{ word: 'still here' }]);
    await run(second, "INSERT INTO kept.words VALUES ('more')");
    const [pid] = await databaseProcesses(directory);
    process.kill(pid, 'SIGKILL');
    expect(await second.died).toBe('it ended with SIGKILL');

    const third = await start();
    expect(await recall(third)).toEqual([{ word: 'still here' }, { word: 'more' }]);
    await third.stop();

    await writeFile(join(directory, 'database', 'ibdata1'), 'not what a database would write');
    await expect(start()).rejects.toThrow(
      /^M\S+ did not start: it ended with code 1; .*\[ERROR\].*\(all of it: .*\)$/,
    );
  });

  test('stops when its process crashes; the next start replaces one that a killed process and its guard left', async () => {
    directory = join(folder, 'long-'.repeat(20), 'and with spaces'); // too long for a socket
    const crashed = await startInProcess();
    await remember(crashed.database);
    crashed.child.kill('SIGABRT'); // as a heap that is full does
    await once(crashed.child, 'exit');
    while ((await databaseProcesses(directory)).length > 0) await sleep(20);

    const killed = await startInProcess();
    const [orphan] = await databaseProcesses(directory);
    for (const pid of await childrenOf(killed.child.pid!)) if (pid !== orphan) process.kill(pid, 'SIGKILL');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    const lines: string[] = [];
    const database = await start(lines);
    expect(lines).toEqual([`stopping the database that an earlier process left running (process ${orphan})`]);
    expect(await databaseProcesses(directory)).toHaveLength(1);
    expect(await databaseProcesses(directory)).not.toContain(orphan);
    expect(await recall(database)).toEqual([{ word: 'still here' }]);
    expect(databaseAddress(database.url('mysql')).socketPath?.length).toBeLessThan(100);
    await database.stop();
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const pids = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.trim().split(' ').map(Number);
}

/** Starts the database in another Node process. */
async function startInProcess() {
  const program = `
    import { startPrivateDatabase } from './dist/tools/privateDatabase/privateDatabase.js';
    const database = await startPrivateDatabase({ directory: ${JSON.stringify(directory)}, durable: true });
    console.log(database.url('mysql'));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const url = chunk.toString().trim();
  return { child, database: { url: () => url } };
}
