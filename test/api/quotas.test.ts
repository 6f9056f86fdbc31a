import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { correct } from '../../src/store/quotas/reconcile.js';
import { restOf } from '../rest/rest.js';
import { invalidInput, refusal, useApi } from '../support/api.js';
import { claimInput, requestOf, takes } from '../support/claims.js';

const { api, database } = useApi({ hasBackground: false });
const rest = restOf(() => api.url);

const host = randomUUID();
const REQUEST = 'request: { groups: { resources: { resourceClass: "VCPU", amount: 2 } } }';

beforeAll(async () => {
  await api.mutate(
    'createResourceProvider',
    { name: 'host', uuid: host, inventories: { resourceClass: 'VCPU', total: 64 } },
    '__typename',
  );
  await api.mutate(
    'setQuotas',
    {
      projects: { projectId: 'own', limits: [{ resourceClass: 'VCPU', limit: 10 }, { limit: 4 }] },
      groups: { group: 'team', projects: ['own', 'other'], limits: { resourceClass: 'VCPU', limit: 12 } },
      defaults: { resourceClass: 'VCPU', limit: 20 },
    },
    '__typename',
  );
  const consumers = [
    takes(randomUUID(), null, { [host]: { VCPU: 3 } }, { projectId: 'own' }),
    takes(randomUUID(), null, { [host]: { VCPU: 5 } }, { projectId: 'other' }),
  ];
  expect(await api.mutate('setAllocations', { consumers }, '__typename')).toMatchObject({
    __typename: 'SetAllocationsPayload',
  });
});

test('a project has its own limits and defaults, with their usage, and its group', async () => {
  const { project, projects } = await api.read<Record<string, unknown>>(`{
    project(projectId: "own") {
      quotas { resourceClass { name } limit used held isDefault kind project { projectId } }
      quotaGroup { name projects { projectId } quotas { limit used } }
    }
    projects { nodes { projectId quotas { limit used isDefault } } }
  }`);
  const own = { held: 0, isDefault: false, kind: 'PROJECT', project: { projectId: 'own' } };
  expect(project).toEqual({
    quotas: [
      { resourceClass: { name: 'VCPU' }, limit: 10, used: 3, ...own },
      { resourceClass: null, limit: 4, used: 1, ...own },
    ],
    quotaGroup: {
      name: 'team',
      projects: [{ projectId: 'other' }, { projectId: 'own' }],
      quotas: [{ limit: 12, used: 8 }],
    },
  });
  expect(projects).toMatchObject({
    nodes: [{ projectId: 'other', quotas: [{ limit: 20, used: 5, isDefault: true }] }, {}],
  });
});

test('quotas are listed by filter and order, in pages', async () => {
  const NODE = 'kind limit used resourceClass { name } project { projectId } group { name }';
  const read = async (args: string): Promise<unknown[]> => {
    const { quotas } = await api.read<{ quotas: { nodes: { kind: string; limit: number }[] } }>(
      `{ quotas${args} { nodes { ${NODE} } totalCount } }`,
    );
    return quotas.nodes.map(({ kind, limit }) => `${kind} ${limit}`);
  };
  expect(await read('')).toEqual(['PROJECT 10', 'PROJECT 4', 'GROUP 12', 'DEFAULT 20']);
  expect(await read('(orderBy: { share: DESC })')).toEqual([
    'GROUP 12',
    'PROJECT 10',
    'PROJECT 4',
    'DEFAULT 20',
  ]);
  expect(await read('(filter: { group: "team" })')).toEqual(['GROUP 12']);
  expect(await read('(filter: { projectId: "other" })')).toEqual(['PROJECT 20']);
  expect(await read('(filter: { exceeded: true })')).toEqual([]);
  expect(await read('(first: 1, orderBy: { limit: ASC })')).toEqual(['PROJECT 4']);
});

test('candidates, headroom and plans tell what fits the fleet and not the quota', async () => {
  const { headroom, allocationCandidates, planWorkload } = await api.read<Record<string, unknown>>(
    `query ($input: ClaimInput!) {
      headroom(projectId: "own", ${REQUEST}) { count inFleet quota { fits count limits { asked left } } }
      allocationCandidates(${REQUEST}) {
        quota(projectId: "own") { fits }
        allocationRequests { mappings { suffix } }
      }
      planWorkload(input: $input) { outcome quotas { projectId fits limits { fits quota { group { name } limit } } } }
    }`,
    {
      input: claimInput(
        requestOf({ VCPU: 3 }),
        ['own', 'own'].map((projectId) => ({ consumer: randomUUID(), projectId, userId: 'u' })),
      ),
    },
  );
  expect(headroom).toMatchObject({ count: 2, inFleet: 28, quota: { fits: true, count: 2 } });
  expect(allocationCandidates).toMatchObject({ quota: { fits: true }, allocationRequests: [{}] });
  expect(planWorkload).toMatchObject({
    outcome: 'FOUND',
    quotas: [
      {
        projectId: 'own',
        fits: false,
        limits: expect.arrayContaining([
          { fits: false, quota: { group: { name: 'team' }, limit: 12 } },
        ]) as unknown,
      },
    ],
  });
});

test('a claim above a quota is refused as data, and over REST with a code that Nova does not retry', async () => {
  const consumers = [{ consumer: randomUUID(), projectId: 'own', userId: 'u' }];
  expect(await api.mutate('claim', claimInput(requestOf({ VCPU: 8 }), consumers))).toMatchObject({
    ...refusal('QUOTA_EXCEEDED', 'members.0.consumers.0.projectId'),
    quotaClassName: 'VCPU',
    limit: 10,
    used: 3,
    asked: 8,
    projectId: 'own',
    group: null,
  });
  const body = {
    allocations: { [host]: { resources: { VCPU: 5 } } },
    ...{ project_id: 'own', user_id: 'u', consumer_generation: null, consumer_type: 'INSTANCE' },
  };
  const path = `/allocations/${randomUUID()}`;
  expect(await rest('PUT', path, { body, version: 38 })).toMatchObject({
    status: 409,
    json: { errors: [{ code: 'placement.undefined_code' }] },
  });
});

test('the audit finds what another program has changed, and counting again corrects it', async () => {
  await database.pool.query(
    'UPDATE allocations SET used = 4 WHERE used = 3 AND consumer_id IN (SELECT uuid FROM consumers)',
  );
  const audit = async (): Promise<unknown> =>
    api.read('{ audit(checks: [QUOTA_USAGE]) { totalCount nodes { check message resourceClassName } } }');
  expect(await audit()).toMatchObject({
    audit: {
      totalCount: 2,
      nodes: [
        { message: 'project own has 3 VCPU counted, and uses 4' },
        { message: 'the group team has 8 VCPU counted, and uses 9' },
      ],
    },
  });
  const [{ id }] = await database.pool.query<{ id: number }[]>(
    "SELECT id FROM projects WHERE external_id = 'own'",
  );
  await correct(database.ledger, [{ ownerKind: 'PROJECT', ownerId: id, classId: 0 }]);
  expect(await audit()).toMatchObject({ audit: { totalCount: 0 } });
});

test('bad input changes nothing and names the value', async () => {
  const input = { projects: { projectId: 'own', limits: [{ resourceClass: 'VCPU', limit: -1 }] } };
  const rows = () => database.pool.query<unknown[]>('SELECT * FROM placement_quotas ORDER BY id');
  const before = await rows();
  expect(before).toHaveLength(4);
  expect(await api.mutate('setQuotas', input)).toMatchObject(invalidInput('projects.0.limits.0.limit'));
  expect(await rows()).toEqual(before);
});

test('a plan does not count consumers that keepOldAs has created, as a claim does not', async () => {
  await api.mutate('setQuotas', {
    projects: { projectId: 'keeping', limits: { resourceClass: 'VCPU', limit: 4 } },
  });
  const [moved, kept, more] = [randomUUID(), randomUUID(), randomUUID()];
  const second = randomUUID();
  await api.mutate(
    'createResourceProvider',
    { name: 'second', uuid: second, inventories: { resourceClass: 'VCPU', total: 64 } },
    '__typename',
  );
  const owner = { projectId: 'keeping', userId: 'u', type: 'INSTANCE' };
  const inputOf = (inTree: string, amount: number, ...consumers: readonly object[]) =>
    claimInput(
      { groups: [{ resources: [{ resourceClass: 'VCPU', amount }], inTree: { uuid: inTree } }] },
      consumers.map((one) => ({ ...owner, ...one })),
    );
  const fitsOf = async (input: object): Promise<boolean[]> => {
    const { planWorkload } = await api.read<{ planWorkload: { quotas: { fits: boolean }[] } }>(
      'query ($input: ClaimInput!) { planWorkload(input: $input) { quotas { fits } } }',
      { input },
    );
    return planWorkload.quotas.map(({ fits }) => fits);
  };
  const done = { __typename: 'ClaimPayload' };
  expect(await api.mutate('claim', inputOf(host, 2, { consumer: moved }))).toMatchObject(done);
  const again = { consumer: moved, generation: 1, keepOldAs: { consumer: kept } };
  expect(await api.mutate('claim', inputOf(second, 2, again))).toMatchObject(done);
  const alone = inputOf(host, 5, { consumer: kept, generation: 1 });
  expect(await fitsOf(alone)).toEqual([true]);
  expect(await api.mutate('claim', alone)).toMatchObject(done);
  const withMore = inputOf(host, 3, { consumer: kept, generation: 2 }, { consumer: more });
  expect(await fitsOf(withMore)).toEqual([false]);
  expect(await api.mutate('claim', withMore)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test('the limits of a deleted class go with the next change, and their group with them', async () => {
  await api.mutate('createResourceClass', { name: 'CUSTOM_GONE' });
  const group = (projects: readonly string[], limits: readonly object[]) =>
    api.mutate('setQuotas', { groups: { group: 'gone', projects, limits } });
  await group(['lone'], [{ resourceClass: 'CUSTOM_GONE', limit: 1 }]);
  await api.mutate('deleteResourceClass', { name: 'CUSTOM_GONE' });
  await group([], []);
  const [left] = await database.pool.query<{ left: number }[]>(
    `SELECT (SELECT COUNT(*) FROM placement_quota_groups WHERE name = 'gone') +
            (SELECT COUNT(*) FROM placement_quotas q
              WHERE class_id > 0 AND class_id NOT IN (SELECT id FROM resource_classes)) AS \`left\``,
  );
  expect(Number(left.left)).toBe(0);
});
