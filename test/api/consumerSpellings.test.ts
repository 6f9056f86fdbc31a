import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { requestOf, setAllocations, shown, takes, usedOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumer, SPELLINGS, storedTexts } from '../support/otherSpellings.js';
import type { Named } from '../support/shapes.js';

const { database, api } = useApi({ hasBackground: false });

const GUEST = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';
const [ONE, TWO] = ['one', 'two'].map((name) => uuidOf('provider', name));

/** Of the spellings, those that OpenStack Placement takes as keys of `POST /allocations`. */
const KEYS = (['upper case', 'mixed case', 'dashes elsewhere'] as const).map(
  (name) => [name, SPELLINGS[name](GUEST)] as const,
);

/** A key that OpenStack Placement takes, but that is no UUID. */
const NO_UUID = 'ABCDEF00-1b7d-4d32-9d0e-2f8c1a7e4b-1';

const useFleet = () => beforeEach(() => loadForest(database, forest('one VCPU:8\ntwo VCPU:8\nthree VCPU:8')));

const LISTS = `query ($uuid: UUID!, $id: ID!, $one: UUID!) {
  consumers { totalCount nodes { uuid } }
  named: consumers(filter: { uuidIn: [$uuid] }) { totalCount nodes { uuid } }
  inTree: consumers(filter: { inTree: { uuid: $one }, resourceClass: "VCPU" }) { totalCount nodes { uuid } }
  byUse: consumers(orderBy: [{ used: { resourceClass: "VCPU", direction: DESC } }]) { totalCount nodes { uuid } }
  project(projectId: "theirs") { consumerCount consumers { totalCount nodes { uuid } } usages { used } }
  usages(projectId: "theirs") { consumerCount usages { used } }
  resourceProvider(by: { uuid: $one }) { allocations { nodes { amount consumer { uuid } } } treeConsumers { totalCount nodes { uuid } } }
  node(id: $id) { ... on Consumer { uuid } }
}`;

const lists = (uuid: string) =>
  api.read(LISTS, { uuid, id: Buffer.from(`Consumer:${uuid}`).toString('base64'), one: ONE });

const hosts = async (awayFromConsumers: string[]) => {
  const { allocationCandidates } = await api.read<{
    allocationCandidates: { allocationRequests: { allocations: { resourceProvider: Named }[] }[] };
  }>(
    `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request) {
       allocationRequests { allocations { resourceProvider { name } } } } }`,
    { request: { ...requestOf({ VCPU: 1 }), awayFromConsumers } },
  );
  return allocationCandidates.allocationRequests
    .map((each) => each.allocations[0].resourceProvider.name)
    .sort();
};

const drain = async () => {
  const { planDrain } = await api.read<{
    planDrain: {
      complete: boolean;
      moves: { consumer: { uuid: string; generation: number }; allocationRequest: object | null }[];
    };
  }>(
    `query ($one: UUID!) { planDrain(from: { providers: [{ uuid: $one }] }) { complete
       moves { code consumer { uuid generation } allocationRequest { allocations { resourceProvider { name } } } } } }`,
    { one: ONE },
  );
  return planDrain;
};

const claim = (consumer: object) =>
  api.mutate<Record<string, unknown>>(
    'claim',
    {
      members: [
        {
          name: 'm',
          requests: [{ ...requestOf({ VCPU: 2 }), notInTrees: [{ uuid: ONE }] }],
          consumers: [{ projectId: 'theirs', userId: 'theirs', ...consumer }],
        },
      ],
    },
    'claims { consumer { uuid generation allocations { amount } } }',
  );

describe.each([
  ['utf8mb4_bin', KEYS],
  ['utf8mb3_general_ci', KEYS],
  ['a key that is no UUID', [['as it is', NO_UUID]]],
] as const)('%s', (collation, keys) => {
  beforeAll(async () => {
    const name = collation.startsWith('utf8') ? collation : 'utf8mb4_bin';
    await database.pool.query(`ALTER TABLE consumers MODIFY uuid varchar(36) COLLATE ${name} NOT NULL`);
    await database.pool.query(
      `ALTER TABLE allocations MODIFY consumer_id varchar(36) COLLATE ${name} NOT NULL`,
    );
  });
  useFleet();

  test.each(keys as typeof KEYS)('a consumer in %s is listed, read, moved and released', async (_, text) => {
    const uuid = text === NO_UUID ? NO_UUID : GUEST;
    await addConsumer(database, text, ONE, 2);
    expect(await shown(api, uuid)).toMatchObject({ generation: 1, has: { one: { VCPU: 2 } } });
    const list = { totalCount: 1, nodes: [{ uuid }] };
    expect(await lists(uuid)).toEqual({
      consumers: list,
      named: list,
      inTree: list,
      byUse: list,
      project: { consumerCount: 1, consumers: list, usages: [{ used: 2 }] },
      usages: { consumerCount: 1, usages: [{ used: 2 }] },
      resourceProvider: { allocations: { nodes: [{ amount: 2, consumer: { uuid } }] }, treeConsumers: list },
      node: { uuid },
    });
    expect(await hosts([uuid])).toEqual(['three', 'two']);
    expect(await drain()).toMatchObject({
      complete: true,
      moves: [{ code: null, consumer: { uuid, generation: 1 }, allocationRequest: {} }],
    });
    expect(await claim({ consumer: uuid, generation: 1 })).toMatchObject({
      claims: [{ consumer: { uuid, generation: 2, allocations: [{ amount: 2 }] } }],
    });
    expect(await storedTexts(database)).toEqual({ consumers: [text], allocations: [text] });
    const move = takes(uuid, 2, { [TWO]: { VCPU: 1 } }, { projectId: 'other' });
    expect(await setAllocations(api, move)).toMatchObject({ consumers: [{ uuid, generation: 3 }] });
    expect(await storedTexts(database)).toEqual({ consumers: [text], allocations: [text] });
    expect(await usedOf(api, TWO)).toEqual({ VCPU: 1 });
    const unset = { consumer: uuid, resourceClasses: ['VCPU'], resourceProviders: [{ uuid: ONE }] };
    expect(await api.mutate('unsetAllocations', unset)).toMatchObject({
      __typename: 'UnsetAllocationsPayload',
    });
    expect(await api.mutate('deleteConsumer', { consumer: uuid })).toMatchObject({
      __typename: 'DeleteConsumerPayload',
    });
    expect(await storedTexts(database)).toEqual({ consumers: [], allocations: [] });
    expect(await shown(api, uuid)).toBeNull();
  });
});

describe('two rows of one consumer', () => {
  beforeAll(() =>
    database.pool.query(
      `ALTER TABLE consumers MODIFY uuid varchar(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL`,
    ),
  );
  useFleet();

  test.each(KEYS)('%s: read as one, only deleted as one', async (_, text) => {
    await addConsumer(database, text, ONE, 2);
    await addConsumer(database, GUEST, TWO, 3);
    expect(await shown(api, GUEST)).toMatchObject({
      generation: 1,
      has: { one: { VCPU: 2 }, two: { VCPU: 3 } },
    });
    const list = { totalCount: 1, nodes: [{ uuid: GUEST }] };
    const all = {
      consumers: list,
      named: list,
      inTree: list,
      byUse: list,
      project: { consumerCount: 1, consumers: list, usages: [{ used: 5 }] },
      usages: { consumerCount: 1, usages: [{ used: 5 }] },
      node: { uuid: GUEST },
      resourceProvider: {
        allocations: { nodes: [{ amount: 2, consumer: { uuid: GUEST } }] },
        treeConsumers: list,
      },
    };
    expect(await lists(GUEST)).toEqual(all);
    expect(await hosts([GUEST])).toEqual(['three']);
    const refused = {
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`${text} and ${GUEST}`) as unknown,
    };
    const before = await storedTexts(database);
    expect(await setAllocations(api, takes(GUEST, 1, { [TWO]: { VCPU: 1 } }))).toMatchObject(refused);
    expect(await claim({ consumer: GUEST, generation: 1 })).toMatchObject(refused);
    const unset = { consumer: GUEST, resourceClasses: ['VCPU'] };
    expect(await api.mutate('unsetAllocations', unset)).toMatchObject(refused);
    const inventories = [{ resourceProvider: { uuid: ONE }, generation: 0, inventories: [] }];
    const allocations = [takes(GUEST, 1, { [TWO]: { VCPU: 1 } })];
    expect(await api.mutate('reshape', { inventories, allocations })).toMatchObject(refused);
    const root = { uuid: ONE, name: 'one' };
    expect(await api.mutate('applyProviderTree', { root, allocations })).toMatchObject(refused);
    expect(await storedTexts(database)).toEqual(before);
    await api.mutate('deleteConsumer', { consumer: GUEST });
    expect(await storedTexts(database)).toEqual({ consumers: [], allocations: [] });
    expect([await usedOf(api, ONE), await usedOf(api, TWO)]).toEqual([{ VCPU: 0 }, { VCPU: 0 }]);
  });

  test.each(KEYS)('%s: a drain lists it once, and it stays', async (_, text) => {
    await addConsumer(database, text, ONE, 2);
    await addConsumer(database, GUEST, ONE, 3);
    const stays = { code: 'SEVERAL_ROWS', consumer: { uuid: GUEST, generation: 1 }, allocationRequest: null };
    for (const read of ['the first', 'a later'])
      expect({ read, ...(await drain()) }).toEqual({ read, complete: false, moves: [stays] });
    const asked = `query ($uuid: UUID!) { consumer(uuid: $uuid) { allocations { amount } } }`;
    expect(await api.read(asked, { uuid: GUEST })).toEqual({ consumer: { allocations: [{ amount: 5 }] } });
  });
});

describe('a key that is no UUID', () => {
  useFleet();

  test.each([
    ['createResourceProvider', { name: 'n', uuid: NO_UUID }, ['uuid']],
    ['createResourceProvider', { name: 'n', aggregates: [{ uuid: NO_UUID }] }, ['aggregates', '0']],
    ['applyProviderTree', { root: { name: 'n', uuid: NO_UUID } }, ['root', 'uuid']],
    [
      'setAllocations',
      { consumers: [takes(NO_UUID, null, { [ONE]: { VCPU: 1 } })] },
      ['consumers', '0', 'consumer'],
    ],
  ])('%s %j creates nothing', async (mutation, input, path) => {
    expect(await api.mutate(mutation, input)).toMatchObject({
      code: 'INVALID_INPUT',
      path,
      message: expect.stringContaining(NO_UUID) as unknown,
    });
    expect(await storedTexts(database)).toEqual({ consumers: [], allocations: [] });
  });
});
