import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection, type Connection, type PoolConnection } from 'mariadb';
import { databaseAddress } from '../../src/store/database/address.js';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { onConnection, takeConnection } from '../../src/store/database/onConnection.js';
import {
  startPrivateDatabase,
  type PrivateDatabase,
} from '../../src/tools/privateDatabase/privateDatabase.js';
import { failureOf } from '../support/failureOf.js';
import { folderOfFile } from '../support/folder.js';
import { TcpProxy } from '../support/tcpProxy.js';

// One address that balances over two servers: a connection id names different connections on each.
const CONNECTIONS = 30;

let servers: PrivateDatabase[];
let balancer: TcpProxy;
let database: Database;
const bystanders: Connection[] = [];

beforeAll(async () => {
  servers = [];
  for (const name of ['one', 'two'])
    servers.push(await startPrivateDatabase({ directory: join(directory, name), durable: false }));
  const urls = servers.map((server) => server.url('mysql'));
  balancer = await TcpProxy.before(urls[0], ...urls.slice(1));
  database = openDatabase(balancer.url, { connections: CONNECTIONS });
  // so many on one server that the ids of connections to the other name bystanders there
  for (const url of [...Array.from({ length: 2 * CONNECTIONS }, () => urls[0]), urls[1]])
    bystanders.push(await createConnection(databaseAddress(url)));
}, 60_000);

afterAll(async () => {
  for (const bystander of bystanders) await bystander.end().catch(() => undefined);
  await database.close();
  balancer.close();
  for (const server of servers) await server.stop();
});
const directory = folderOfFile(); // removed after the servers have stopped

test('aborted reads end on their own server and end no connection of another client', async () => {
  const aborts = Array.from({ length: CONNECTIONS }, () => new AbortController());
  const reads = aborts.map(({ signal }) =>
    failureOf(onConnection(database, (connection) => connection.query('SELECT SLEEP(20)'), { signal })),
  );
  await until(async () => (await sleeping()) === CONNECTIONS);
  for (const abort of aborts) abort.abort(new Error('the client is gone'));
  await until(async () => (await sleeping()) === 0);
  expect(await Promise.all(reads)).toEqual(aborts.map(() => new Error('the client is gone')));
  const alive = await Promise.all(bystanders.map((each) => each.query('SELECT 1').catch(() => null)));
  expect(alive.filter((answer) => answer === null)).toEqual([]);
}, 30_000);

test('the state of a connection is read from its own server', async () => {
  const taken: PoolConnection[] = [];
  for (let count = 0; count < 4; count++) taken.push(await takeConnection(database, database.pool));
  for (const connection of taken) expect(await database.threadState(connection)).toBe('IDLE');
  const busy = taken.map((connection) => connection.query('SELECT SLEEP(20)').catch(() => null));
  await until(async () => (await sleeping()) === taken.length);
  for (const connection of taken) expect(await database.threadState(connection)).toBe('EXECUTING');
  for (const connection of taken) await database.kill(connection);
  await Promise.all(busy);
  for (const connection of taken) {
    expect(await database.threadState(connection)).toBe('GONE');
    connection.destroy();
  }
}, 30_000);

/** Returns the number of reads of this test that run on both servers. */
async function sleeping(): Promise<number> {
  const counts = await Promise.all(
    [bystanders[0], bystanders.at(-1)!].map((connection) =>
      connection.query<{ threads: bigint }[]>(
        "SELECT COUNT(*) AS threads FROM information_schema.PROCESSLIST WHERE INFO = 'SELECT SLEEP(20)'",
      ),
    ),
  );
  return counts.reduce((sum, [{ threads }]) => sum + Number(threads), 0);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('not within ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
