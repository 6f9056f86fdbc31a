import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { attack, attackedServer, strength } from './attackedServer.js';
import { aliases, ask } from './requests.js';

attackedServer();

/** How long the server may take to end the statements of a client that has left. */
const GRACE_MS = 2_000;

/** What other connections to the database run now, but for what is over in a moment. */
async function statements({ pool }: Database): Promise<string[]> {
  const rows = await pool.query<{ info: string }[]>(
    `SELECT INFO AS info FROM information_schema.PROCESSLIST
     WHERE COMMAND IN ('Query', 'Execute') AND ID <> CONNECTION_ID() AND INFO IS NOT NULL AND DB = DATABASE()`,
  );
  return rows
    .map(({ info }) => info.slice(0, 200))
    .filter((info) => !/^SELECT .{0,60}placement_feed/.test(info));
}

/** Waits until the client's statements run, lets the client leave, and expects them to be gone soon. */
async function leave(database: Database, begin: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const gone = new AbortController();
  const asked = begin(gone.signal);
  let isOver = false;
  void asked.then(() => (isOver = true));
  await sleep(1_500);
  const running = await statements(database);
  gone.abort();
  await asked;
  if (isOver && running.length === 0) return; // so quick that there is nothing to end
  const began = performance.now();
  let left = await statements(database);
  while (left.length > 0 && performance.now() - began < GRACE_MS) {
    await sleep(100);
    left = await statements(database);
  }
  expect(left).toEqual([]);
}

attack(
  'a filter of 1,000 pairs of traits, counted, and 30 of these, by a client that leaves',
  async ({ url, database }) => {
    const names = (await database.pool.query<{ name: string }[]>('SELECT name FROM traits')).map(
      ({ name }) => name,
    );
    const pick = (number: number): string => names[number % names.length];
    const requiredTraits = Array.from({ length: 1_000 }, (_, number) => [pick(number), pick(7 * number + 1)]);
    const filter = `query ($filter: ResourceProviderFilter) `;
    const one = 'resourceProviders(first: 1, filter: $filter) { totalCount nodes { uuid } }';
    const variables = { filter: { requiredTraits } };
    await leave(database, (signal) => ask(url, `${filter}{ ${one} }`, variables, { signal }));
    await leave(database, (signal) => ask(url, `${filter}{ ${aliases(30, one)} }`, variables, { signal }));
  },
);

attack('consumers of a class, counted 400 times, by clients that leave', async ({ url, database }) => {
  const query = `{ ${aliases(400, 'consumers(first: 1, filter: { resourceClass: "VCPU" }) { totalCount }')} }`;
  await leave(database, (signal) => ask(url, query, {}, { signal }));
  await leave(database, (signal) =>
    Promise.all(Array.from({ length: strength(10, 3) }, () => ask(url, query, {}, { signal }))),
  );
});

attack('audits by clients that leave', async ({ url, database }) => {
  const query = `{ ${aliases(20, 'audit(first: 1000) { totalCount nodes { message } }')} }`;
  await leave(database, (signal) =>
    Promise.all(Array.from({ length: strength(10, 3) }, () => ask(url, query, {}, { signal }))),
  );
});

attack('slow filters from 20 clients that stay', async ({ url }) => {
  const lists = [
    'consumers(first: 1000, filter: { resourceClass: "VCPU" }) { totalCount nodes { allocations { used } } }',
    'resourceProviders(last: 1000, filter: { resources: [{ resourceClass: "VCPU", amount: 1 }] }) { totalCount }',
    'usages(projectId: "project-01") { consumerType consumerCount usages { used } }',
    'consumerTypes { name consumerCount }',
  ];
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, number) => ask(url, `{ ${aliases(10, lists[number % lists.length])} }`)),
  );
  for (const { failure, status, ms } of replies) {
    expect(failure).toBeNull();
    expect([200, 400, 503]).toContain(status);
    expect(ms).toBeLessThan(35_000);
  }
});
