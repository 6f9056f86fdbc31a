import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../src/store/database/database.js';
import { isRetryable, reason, refusal } from '../../src/store/database/failures.js';
import { DatabaseUnavailable } from '../../src/model/operation/waiting.js';
import { failureOf } from '../support/failureOf.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
/** A second client with one connection, which gives up waiting for a lock after a second. */
let rival: Database;

beforeAll(async () => {
  rival = openDatabase(database.url, { connections: 1 });
  await rival.pool.query('SET SESSION innodb_lock_wait_timeout = 1');
});
afterAll(() => rival.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM projects');
  await database.pool.query("INSERT INTO projects (id, external_id) VALUES (1, 'one'), (2, 'two')");
});

const touch = (id: number): string => `UPDATE projects SET updated_at = UTC_TIMESTAMP() WHERE id = ${id}`;

const signal = (number: number, message: string): string =>
  `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number}, MESSAGE_TEXT = "${message}"`;

type Step = (id: number) => Promise<unknown>;

/** Runs two transactions that lock rows 1 and 2 in different orders. Returns the error of the one that fails. */
async function deadlock(
  transaction: (work: (step: Step) => Promise<void>) => Promise<unknown>,
): Promise<unknown> {
  let arrived = 0;
  let go: () => void = () => undefined;
  const bothArrived = new Promise<void>((resolve) => (go = resolve));
  const crosswise = (first: number, second: number): Promise<unknown> =>
    failureOf(
      transaction(async (step) => {
        await step(first);
        if (++arrived === 2) go();
        await bothArrived;
        await step(second);
      }),
    );
  const errors = await Promise.all([crosswise(1, 2), crosswise(2, 1)]);
  const lost = errors.filter((error) => error !== undefined);
  expect(lost).toHaveLength(1);
  return lost[0];
}

describe('a transaction is worth another attempt after', () => {
  test('a deadlock seen by the connector', async () => {
    const error = await deadlock(async (work) => {
      const connection = await database.pool.getConnection();
      try {
        await connection.beginTransaction();
        await work((id) => connection.execute(touch(id)));
        await connection.commit();
      } finally {
        await connection.release();
      }
    });
    expect(error).toMatchObject({ errno: 1213 });
    expect(isRetryable(error)).toBe(true);
  });

  test('a deadlock in a Prisma model call', async () => {
    const error = await deadlock((work) =>
      database.prisma.$transaction((tx) =>
        work((id) => tx.project.update({ where: { id }, data: { updatedAt: new Date() } })),
      ),
    );
    expect(error).toMatchObject({ code: 'P2034' });
    expect(isRetryable(error)).toBe(true);
  });

  test('a deadlock in a raw Prisma query', async () => {
    const error = await deadlock((work) =>
      database.prisma.$transaction((tx) => work((id) => tx.$executeRawUnsafe(touch(id)))),
    );
    expect(isRetryable(error)).toBe(true);
  });

  test('a lock wait timeout, from the connector and from Prisma', async () => {
    const holder = await database.pool.getConnection();
    await holder.beginTransaction();
    await holder.execute(touch(1));
    const errors = [
      await failureOf(rival.pool.execute(touch(1))),
      await failureOf(rival.prisma.project.update({ where: { id: 1 }, data: { updatedAt: new Date() } })),
      await failureOf(rival.prisma.$executeRawUnsafe(touch(1))),
    ];
    await holder.rollback();
    await holder.release();
    expect(errors[0]).toMatchObject({ errno: 1205 });
    expect(errors.map(isRetryable)).toEqual([true, true, true]);
  });

  test('a killed connection, whether it was busy or idle', async () => {
    const busy = await database.pool.getConnection();
    const id = busy.threadId;
    const sleeping = failureOf(busy.query('SELECT SLEEP(10) FROM projects'));
    await database.pool.query('DO SLEEP(0.1)');
    await database.pool.query(`KILL ${id}`);
    expect(isRetryable(await sleeping)).toBe(true);
    expect(isRetryable(await failureOf(busy.query('SELECT 1')))).toBe(true);
    await busy.release();
    expect(await database.pool.query('SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
  });

  test.each([
    ...[1020, 1047, 1205, 1213, 1290, 1836, 3032, 3100, 3101, 3782, 3783, 3796, 3797, 3799].map(
      (number) => [number, 'as a cluster says it'] as const,
    ),
    [1180, "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT"] as const,
  ])('error %d of the server: %s', async (number, message) => {
    const error = await failureOf(database.pool.query(signal(number, message)));
    expect(error).toMatchObject({ errno: number });
    expect(isRetryable(error)).toBe(true);
    expect(refusal(error)).toBeInstanceOf(DatabaseUnavailable); // where a read meets it
  });

  test("a conflict found at COMMIT, which Prisma's adapter throws bare", () => {
    // seen on a Galera cluster; a single server finds no conflicts at COMMIT
    const cause = {
      originalCode: '1213',
      originalMessage: 'Deadlock found',
      kind: 'TransactionWriteConflict',
    };
    expect(isRetryable(Object.assign(new Error('TransactionWriteConflict'), { cause }))).toBe(true);
  });
});

test.each([1021, 1026, 1114])(
  'error %d, a full disk, is a database that is not available, and nothing is tried again',
  async (number) => {
    const error = await failureOf(database.pool.query(signal(number, 'as a full disk says it')));
    expect(isRetryable(error)).toBe(false);
    expect(refusal(error)).toBeInstanceOf(DatabaseUnavailable);
  },
);

describe('it is not after', () => {
  test('a mistake', async () => {
    const errors = [
      await failureOf(database.pool.query('SELEC 1')),
      await failureOf(
        database.pool.query(
          'INSERT INTO consumers (uuid, project_id, user_id, consumer_type_id) VALUES (1, 1, 1, 99)',
        ),
      ),
      await failureOf(database.pool.query("INSERT INTO projects (external_id) VALUES ('one')")),
      await failureOf(database.prisma.project.create({ data: { externalId: 'one' } })),
      await failureOf(database.prisma.project.update({ where: { id: 77 }, data: { externalId: 'new' } })),
      await failureOf(database.prisma.$queryRawUnsafe('SELECT nothing FROM nowhere')),
      await failureOf(database.pool.query(signal(1180, "Got error 28 - 'No space left' during COMMIT"))),
    ];
    expect(errors.every((error) => error instanceof Error)).toBe(true);
    expect(errors.map(isRetryable)).toEqual(errors.map(() => false));
  });

  test('anything that is no error of a database', () => {
    const circle: { cause?: unknown } = new Error('circle');
    circle.cause = circle;
    for (const thing of [circle, new Error('boom'), null, undefined, 1213, 'P2034', {}]) {
      expect(isRetryable(thing)).toBe(false);
    }
  });
});

test('the reason of a failure is one line without the statement', async () => {
  expect(reason(await failureOf(database.pool.query('SELECT 1 FROM nowhere')))).toMatch(
    /^Table '\S+\.nowhere' doesn't exist$/,
  );
  expect([reason(new Error('boom')), reason('boom')]).toEqual(['boom', 'boom']);
});
