import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import type { Client } from './client.js';
import { against, timeFigure, type Check, type Figure } from './figure.js';
import { interleaved, type Work } from './measure.js';
import { amounts, CANDIDATES, CLAIM, claimInput, OWNER } from './requests.js';

/** The maximum number of consumers of one claim. */
const CONSUMERS = 1_000;
const SPREAD = [{ freeShare: { resourceClass: 'VCPU', strategy: 'SPREAD' } }];
const PACK = [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } }];
const BY_TWO = [...SPREAD, { freeShare: { resourceClass: 'MEMORY_MB', strategy: 'SPREAD' } }];

/** The orders. `bar` is the minimum number of consumers per second for a claim of many. */
const ORDERS = [
  { name: 'in any order', orderBy: [], bar: 8_000 },
  { name: 'SPREAD', orderBy: SPREAD, bar: 5_000 },
  { name: 'PACK', orderBy: PACK, bar: 5_000 },
  { name: 'SPREAD by two classes', orderBy: BY_TWO, bar: 5_000 },
] as const;

/** The maximum time of an ordered search, as a multiple of the time of an unordered one. */
const TIMES_UNORDERED = 1.5;

/**
 * Measures claims of many consumers at once by several orders. Compares ordered searches with
 * unordered ones, before and after a claim.
 */
export async function bulkFigures(bench: Bench): Promise<Figure[]> {
  const { hosts, options, client } = bench;
  const claims = await interleaved(
    ORDERS.map(
      ({ orderBy }) =>
        () =>
          claimAndRelease(client, CONSUMERS, orderBy),
    ),
    Math.ceil(options.repetitions / 15),
  );
  const figures = claims.map((times, at): Figure => ({
    hosts,
    what: `claim of ${CONSUMERS} consumers, ${ORDERS[at].name}`,
    value: (1_000 * CONSUMERS) / times.median,
    unit: '/s',
    p99: times.p99,
    count: times.count,
    detail: `median ${times.median.toFixed(0)} ms`,
    checks: [{ bar: { atLeast: ORDERS[at].bar } }],
  }));
  return [
    ...figures,
    ...(await searches(bench, 'before a claim')),
    ...(await searches(bench, 'after a claim')),
  ];
}

async function searches(
  { hosts, options, client }: Bench,
  when: 'before a claim' | 'after a claim',
): Promise<Figure[]> {
  const times = await interleaved(
    ORDERS.map(({ orderBy }): Work => async () => {
      if (when === 'after a claim') await claimAndRelease(client, 1, []);
      const request = {
        groups: [{ resources: amounts({ VCPU: 4, MEMORY_MB: 8_192, DISK_GB: 20 }) }],
        orderBy,
      };
      return (await client.send(CANDIDATES, { request, limit: 10 })).ms;
    }),
    options.repetitions,
  );
  return times.map((each, at) => {
    const checks: Check[] = at === 0 ? [] : [against('in any order', times[0], { atMost: TIMES_UNORDERED })];
    return timeFigure(each, {
      hosts,
      what: `limit 10, ${ORDERS[at].name}, ${when}`,
      detail: '10 candidates',
      checks,
    });
  });
}

/** Returns the time of the claim alone (ms). */
async function claimAndRelease(client: Client, count: number, orderBy: readonly object[]): Promise<number> {
  const consumers = Array.from({ length: count }, () => ({ consumer: randomUUID(), ...OWNER }));
  const request = { groups: [{ resources: amounts({ VCPU: 1, MEMORY_MB: 256 }) }], orderBy };
  const { ms, text } = await client.send(CLAIM, { input: claimInput(request, consumers) });
  if (!text().includes('ClaimPayload')) throw new Error(`a claim failed: ${text().slice(0, 500)}`);
  await client.change('setAllocations', {
    consumers: consumers.map((each) => ({ ...each, generation: 1, allocations: { providers: [] } })),
  });
  return ms;
}
