import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { attack, attackedServer, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, expectAnswers } from './requests.js';

attackedServer();

/** The time within which the server must end the statements of a client that has left (ms). */
const GRACE_MS = 2_000;

/** Returns the reads of allocations that other connections to the database run now. */
async function allocationReads({ pool }: Database): Promise<string[]> {
  const rows = await pool.query<{ info: string }[]>(
    `SELECT INFO AS info FROM information_schema.PROCESSLIST
     WHERE COMMAND IN ('Query', 'Execute') AND ID <> CONNECTION_ID() AND DB = DATABASE()
       AND INFO LIKE '%\`allocations\`%'`,
  );
  return rows.map(({ info }) => info.slice(0, 200));
}

longAttack(
  'a filter of 1,000 pairs of traits, counted, and 30 of these, by a client that leaves',
  async ({ url, database }) => {
    const rows = await database.pool.query<{ name: string }[]>('SELECT name FROM traits');
    const pick = (number: number): string => rows[number % rows.length].name;
    const requiredTraits = Array.from({ length: 1_000 }, (_, number) => [pick(number), pick(7 * number + 1)]);
    const one = 'resourceProviders(first: 1, filter: $filter) { totalCount nodes { uuid } }';
    for (const selection of [one, aliases(30, one)]) {
      const gone = AbortSignal.timeout(200);
      const query = `query ($filter: ResourceProviderFilter) { ${selection} }`;
      await ask(url, query, { filter: { requiredTraits } }, { signal: gone });
    }
  },
);

attack('statements of clients that leave while a table is locked', async ({ url, database }) => {
  const query = '{ resourceProviders(first: 10) { nodes { allocations { nodes { amount } } } } }';
  const locking = await database.pool.getConnection();
  await locking.query('LOCK TABLES allocations WRITE');
  try {
    const gone = new AbortController();
    const asked = all(strength(10, 3), () => ask(url, query, {}, { signal: gone.signal }));
    while ((await allocationReads(database)).length === 0) await sleep(20);
    gone.abort();
    await asked;
    const began = performance.now();
    while ((await allocationReads(database)).length > 0 && performance.now() - began < GRACE_MS)
      await sleep(50);
    expect(await allocationReads(database)).toEqual([]);
  } finally {
    await locking.query('UNLOCK TABLES');
    await locking.release();
  }
});

longAttack('slow filters from 20 clients that stay', async ({ url }) => {
  const lists = [
    'consumers(first: 1000, filter: { resourceClass: "VCPU" }) { totalCount nodes { allocations { amount } } }',
    'resourceProviders(last: 1000, filter: { resources: [{ resourceClass: "VCPU", amount: 1 }] }) { totalCount }',
    'usages(projectId: "project-01") { consumerCount usages { used } byType { type { name } consumerCount usages { used } } }',
    'consumerTypes { name consumerCount }',
  ];
  expectAnswers(await all(20, (number) => ask(url, `{ ${aliases(10, lists[number % lists.length])} }`)));
});
