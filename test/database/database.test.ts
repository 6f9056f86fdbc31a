import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { ensureDatabase } from '../../src/store/migrations/ensure.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { useDatabase } from '../support/useDatabase.js';

const statements: string[] = [];
// one connection, so that the server's counters of the session are about these statements alone
const database = useDatabase({ connections: 1, onStatement: (sql) => statements.push(sql) });

async function one<T>(sql: string, values?: unknown[]): Promise<T> {
  const [row] = await database.pool.execute<T[]>(sql, values);
  return row;
}

test('a session does not depend on the defaults of the server', async () => {
  const variables = await database.pool.query<{ name: string; value: string }[]>(
    `SELECT LOWER(variable_name) AS name, variable_value AS value FROM ${await sessionVariables()}`,
  );
  const session = new Map(variables.map(({ name, value }) => [name, value]));
  expect(session.get('tx_isolation') ?? session.get('transaction_isolation')).toBe('READ-COMMITTED');
  expect(session.get('time_zone')).toBe('+00:00');
  expect(session.get('collation_connection')).toBe('utf8mb4_bin');
  expect(session.get('sql_mode')).toMatch(/STRICT_ALL_TABLES/);
});

async function sessionVariables(): Promise<string> {
  const { version } = await one<{ version: string }>('SELECT VERSION() AS version');
  return version.includes('MariaDB')
    ? 'information_schema.session_variables'
    : 'performance_schema.session_variables';
}

test('a connection keeps its isolation level after a transaction of another level', async () => {
  const connection = await database.pool.getConnection();
  await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await connection.beginTransaction();
  await connection.commit();
  await connection.release();
  const other = openDatabase(database.url);
  const writer = await database.pool.getConnection();
  await writer.beginTransaction();
  const count = 'SELECT COUNT(*) AS n FROM projects';
  const before = await writer.query<{ n: number }[]>(count);
  await other.pool.query("INSERT INTO projects (external_id) VALUES ('meanwhile')");
  const after = await writer.query<{ n: number }[]>(count);
  await writer.release();
  await other.close();
  expect(after[0].n).toBe(before[0].n + 1);
});

test('bad data is an error, not a warning', async () => {
  const insert = (id: string): Promise<unknown> =>
    database.pool.query('INSERT INTO users (external_id) VALUES (?)', [id]);
  await expect(insert('x'.repeat(256))).rejects.toMatchObject({ errno: 1406 });
  await expect(
    database.pool.query("INSERT INTO consumers (uuid, project_id, user_id) VALUES ('u', 1, 2147483648)"),
  ).rejects.toMatchObject({ errno: 1264 });
});

test('names compare byte by byte', async () => {
  await database.prisma.user.createMany({
    data: [{ externalId: 'anna' }, { externalId: 'Anna' }, { externalId: 'änna' }],
  });
  expect(await one('SELECT COUNT(*) AS n FROM users WHERE external_id = ?', ['Anna'])).toEqual({ n: 1 });
  expect(await one("SELECT 'a' = 'A' AS same, 'a' = 'a ' AS padded")).toMatchObject({ same: 0 });
});

test('wide integers, sums and generated ids are numbers', async () => {
  expect(
    await one(
      'SELECT COUNT(*) AS n, SUM(id) AS total, 3000000000 AS wide, 1.5 AS decimal_one FROM traits WHERE id < 3',
    ),
  ).toEqual({ n: 2, total: 3, wide: 3_000_000_000, decimal_one: 1.5 });
  const { insertId } = await database.pool.query<{ insertId: unknown }>(
    "INSERT INTO projects (external_id) VALUES ('p')",
  );
  expect(typeof insertId).toBe('number');
  expect(await database.prisma.trait.count()).toBe(345);
});

test('a ratio keeps its single precision in both protocols', async () => {
  const ratio = 1.2345678;
  await database.pool.query(
    `INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
     VALUES (1, 0, 10, 0, 1, 10, 1, ?)`,
    [ratio],
  );
  const sql = 'SELECT allocation_ratio + 0e0 AS ratio FROM inventories';
  expect(await database.pool.query(sql)).toEqual([{ ratio: Math.fround(ratio) }]);
  expect(await database.pool.execute(sql)).toEqual([{ ratio: Math.fround(ratio) }]);
});

test('times are written and read in UTC by the connector and by Prisma', async () => {
  const noon = '2026-07-01 12:00:00';
  const createdAt = new Date('2026-07-01T12:00:00Z');
  await database.pool.execute("INSERT INTO projects (external_id, created_at) VALUES ('binary', ?)", [noon]);
  await database.pool.query("INSERT INTO projects (external_id, created_at) VALUES ('text', ?)", [noon]);
  await database.prisma.project.create({ data: { externalId: 'prisma', createdAt } });
  const stored =
    "SELECT DISTINCT CAST(created_at AS CHAR) AS at FROM projects WHERE external_id IN ('binary', 'text', 'prisma')";
  expect(await database.pool.query(stored)).toEqual([{ at: noon }]);
  for (const read of [database.pool.query.bind(database.pool), database.pool.execute.bind(database.pool)]) {
    expect(await read("SELECT created_at FROM projects WHERE external_id = 'text'")).toEqual([
      { created_at: noon },
    ]);
  }
  expect(await database.prisma.project.findUnique({ where: { externalId: 'text' } })).toMatchObject({
    createdAt,
  });
});

test('every statement is reported once, as the server counts them', async () => {
  const { pool, prisma } = database;
  const questions = async (): Promise<number> =>
    Number((await pool.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Questions'"))[0].Value);
  const before = await questions();
  statements.length = 0;

  await pool.query('SELECT 1');
  for (const id of [1, 2, 3]) await pool.execute('SELECT name FROM traits WHERE id = ?', [id]);
  await pool.batch('INSERT INTO users (external_id) VALUES (?)', [['batch 1'], ['batch 2'], ['batch 3']]);
  const connection = await pool.getConnection();
  await connection.beginTransaction();
  await connection.execute('UPDATE users SET updated_at = UTC_TIMESTAMP() WHERE external_id = ?', [
    'batch 1',
  ]);
  await connection.commit();
  await connection.release();
  await prisma.resourceClass.findMany({ where: { id: { in: [0, 1] } }, include: { inventories: true } });
  await prisma.trait.findUnique({ where: { name: 'HW_CPU_X86_AVX2' } });
  await prisma.trait.findUnique({ where: { name: 'HW_CPU_X86_AVX2' } });
  await prisma.$transaction([prisma.user.count(), prisma.project.count()]);

  const reported = [...statements];
  expect((await questions()) - before - 1).toBe(reported.length);
  // one for the batch on MariaDB; MySQL has no bulk protocol and gets one for each row
  const inserts = reported.filter((sql) => sql.startsWith('INSERT'));
  expect(inserts).toHaveLength(connection.info?.isMariaDB() ? 1 : 3);
  const starts = reported.filter((sql) => !inserts.includes(sql)).map((sql) => sql.split(' ')[0]);
  expect(starts).toEqual([
    ...['SELECT', 'SELECT', 'SELECT', 'SELECT'],
    ...['START', 'UPDATE', 'COMMIT'],
    ...['SELECT', 'SELECT', 'SELECT', 'SELECT'],
    ...['BEGIN', 'SELECT', 'SELECT', 'COMMIT'],
  ]);
});

test('the set-up of a new connection is not reported', async () => {
  const seen: string[] = [];
  const other = openDatabase(database.url, { onStatement: (sql) => seen.push(sql) });
  await Promise.all(Array.from({ length: 5 }, () => other.pool.query('DO 1')));
  await other.close();
  expect(seen).toEqual(Array.from({ length: 5 }, () => 'DO 1'));
});

test('a pool that cannot connect fails its statements, not the process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  const refused = new URL(database.url);
  refused.username = 'nobody';
  const other = openDatabase(refused.href);
  const outcome = other.pool.query('SELECT 1').then(
    () => 'answered',
    () => 'failed',
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  await other.close();
  process.off('unhandledRejection', note).off('uncaughtException', note);
  expect([await outcome, uncaught]).toEqual(['failed', []]);
});

test('a pool and a single connection wait for a server with a slow handshake', async () => {
  const proxy = await TcpProxy.before(database.url);
  const other = openDatabase(proxy.url);
  const slowly = async (work: () => Promise<unknown>): Promise<unknown> => {
    proxy.delay = 1_200;
    proxy.onRequest = () => void (proxy.delay = 0); // the client has been greeted
    return await work();
  };
  try {
    await slowly(() => ensureDatabase(proxy.url));
    expect(await slowly(() => other.pool.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  } finally {
    await other.close();
    proxy.close();
  }
});

test('closing twice is closing once, and statements fail afterwards', async () => {
  const other = openDatabase(database.url);
  await other.pool.query('SELECT 1');
  await Promise.all([other.close(), other.close()]);
  await expect(other.pool.query('SELECT 1')).rejects.toThrow(/closed/);
});

test('a missing database is created once; an existing one is not changed', async () => {
  const url = new URL(database.url);
  url.pathname += '_new`one';
  await ensureDatabase(url.href);
  const other = openDatabase(url.href);
  await other.pool.query('CREATE TABLE kept (a int)');
  await ensureDatabase(url.href);
  expect(await other.pool.query('SELECT * FROM kept')).toEqual([]);
  await other.pool.query(`DROP DATABASE \`${decodeURIComponent(url.pathname.slice(1)).replace('`', '``')}\``);
  await other.close();
});

test('a server that refuses or does not answer is named in one line', async () => {
  const refused = new URL(database.url);
  refused.username = 'nobody';
  refused.password = 'secret';
  const message = await ensureDatabase(refused.href).then(String, String);
  expect(message).toMatch(/^Error: cannot use the database test_\S+ on \S+: Access denied for user 'nobody'/);
  expect(message).not.toMatch(/secret|\n/);
  await expect(ensureDatabase('mysql://root@127.0.0.1:1/placement')).rejects.toThrow(
    /^cannot use the database placement on 127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
});
