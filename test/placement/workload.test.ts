import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { entryOf } from '../../src/domain/errors.js';
import type { TopologyRule } from '../../src/engine/workload/workload.js';
import {
  claim as claimIn,
  type ClaimedWorkload,
  type ClaimMember,
  type ClaimRequest,
  type ClaimServices,
} from '../../src/placement/claim.js';
import { NoCandidates } from '../../src/placement/noCandidates.js';
import { planClaim, type WorkloadPlans } from '../../src/placement/workloadPlan.js';
import { CapacityExceeded, ConcurrentUpdate, ConsumerGenerationConflict } from '../../src/ledger/errors.js';
import { Operations } from '../../src/runtime/operation.js';
import { query, toRequest } from '../support/caseRequests.js';
import { openProcess, type ProcessDatabase } from '../support/database.js';
import { aggregate, forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { useDatabase } from '../support/useDatabase.js';

const fleet = forest(`
  H1 VCPU:8 VGPU:2 @A
  H2 VCPU:8 VGPU:2 @A
  H3 VCPU:8 VGPU:2 @B
  H4 VCPU:8 @B
`);
const database = useDatabase();
const others: ProcessDatabase[] = [];
beforeEach(() => loadForest(database, fleet));
afterAll(() => Promise.all(others.map((other) => other.close())));

const operations = new Operations();

async function claim(
  claimed: Pick<ClaimRequest, 'members'> & Partial<ClaimRequest>,
  process: Omit<ClaimServices, 'database'> & ClaimServices['database'] = database,
): Promise<ClaimedWorkload> {
  const operation = operations.begin();
  const services = { ...process, database: process };
  return claimIn(services, { topology: [], seed: null, ...claimed, operation }).finally(() =>
    operation.end(),
  );
}

function member(
  name: string,
  count: number,
  requests: string[],
  rest: Partial<ClaimMember> = {},
): ClaimMember {
  return {
    name,
    consumers: Array.from({ length: count }, () => ({ consumer: randomUUID(), projectId: 'p', userId: 'u' })),
    requests: requests.map((text) => toRequest(query(text), fleet)),
    placement: 'ANY',
    ...rest,
  };
}

const racks = (rule: TopologyRule['rule'], members: string[]): TopologyRule => ({
  rule,
  members,
  level: { kind: 'AGGREGATES', aggregates: ['A', 'B'].map(aggregate) },
  maxSkew: 1,
});

/** The used amounts by class, over all providers. */
async function used(): Promise<Record<string, number>> {
  const rows = await database.pool.query<{ name: string; used: string }[]>(
    'SELECT c.name, SUM(a.used) AS used FROM allocations a JOIN resource_classes c ON c.id = a.resource_class_id GROUP BY c.name',
  );
  return Object.fromEntries(rows.map(({ name, used: sum }) => [name, Number(sum)]));
}

test('all members are claimed in one transaction, in the order of the input', async () => {
  const members = [member('db', 1, ['resources=VCPU:4']), member('gpu', 3, ['resources=VCPU:2,VGPU:1'])];
  const { claims } = await claim({ members, topology: [racks('SPREAD', ['gpu'])] });
  expect(claims.map(({ consumer }) => consumer.uuid)).toEqual(
    members.flatMap(({ consumers }) => consumers.map(({ consumer }) => consumer)),
  );
  expect(await used()).toEqual({ VCPU: 10, VGPU: 3 });
});

test('a workload that does not fit is rejected with its largest part, and nothing is claimed', async () => {
  const members = [member('gpu', 5, ['resources=VGPU:1'])];
  const rejected = claim({ members, topology: [racks('SAME', ['gpu'])] });
  await expect(rejected).rejects.toBeInstanceOf(NoCandidates);
  const error = await rejected.catch((reason: unknown) => reason as NoCandidates);
  expect(entryOf(error)?.code).toBe('NO_CANDIDATES');
  expect((error as NoCandidates).answer).toMatchObject({
    kind: 'IMPOSSIBLE',
    fit: [4],
    isLargest: true,
  });
  expect(await used()).toEqual({});
});

test('the second request is claimed if the first one does not fit', async () => {
  const members = [member('a', 2, ['resources=VGPU:2', 'resources=VCPU:8'], { placement: 'DISTINCT_TREES' })];
  const first = await claim({ members: [member('b', 2, ['resources=VGPU:2'])] });
  expect(first.placement.members).toMatchObject([{ alternative: 0 }]);
  const { placement } = await claim({ members });
  expect(placement.members).toMatchObject([
    { alternative: 1, rejected: [{ alternative: 0, isProven: true }] },
  ]);
});

test('a consumer that exists is moved, and keeps its place if the workload needs it', async () => {
  const before = member('a', 3, ['resources=VGPU:2']);
  const { claims } = await claim({ members: [before] });
  const consumers = before.consumers.map((one, at) => ({
    ...one,
    generation: claims[at].consumer.generation,
  }));
  await claim({ members: [{ ...before, consumers }, member('b', 1, ['resources=VCPU:8'])] });
  expect(await used()).toEqual({ VGPU: 6, VCPU: 8 });
  const outdated = consumers.map((one) => ({ ...one, generation: one.generation - 1 }));
  await expect(claim({ members: [{ ...before, consumers: outdated }] })).rejects.toBeInstanceOf(
    ConsumerGenerationConflict,
  );
});

test('invalid members are reported with their path', async () => {
  const empty = member('a', 0, ['resources=VCPU:1']);
  await expect(claim({ members: [empty] })).rejects.toMatchObject({ path: ['members', '0', 'consumers'] });
  const unknown = {
    ...racks('SAME', ['a']),
    level: { kind: 'AGGREGATES', aggregates: [randomUUID()] } as const,
  };
  const rejected = claim({ members: [member('a', 1, ['resources=VCPU:1'])], topology: [unknown] });
  await expect(rejected).rejects.toMatchObject({ path: ['topology', '0', 'level', 'aggregates', '0'] });
});

test('workloads that race from two processes end with whole workloads only', async () => {
  const other = openProcess(database.url);
  others.push(other);
  const racing = Array.from({ length: 12 }, (_, at) =>
    claim(
      { members: [member('a', 1, ['resources=VGPU:1']), member('b', 2, ['resources=VCPU:3'])] },
      at % 2 ? other : database,
    ).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof NoCandidates)) throw error;
        return false;
      },
    ),
  );
  const won = (await Promise.all(racing)).filter(Boolean).length;
  // Four hosts hold two consumers of member b each, and there are six devices.
  expect(won).toBe(4);
  expect(await used()).toEqual({ VGPU: 4, VCPU: 24 });
});

test('a claim whose retries end at the deadline reports the conflict, not that nothing fits', async () => {
  const big = forest(Array.from({ length: 40 }, (_, at) => `B${at} VCPU:30`).join('\n'));
  await loadForest(database, big);
  let time = 0;
  let hasConflict = false;
  // The conflict comes 1 s before the deadline. The next search passes the deadline after one time slice.
  const elapsed = (): number => (hasConflict ? (time += 400) : time);
  const conflict = new CapacityExceeded(big.providers[0].uuid, 'VCPU', 1, 30, 30);
  const write = (): Promise<never> => {
    hasConflict = true;
    time = 8_600;
    return Promise.reject(conflict);
  };
  const services = { ledger: { ...database.ledger, clock: { now: () => 0, elapsed } }, claims: { write } };
  const members = [member('a', 200, ['resources=VCPU:1']), member('b', 200, ['resources=VCPU:2'])];
  await expect(claim({ members }, { ...database, ...services })).rejects.toEqual(
    new ConcurrentUpdate(10_000, conflict),
  );
});

test('a plan writes nothing, differs by seed and counts released consumers as free', async () => {
  const gang = member('a', 3, ['resources=VGPU:2']);
  await claim({ members: [gang] });
  const operation = operations.begin();
  const plan = (members: ClaimMember[], plans: number): Promise<WorkloadPlans> =>
    planClaim({ ...database, database }, { members, topology: [], seed: 1, operation }, plans);
  const { failure } = await plan([member('other', 3, ['resources=VGPU:2'])], 3);
  expect(failure!.answer).toMatchObject({ kind: 'IMPOSSIBLE', fit: [0] });
  const { plans } = await plan([gang], 3);
  expect(new Set(plans.map(({ seed }) => seed)).size).toBe(3);
  operation.end();
  expect(await used()).toEqual({ VGPU: 6 });
});
