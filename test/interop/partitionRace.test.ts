import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migCard, migTree, profileClass } from '../../src/command/fleetSources/migCards.js';
import { expandInputs } from '../../src/command/inputFile.js';
import { readAudit, repairAudit } from '../../src/store/audit/audit.js';
import { AUDIT_CHECKS } from '../../src/store/audit/rule.js';
import { overused, wrongCounters } from '../ledger/partitionSupport.js';
import { times } from '../ledger/support.js';
import { Random } from '../oracle/random.js';
import type { RestAnswer } from '../../bench/beside/reference.js';
import { Client, endOf, type Outcome } from '../races/client.js';
import { startApi, type Api } from '../support/api.js';
import { claimInput, newConsumers } from '../support/claims.js';
import { SEED } from './settings.js';
import { READ_COMMITTED, sharedDatabase, type SharedDatabase } from './sharedDatabase.js';

const SECONDS = Number(process.env.PLACEMENT_PARTITION_MINUTES || 1 / 3) * 60;
/** After each round all clients pause, and the audit must be clean after its repair. */
const ROUND_MS = 5_000;
/** The clients of each server, and those of OpenStack Placement. */
const CLIENTS = 4;
const CARD = 'H100-80GB';
const CARDS = 4;
const START = 120_000;

/** How a claim or a release through this server may end. */
const ENDS = ['done', 'NO_CANDIDATES', 'NOT_FOUND', 'CONCURRENT_UPDATE', 'CONSUMER_GENERATION_CONFLICT'];

let shared: SharedDatabase;
let other: Api;
let servers: readonly Client[];
let profiles: readonly string[];

beforeAll(async () => {
  shared = await sharedDatabase(READ_COMMITTED);
  other = await startApi(shared.database);
  servers = [shared.api, other].map(({ url }) => new Client(url));
  const card = await migCard(CARD);
  profiles = Object.keys(card.profiles);
  const tree = { source: CARD, input: migTree(card, 'host', CARDS) };
  const [{ input }] = await expandInputs<{ root: object }>('tree', [tree]);
  const answer = await shared.api.mutate('applyProviderTrees', { owner: 'mig', trees: [input.root] });
  expect(answer.__typename).toBe('ApplyProviderTreesPayload');
}, START);
afterAll(async () => {
  servers?.forEach((client) => client.close());
  await other?.close();
  await shared?.close();
}, START);

/** The allocations of a consumer in the REST API of OpenStack Placement. */
interface Held {
  readonly allocations: Record<string, { readonly resources: Record<string, number> }>;
  readonly consumer_generation?: number;
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_type?: string;
}

/** Clients that race until a round is over. They share the consumers that may exist. */
class Race {
  readonly ends: Record<string, number> = {};
  readonly repaired: Record<string, number> = {};
  private readonly consumers = new Set<string>();
  private readonly random = new Random(SEED);

  /**
   * Returns how often it has compared the usage. With `leavesOut`, Placement also leaves out the counters of consumers. It
   * does not know which counters such a consumer consumes, and so it must not write what a consumer had before.
   */
  async round(end: number, leavesOut: boolean): Promise<number> {
    const isOver = (): boolean => performance.now() > end;
    const clients = [
      ...servers.flatMap((server) => times(CLIENTS, () => () => this.useServer(server))),
      ...times(CLIENTS, () => () => this.usePlacement(leavesOut)),
    ];
    const running = Promise.all(
      clients.map(async (step) => {
        while (!isOver()) await step();
      }),
    );
    let checks = 0;
    for (; !isOver(); checks++) {
      expect(await overused(shared.database)).toEqual([]);
      await sleep(20);
    }
    await running;
    return checks;
  }

  /** Leaves out the counters of a consumer while nobody else writes: during a round such consumers soon end. */
  async leaveOut(): Promise<void> {
    const oldest = 'SELECT consumer_id AS uuid FROM allocations ORDER BY id LIMIT 1';
    const [found] = await shared.database.pool.query<{ uuid: string }[]>(oldest);
    const consumer = found?.uuid ?? (await claimed('1g.10gb', 1))[0];
    expect((await sent('leave out', await heldBy(consumer), consumer, '')).status).toBe(204);
  }

  /** Repairs as `audit-database --fix` does. */
  async repair(): Promise<void> {
    for await (const findings of repairAudit(shared.database.ledger))
      for (const { check } of findings) this.repaired[check] = (this.repaired[check] ?? 0) + 1;
  }

  /** Claims one or two partitions, or releases a consumer. */
  private async useServer(server: Client): Promise<void> {
    const consumer = this.random.chance(50) ? this.any() : undefined;
    if (consumer !== undefined) {
      this.note('release', await server.mutate('deleteConsumer', { consumer }, 'uuid'));
      this.consumers.delete(consumer);
      return;
    }
    const claimed = randomUUID();
    const groups = this.random.sample(profiles, this.random.between(1, 2)).map((profile, at) => ({
      suffix: `_${at}`,
      resources: { resourceClass: profileClass(profile), amount: 1 },
    }));
    const owner = { consumer: claimed, projectId: 'p', userId: 'u', type: 'INSTANCE' };
    const outcome = await server.mutate('claim', claimInput({ groups }, [owner]), '__typename');
    this.note('claim', outcome);
    if (outcome.kind === 'done') this.consumers.add(claimed);
  }

  private note(what: string, outcome: Outcome): void {
    expect(ENDS).toContain(endOf(outcome));
    this.count(`${what}: ${endOf(outcome)}`);
  }

  private count(end: string): void {
    this.ends[end] = (this.ends[end] ?? 0) + 1;
  }

  private any(): string | undefined {
    return this.consumers.size === 0 ? undefined : this.random.pick([...this.consumers]);
  }

  /** Copies, moves or releases a whole consumer, or leaves out its counters. */
  private async usePlacement(leavesOut: boolean): Promise<void> {
    const consumer = this.any();
    if (consumer === undefined) return sleep(10);
    const held = await heldBy(consumer);
    if (Object.keys(held.allocations).length === 0) return;
    const write = this.random.pick(['move', 'move', 'release', leavesOut ? 'leave out' : 'copy'] as const);
    const target = randomUUID();
    const { status, body } = await sent(write, held, consumer, target);
    this.count(`Placement's ${write}: ${status}${status === 409 ? ` ${reasonOf(body)}` : ''}`);
    if (status !== 204) return;
    if (write === 'copy' || write === 'move') this.consumers.add(target);
    if (write === 'move' || write === 'release') this.consumers.delete(consumer);
  }
}

function sent(
  write: 'copy' | 'move' | 'release' | 'leave out',
  held: Held,
  consumer: string,
  target: string,
): Promise<RestAnswer> {
  const { reference } = shared;
  const whole = withAllocations(held, held.allocations, null);
  switch (write) {
    case 'copy':
      return reference.send('PUT', `/allocations/${target}`, whole);
    case 'move':
      return reference.send('POST', '/allocations', {
        [target]: whole,
        [consumer]: withAllocations(held, {}),
      });
    case 'release':
      return reference.send('DELETE', `/allocations/${consumer}`);
    case 'leave out':
      return reference.send('PUT', `/allocations/${consumer}`, withAllocations(held, partsOf(held)));
  }
}

function withAllocations(
  held: Held,
  allocations: Held['allocations'],
  generation: number | null | undefined = held.consumer_generation,
) {
  const { project_id, user_id, consumer_type } = held;
  const some = Object.entries(allocations).map(([uuid, { resources }]) => [uuid, { resources }]);
  return {
    allocations: Object.fromEntries(some) as object,
    project_id,
    user_id,
    consumer_type,
    consumer_generation: generation,
  };
}

/** Returns the allocations of partitions alone. */
function partsOf({ allocations }: Held): Held['allocations'] {
  const names = new Set(profiles.map(profileClass));
  return Object.fromEntries(
    Object.entries(allocations).filter(([, { resources }]) =>
      Object.keys(resources).every((each) => names.has(each)),
    ),
  );
}

function reasonOf(body: unknown): string {
  const text = JSON.stringify(body);
  if (text.includes('consumer generation conflict')) return 'consumer generation conflict';
  return text.includes('concurrent_update') ? 'concurrent update' : 'capacity';
}

/** Claims a partition for each of some new consumers, and returns their uuids. */
async function claimed(profile: string, count: number): Promise<string[]> {
  const consumers = newConsumers(count).map((each) => ({ ...each, type: 'INSTANCE' }));
  const groups = [{ resources: { resourceClass: profileClass(profile), amount: 1 } }];
  const outcome = await servers[0].mutate('claim', claimInput({ groups }, consumers), '__typename');
  expect(endOf(outcome)).toBe('done');
  return consumers.map(({ consumer }) => consumer);
}

async function heldBy(consumer: string): Promise<Held> {
  return (await shared.reference.send('GET', `/allocations/${consumer}`)).body as Held;
}

test('OpenStack Placement does not count the counters that a consumer lacks, and this server does', async () => {
  const [small] = await claimed('1g.10gb', 1);
  const older = await heldBy(small);
  expect(endOf(await servers[0].mutate('deleteConsumer', { consumer: small }, 'uuid'))).toBe('done');
  const whole = await claimed('7g.80gb', CARDS);
  for (const consumer of whole)
    expect((await sent('leave out', await heldBy(consumer), consumer, '')).status).toBe(204);
  await expect(claimed('1g.10gb', 1)).rejects.toThrow('NO_CANDIDATES');
  const copy = randomUUID();
  expect((await sent('copy', older, small, copy)).status).toBe(204);
  expect(await overused(shared.database)).not.toEqual([]);
  for (const consumer of [...whole, copy])
    expect(endOf(await servers[0].mutate('deleteConsumer', { consumer }, 'uuid'))).toBe('done');
});

test(
  `partitions race through two servers and OpenStack Placement for ${SECONDS} s: no slice is used twice (seed ${SEED})`,
  async () => {
    const race = new Race();
    const { database } = shared;
    const findings = () => readAudit(database, AUDIT_CHECKS, { after: null, limit: 100 });
    let [rounds, checks] = [0, 0];
    for (const end = performance.now() + SECONDS * 1_000; performance.now() < end; rounds++) {
      const leavesOut = rounds % 2 === 1;
      checks += await race.round(Math.min(end, performance.now() + ROUND_MS), leavesOut);
      if (leavesOut) await race.leaveOut();
      await race.repair();
      expect(await findings()).toEqual([]);
      expect(await wrongCounters(database)).toEqual([]);
      expect(await overused(database)).toEqual([]);
    }
    const { ends, repaired } = race;
    process.stderr.write(`partitions: ${JSON.stringify({ rounds, checks, repaired, ends })}\n`);
    for (const end of ['claim: done', 'release: done', "Placement's move: 204", "Placement's release: 204"])
      expect(ends[end]).toBeGreaterThan(0);
    expect(repaired.MISSING_CONSUMPTION).toBeGreaterThan(0);
  },
  SECONDS * 1_000 + START,
);
