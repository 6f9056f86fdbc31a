import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { groupBy } from '../../src/model/collections.js';
import { Random } from '../oracle/random.js';
import { claimInput } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { cases } from '../support/length.js';
import { loadForest } from '../support/loadForest.js';
import { endOf, type Client } from './client.js';
import { twoServers } from './twoServers.js';

const SECONDS = Number(process.env.PLACEMENT_RACE_SECONDS || cases(10, 2));
const HOSTS = 12;
/** The hosts that each of the two drains of a round empties. */
const DRAINED = 2;
const MAX_CONSUMERS = 40;
const CLAIMERS = 3;
/** How the move of a consumer may end. */
const ENDS = ['done', 'CONSUMER_GENERATION_CONFLICT', 'CAPACITY_EXCEEDED', 'CONCURRENT_UPDATE'];

const running = twoServers();
const SEED = cases(randomInt(2 ** 31), 1);
const random = new Random(SEED);

const names = Array.from({ length: HOSTS }, (_, n) => `host${n}`);
const fleet = names
  .map((name) =>
    [
      `${name}`,
      ...[0, 1].flatMap((n) => [`  ${name}n${n} VCPU:8 MEMORY_MB:8`, `    ${name}n${n}p SRIOV_NET_VF:4`]),
    ].join('\n'),
  )
  .join('\n');

/** Requests a node with a virtual function of its own card, on a host without maintenance. */
const request = {
  groups: [
    { suffix: 'N', resources: ['VCPU', 'MEMORY_MB'].map((resourceClass) => ({ resourceClass, amount: 2 })) },
    { suffix: 'V', resources: { resourceClass: 'SRIOV_NET_VF', amount: 1 } },
  ],
  sameSubtree: { groups: ['N', 'V'] },
  rootForbiddenTraits: 'COMPUTE_STATUS_DISABLED',
};

const counts = { rounds: 0, moved: 0, conflicts: 0, claimed: 0, released: 0, full: 0 };

/** Opens or closes hosts to new claims. */
async function close(client: Client, hosts: readonly string[], isClosed: boolean): Promise<void> {
  const edit = { [isClosed ? 'add' : 'remove']: ['COMPUTE_STATUS_DISABLED'] };
  for (const host of hosts) {
    const input = { resourceProvider: { uuid: uuidOf('provider', host) }, traits: edit };
    expect(await client.mutate('updateResourceProvider', input, '__typename')).toMatchObject({
      kind: 'done',
    });
  }
}

interface Move {
  readonly consumer: { uuid: string; generation: number; projectId: string; userId: string };
  readonly allocationRequest: { claimToken: string } | null;
}

/** Plans and moves until the hosts have no consumer left. */
async function drain(client: Client, hosts: readonly string[]): Promise<void> {
  const from = { providers: hosts.map((host) => ({ uuid: uuidOf('provider', host) })) };
  for (;;) {
    const { planDrain } = await client.read<{ planDrain: { moves: Move[] } }>(
      `query ($from: TreesInput!) { planDrain(from: $from) {
         moves { consumer { uuid generation projectId userId } allocationRequest { claimToken } } } }`,
      { from },
    );
    if (planDrain.moves.length === 0) return;
    for (const { consumer, allocationRequest } of planDrain.moves) {
      if (allocationRequest === null) continue;
      const { uuid, ...rest } = consumer;
      const moved = { ...rest, consumer: uuid, allocations: allocationRequest };
      const outcome = await client.mutate('setAllocations', { consumers: [moved] }, '__typename');
      if (outcome.kind === 'done') counts.moved++;
      else counts.conflicts++;
      expect(ENDS).toContain(endOf(outcome));
    }
  }
}

/**
 * Claims and releases consumers until the drains are over. `held` are the consumers of this
 * claimer.
 */
async function work(client: Client, held: Set<string>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (held.size > MAX_CONSUMERS / CLAIMERS || (held.size > 0 && random.chance(40))) {
      const consumer = random.pick([...held]);
      expect(await client.mutate('deleteConsumer', { consumer }, 'uuid')).toMatchObject({ kind: 'done' });
      held.delete(consumer);
      counts.released++;
      continue;
    }
    const consumer = randomUUID();
    const input = claimInput(request, [{ consumer, projectId: 'p', userId: 'u' }]);
    const outcome = await client.mutate('claim', input, '__typename');
    if (outcome.kind === 'done') {
      held.add(consumer);
      counts.claimed++;
    } else {
      expect(outcome).toMatchObject({ code: 'NO_CANDIDATES' });
      counts.full++;
    }
  }
}

/** Claims one consumer on each host. Nobody releases them, so that each drain has something to move. */
async function claimResidents(client: Client): Promise<string[]> {
  const residents = names.map(() => randomUUID());
  const consumers = residents.map((consumer) => ({ consumer, projectId: 'p', userId: 'u' }));
  const input = claimInput(request, consumers, 'DISTINCT_TREES');
  expect(await client.mutate('claim', input, '__typename')).toMatchObject({ kind: 'done' });
  return residents;
}

/**
 * Checks that exactly these consumers exist, complete and in their shape, and none on closed hosts.
 */
async function check(held: ReadonlySet<string>, closed: readonly string[]): Promise<void> {
  const rows = await running.database.pool.query<
    { consumer: string; provider: string; class: string; used: number }[]
  >(
    `SELECT a.consumer_id AS consumer, p.name AS provider, k.name AS class, a.used FROM allocations a
     JOIN resource_providers p ON p.id = a.resource_provider_id
     JOIN resource_classes k ON k.id = a.resource_class_id`,
  );
  const byConsumer = groupBy(rows, ({ consumer }) => consumer);
  expect([...byConsumer.keys()].sort()).toEqual([...held].sort());
  for (const parts of byConsumer.values()) {
    const node = parts.find((part) => part.class === 'VCPU')!.provider;
    const has = parts.map((part) => `${part.provider} ${part.class} ${part.used}`).sort();
    expect(has).toEqual([`${node} MEMORY_MB 2`, `${node} VCPU 2`, `${node}p SRIOV_NET_VF 1`].sort());
    expect(closed.some((host) => node.startsWith(`${host}n`))).toBe(false);
  }
}

test(
  `two drains and claims race through two servers for ${SECONDS} s: hosts empty, nothing lost, a clean audit (seed ${SEED})`,
  async () => {
    await loadForest(running.database, forest(fleet));
    const { clients } = running;
    const residents = await claimResidents(clients[0]);
    const held = Array.from({ length: CLAIMERS }, () => new Set<string>());
    const end = performance.now() + 1000 * SECONDS;
    for (; performance.now() < end; counts.rounds++) {
      const closed = random.sample(names, 2 * DRAINED);
      await close(clients[0], closed, true);
      let isOver = false;
      const claimers = held.map((own, n) => work(clients[n % 2], own, () => isOver));
      const drains = clients.map((client, n) => drain(client, closed.slice(n * DRAINED, (n + 1) * DRAINED)));
      await Promise.all([...claimers, Promise.all(drains).finally(() => (isOver = true))]);
      await check(new Set([...residents, ...held.flatMap((own) => [...own])]), closed);
      await close(clients[1], closed, false);
    }
    process.stderr.write(`drains: ${JSON.stringify(counts)}\n`);
    const { audit } = await clients[0].read<{ audit: { totalCount: number } }>(
      '{ audit(first: 0) { totalCount } }',
    );
    expect(audit.totalCount).toBe(0);
    expect(Math.min(counts.rounds, counts.moved, counts.claimed, counts.released)).toBeGreaterThan(0);
  },
  1000 * SECONDS + 60_000,
);
