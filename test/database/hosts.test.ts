import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { ensureDatabase, requireDatabase } from '../../src/store/migrations/ensure.js';
import { takeConnection } from '../../src/store/database/onConnection.js';
import { failureOf } from '../support/failureOf.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { useDatabase } from '../support/useDatabase.js';

const NOBODY = '127.0.0.1:1';

const database = useDatabase();
let first: TcpProxy;
let second: TcpProxy;
let opened: Database[] = [];
beforeEach(async () => {
  first = await TcpProxy.before(database.url);
  second = await TcpProxy.before(database.url);
});
afterEach(async () => {
  for (const each of opened) await each.close();
  opened = [];
  first.close();
  second.close();
});

/** Returns the URL of the database with these hosts. */
function urlOf(...hosts: string[]): string {
  const url = new URL(first.url);
  return first.url.replace(url.host, hosts.join(','));
}

const hostOf = ({ url }: TcpProxy): string => new URL(url).host;

function open(...hosts: string[]): Database {
  const own = openDatabase(urlOf(...hosts), { connections: 2 });
  opened.push(own);
  return own;
}

test('the first of several hosts is preferred, for all connections', async () => {
  const own = open(hostOf(first), hostOf(second));
  await Promise.all([
    own.pool.query('SELECT 1'),
    own.transactions.query('SELECT 1'),
    own.prisma.trait.count(),
  ]);
  expect(first.connections.size).toBeGreaterThan(2);
  expect(second.connections.size).toBe(0);
});

test('a connection goes to the next host immediately if a host does not answer', async () => {
  const url = urlOf(NOBODY, hostOf(second));
  await ensureDatabase(url);
  await requireDatabase(url);
  const own = open(NOBODY, hostOf(second));
  const began = Date.now();
  expect(await own.pool.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(Date.now() - began).toBeLessThan(2_000);
});

test('connections go to the next host when the first is away, those that are waited for too, and back when it is well', async () => {
  const own = open(hostOf(first), hostOf(second));
  await own.pool.query('SELECT 1');
  first.isUp = false;
  first.cutAll();
  await failureOf(own.pool.query('SELECT 1'));
  const began = Date.now();
  const answers = await Promise.all(Array.from({ length: 8 }, () => own.pool.query('SELECT 1 AS one')));
  expect(answers).toEqual(answers.map(() => [{ one: 1 }]));
  expect(Date.now() - began).toBeLessThan(6_000);
  expect(second.connections.size).toBeGreaterThan(0);

  first.isUp = true;
  const held = await own.pool.getConnection();
  const end = Date.now() + 15_000;
  while (first.connections.size === 0 && Date.now() < end) await failureOf(own.pool.query('DO SLEEP(0.1)'));
  expect(first.connections.size).toBeGreaterThan(0);
  expect(await held.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await held.release();
  while (second.connections.size > 0 && Date.now() < end) await own.pool.query('DO SLEEP(0.1)');
  expect(second.connections.size).toBe(0);
});

test('the checks of a node that takes connections but does not answer leave no connections open', async () => {
  first.onRequest = (data, connection) => {
    if (data.includes('SHOW GLOBAL VARIABLES')) connection.silence();
  };
  const own = open(hostOf(first), hostOf(second));
  expect(await own.pool.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  let checks = 0;
  const counted = first.onRequest;
  first.onRequest = (data, connection) => {
    if (data.includes('SHOW GLOBAL VARIABLES')) checks++;
    counted(data, connection);
  };
  while (checks < 5) await own.pool.query('DO SLEEP(0.1)');
  expect(first.connections.size).toBeLessThanOrEqual(2); // those of this check and of the one before
}, 30_000);

test('a statement can still be ended', async () => {
  const own = open(hostOf(first), hostOf(second));
  const connection = await takeConnection(own, own.pool);
  const sleeping = failureOf(connection.query('SELECT SLEEP(20)'));
  await own.kill(connection);
  expect(await sleeping).toBeInstanceOf(Error);
  connection.destroy();
});
