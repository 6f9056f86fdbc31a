import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { runClient } from '../client/client.js';
import { useApi } from '../support/api.js';
import { claimInput, requestOf, takes } from '../support/claims.js';

const { api, database } = useApi({ hasBackground: false });
const host = randomUUID();

beforeAll(async () => {
  // as an adopted database of OpenStack Placement may have it
  await database.pool.query(
    'ALTER TABLE projects MODIFY external_id VARCHAR(255) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL',
  );
  const inventories = { resourceClass: 'VCPU', total: 100 };
  await api.mutate('createResourceProvider', { name: 'host', uuid: host, inventories }, '__typename');
});

const REQUEST = requestOf({ VCPU: 2 });
const newConsumers = (...projects: readonly string[]) =>
  projects.map((projectId) => ({ consumer: randomUUID(), projectId, userId: 'u' }));
const limit = (projectId: string, amount: number) =>
  api.mutate<{ projects: object[] }>(
    'setQuotas',
    { projects: { projectId, limits: { resourceClass: 'VCPU', limit: amount } } },
    'projects { projectId quotas { limit used } }',
  );

async function planAndClaim(consumers: readonly object[], request = REQUEST) {
  const input = claimInput(request, consumers);
  const { planWorkload } = await api.read<{ planWorkload: { quotas: object[] } }>(
    'query ($input: ClaimInput!) { planWorkload(input: $input) { quotas { projectId fits limits { asked left } } } }',
    { input },
  );
  const { __typename } = await api.mutate<{ __typename: string }>('claim', input, '__typename');
  return { plan: planWorkload.quotas, claim: __typename };
}

test('headroom, candidates and plans compare a project in another spelling as the claim does', async () => {
  await limit('blue', 1);
  const found = await api.read(
    `query ($request: AllocationCandidatesInput!) {
       headroom(request: $request, projectId: "Blue") { count quota { projectId fits count } }
       allocationCandidates(request: $request) { quota(projectId: "Blue") { fits } }
     }`,
    { request: REQUEST },
  );
  expect(found).toMatchObject({
    headroom: { count: 0, quota: { projectId: 'Blue', fits: false, count: 0 } },
    allocationCandidates: { quota: { fits: false } },
  });
  expect(await planAndClaim(newConsumers('Blue'))).toEqual({
    plan: [{ projectId: 'Blue', fits: false, limits: [{ asked: 2, left: 1 }] }],
    claim: 'QuotaExceededError',
  });
});

test('a plan sums up the consumers of a project in two spellings', async () => {
  await limit('grey', 3);
  expect(await planAndClaim(newConsumers('Grey', 'grey'))).toEqual({
    plan: [{ projectId: 'Grey', fits: false, limits: [{ asked: 4, left: 3 }] }],
    claim: 'QuotaExceededError',
  });
});

test('a plan counts the present usage of a consumer as released, in any spelling of its project', async () => {
  await limit('Red', 2);
  const consumer = randomUUID();
  const consumers = [takes(consumer, null, { [host]: { VCPU: 2 } }, { projectId: 'Red' })];
  await api.mutate('setAllocations', { consumers }, '__typename');
  const again = { consumer, generation: 1, projectId: 'red', userId: 'u' };
  expect(await planAndClaim([again], requestOf({ VCPU: 3 }))).toMatchObject({
    plan: [{ projectId: 'red', fits: false, limits: [{ asked: 1, left: 0 }] }],
    claim: 'QuotaExceededError',
  });
  expect(await planAndClaim([again], requestOf({ VCPU: 1 }))).toMatchObject({
    plan: [{ fits: true, limits: [] }],
    claim: 'ClaimPayload',
  });
});

test('a plan compares a new project in several spellings with one default', async () => {
  const defaults = (amount: number | null) =>
    api.mutate('setQuotas', { defaults: { resourceClass: 'VCPU', limit: amount } }, '__typename');
  await defaults(3);
  expect(await planAndClaim(newConsumers('New', 'other', 'new'))).toEqual({
    plan: [
      { projectId: 'New', fits: false, limits: [{ asked: 4, left: 3 }] },
      { projectId: 'other', fits: true, limits: [{ asked: 2, left: 3 }] },
    ],
    claim: 'QuotaExceededError',
  });
  await defaults(null);
});

test('setQuotas returns the stored projects of the input in its order, and lists find their limits', async () => {
  const consumers = [takes(randomUUID(), null, { [host]: { VCPU: 1 } }, { projectId: 'green' })];
  await api.mutate('setAllocations', { consumers }, '__typename');
  const limits = { resourceClass: 'VCPU', limit: 5 };
  const projects = ['Violet', 'Green'].map((projectId) => ({ projectId, limits }));
  expect(
    await api.mutate('setQuotas', { projects }, 'projects { projectId quotas { limit used } }'),
  ).toMatchObject({
    projects: [
      { projectId: 'Violet', quotas: [{ limit: 5, used: 0 }] },
      { projectId: 'green', quotas: [{ limit: 5, used: 1 }] },
    ],
  });
  expect(await api.read('{ quotas(filter: { projectId: "GREEN" }) { nodes { limit used } } }')).toEqual({
    quotas: { nodes: [{ limit: 5, used: 1 }] },
  });
});

test('the commands print the limits of a project in another spelling', async () => {
  const set = await runClient(api.url, ['quota', 'set', '--project', 'GREEN', 'VCPU=6']);
  expect(set.out).toMatch(/^green +VCPU +6 +1 /m);
  const listed = await runClient(api.url, ['quota', 'list', '--project', 'GREEN']);
  expect(listed.out).toMatch(/^green +VCPU +6 +1 /m);
});
