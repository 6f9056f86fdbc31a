import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { takes } from '../support/claims.js';
import { cases } from '../support/length.js';
import { race, twoServers } from './twoServers.js';

const running = twoServers();
const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  running.database.pool.query<Row[]>(sql, values);

const HOLDS = cases(10_000, 400);
/** The time within which all holds end (s). */
const SECONDS = cases(60, 4);
/** Whether the machine does nothing else, so that 99 % of the holds must end within a second. The log states the times. */
const IS_ALONE = process.env.PLACEMENT_ALONE === '1';
const PROVIDERS = 40;
const CLIENTS = 8;

interface Sums {
  readonly ended: number;
  readonly different: number;
  readonly early: number;
  /** Later than a second. */
  readonly late: number;
  /** In ms. */
  readonly latest: number;
}

test(`${HOLDS} holds end within ${SECONDS} s while claims go on: each once and none early`, async () => {
  const providers = Array.from({ length: PROVIDERS }, () => randomUUID());
  const inventories = { resourceClass: 'VCPU', total: 1_000_000 };
  await race(
    running,
    'createResourceProvider',
    providers.map((uuid) => ({ name: uuid, uuid, inventories })),
  );
  const onProvider = (at: number) => takes(randomUUID(), null, { [providers[at % PROVIDERS]]: { VCPU: 1 } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  for (let from = 0; from < HOLDS; from += 200) {
    const consumers = Array.from({ length: 200 }, (_, at) => ({ ...onProvider(from + at), expiresAt }));
    expect(await race(running, 'setAllocations', [{ consumers }])).toEqual({ done: 1 });
  }
  await query('CREATE TABLE ended (consumer_id int NOT NULL, at datetime(3) NOT NULL)');
  await query(
    `CREATE TRIGGER ended AFTER DELETE ON consumers FOR EACH ROW INSERT INTO ended VALUES (OLD.id, UTC_TIMESTAMP(3))`,
  );
  await query(
    `UPDATE placement_holds SET expires_at = UTC_TIMESTAMP(3) + INTERVAL FLOOR(${SECONDS} * 1000000 * RAND()) MICROSECOND`,
  );
  await query('CREATE TABLE due AS SELECT * FROM placement_holds');

  let isOver = false;
  const written: string[] = [];
  const claiming = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let at = client; !isOver; at++) {
      const consumer = onProvider(at);
      const input = { consumers: [consumer] };
      const { kind } = await running.clients[client % 2].mutate('setAllocations', input, '__typename');
      if (kind === 'done') written.push(consumer.consumer);
    }
  });
  const begun = performance.now();
  const left = async () =>
    (await query<{ holds: number }>('SELECT COUNT(*) AS holds FROM placement_holds'))[0].holds;
  while ((await left()) > 0) await sleep(50);
  const took = (performance.now() - begun) / 1_000;
  isOver = true;
  await Promise.all(claiming);

  const lateness = 'TIMESTAMPDIFF(MICROSECOND, d.expires_at, e.at)';
  const [sums] = await query<Sums>(
    `SELECT COUNT(*) AS ended, COUNT(DISTINCT e.consumer_id) AS \`different\`, SUM(${lateness} < 0) AS early,
            SUM(${lateness} > 1000000) AS late,
            MAX(${lateness}) DIV 1000 AS latest
       FROM ended e JOIN due d ON d.consumer_id = e.consumer_id`,
  );
  const claims = (written.length / took).toFixed(0);
  const lateOnes = `${sums.late} later than 1 s, the latest ${sums.latest} ms`;
  console.log(`${HOLDS} holds in ${took.toFixed(1)} s, ${lateOnes}; ${claims} claims a second`);
  expect(sums).toMatchObject({ ended: HOLDS, different: HOLDS, early: 0 });
  if (IS_ALONE) expect(sums.late).toBeLessThanOrEqual(HOLDS / 100);
  const stays = await query<{ uuid: string }>('SELECT uuid FROM consumers');
  expect(stays.map(({ uuid }) => uuid).sort()).toEqual(written.sort());
}, 300_000);
