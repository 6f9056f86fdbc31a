import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { nodeId, takes, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

const { api } = useApi({ hasBackground: false });
let host: Record<string, string>;
let storage: string;
const CLASSES = ['VCPU', 'MEMORY_MB', 'PCPU', 'VGPU', 'PGPU', 'SRIOV_NET_VF', 'NET_BW_EGR_KILOBIT_PER_SEC'];

/** A host with four NUMA nodes that offer many classes, and a storage. 120 consumers on two nodes and the storage each. */
beforeAll(async () => {
  const inventories = Object.fromEntries(CLASSES.map((name) => [name, 100_000]));
  const children = [0, 1, 2, 3].map((at) => ({ name: `numa${at}`, inventories }));
  host = await createProviders(api, { name: 'host', inventories: { DISK_GB: 100_000 }, children });
  ({ storage } = await createProviders(api, { name: 'storage', inventories: { DISK_GB: 100_000 } }));
  const consumers = Array.from({ length: 120 }, (_, at) => claim(uuidOf(at), null, at));
  await write(consumers);
});

const uuidOf = (at: number) => `20000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const numa = (at: number) => host[`numa${at % 4}`];
const claim = (uuid: string, generation: number | null, at: number) =>
  takes(
    uuid,
    generation,
    { [numa(at)]: { VCPU: 1 + at, MEMORY_MB: 64 }, [numa(at + 1)]: { VGPU: 1 }, [storage]: { DISK_GB: 5 } },
    { consumerType: 'INSTANCE' },
  );

async function write(consumers: object[]): Promise<void> {
  const answer = await api.mutate('setAllocations', { consumers });
  expect(answer).toEqual({ __typename: 'SetAllocationsPayload' });
}

/** How many statements the work takes, without the change feed and the ones that begin and end transactions. */
async function count(work: () => Promise<unknown>): Promise<number> {
  const statements = await api.statements(work);
  return statements.filter(
    (statement) => !/^\s*(BEGIN|START TRANSACTION|COMMIT)|placement_feed/i.test(statement),
  ).length;
}

async function read<T>(document: string): Promise<{ data: T; statements: number }> {
  let data: T;
  const statements = await count(async () => (data = await api.read<T>(document)));
  return { data: data!, statements };
}

describe('writes', () => {
  const claimOf = (amounts: Takes) => [takes(randomUUID(), null, amounts, { consumerType: 'INSTANCE' })];
  const every = Object.fromEntries(CLASSES.map((name) => [name, 2]));

  test.each([
    [
      'of 3 classes on 2 providers by a known project, user and type',
      () => claimOf({ [numa(0)]: { VCPU: 4, MEMORY_MB: 512 }, [storage]: { DISK_GB: 10 } }),
    ],
    [
      'of everything on every provider',
      () => claimOf(Object.fromEntries([0, 1, 2, 3].map((at) => [numa(at), every]))),
    ],
    ['of 100 consumers', () => Array.from({ length: 100 }, (_, at) => claim(randomUUID(), null, at))],
  ])('a claim %s takes at most 5', async (_what, consumersOf) => {
    const consumers = consumersOf();
    expect(await count(() => write(consumers))).toBeLessThanOrEqual(5);
  });

  test('moves of 100 consumers take as many statements as one move', async () => {
    const moves = (from: number, to: number, generation: number) =>
      Array.from({ length: to - from }, (_, at) => claim(uuidOf(from + at), generation, from + at + 1));
    const one = await count(() => write(moves(0, 1, 1)));
    expect(await count(() => write(moves(1, 101, 1)))).toBeLessThanOrEqual(one);
    expect(one).toBeLessThanOrEqual(6);
  });

  test('deleteConsumer takes at most 6', async () => {
    const remove = () => api.mutate('deleteConsumer', { consumer: uuidOf(119) });
    expect(await count(remove)).toBeLessThanOrEqual(6);
  });

  test('a reshape of 50 consumers takes at most 25, and one of 100 no more', async () => {
    const pivot = async (consumers: number) => {
      const { data } = await api.query<{ nodes: { generation: number; uuid: string }[]; list: Tree }>(
        `query ($ids: [ID!]!) {
           nodes(ids: $ids) { ... on ResourceProvider { uuid generation } }
           list: resourceProvider(by: { name: "host" }) { treeConsumers(first: 1000) { nodes { uuid generation } } }
         }`,
        { ids: [0, 1].map((at) => nodeId('ResourceProvider', numa(at))) },
      );
      const inventories = data.nodes.map(({ uuid, generation }) => ({
        resourceProvider: { uuid },
        generation,
        inventories: CLASSES.map((resourceClass) => ({ resourceClass, total: 100_000 + generation })),
      }));
      const named = data.list.treeConsumers.nodes.slice(0, consumers);
      const allocations = named.map(({ uuid, generation }, at) =>
        claim(uuid, generation, at + generation + 1),
      );
      expect(await api.mutate('reshape', { inventories, allocations })).toEqual({
        __typename: 'ReshapePayload',
      });
    };
    const fifty = await count(() => pivot(50));
    const hundred = await count(() => pivot(100));
    expect(fifty).toBeLessThanOrEqual(25);
    expect(hundred).toBeLessThanOrEqual(fifty);
  });

  test('a payload with everything of 100 consumers takes at most 5 more', async () => {
    const consumers = Array.from({ length: 100 }, (_, at) => claim(randomUUID(), null, at));
    const show = `consumers { ${CONSUMER} allocations { amount resourceClass { name } resourceProvider { ${DETAILS} } } }`;
    const statements = await count(() => api.mutate('setAllocations', { consumers }, show));
    expect(statements).toBeLessThanOrEqual(5 + 5);
  });
});

const CONSUMER = 'id uuid generation type { id name } projectId userId';
const DETAILS = `name uuid generation createdAt isSharing
  inventories { resourceClass { name } total capacity used available }
  usages { resourceClass { name } used } traits { name } aggregates { uuid }`;

interface Tree {
  treeConsumers: {
    totalCount: number;
    nodes: { uuid: string; generation: number; allocations: { resourceProvider: { name: string } }[] }[];
  };
}

describe('reads', () => {
  test('what a reshape needs of a tree takes at most 8', async () => {
    const { data, statements } = await read<{ resourceProvider: Tree }>(
      `{ resourceProvider(by: { name: "host" }) {
           descendants { uuid generation inventories { resourceClass { name } total } traits { name } }
           treeConsumers(first: 1000) { totalCount nodes {
             uuid generation allocations { resourceProvider { uuid } resourceClass { name } amount }
           } }
         } }`,
    );
    expect(statements).toBeLessThanOrEqual(8);
    const { nodes, totalCount } = data.resourceProvider.treeConsumers;
    expect(nodes.length).toBeGreaterThan(300);
    expect(totalCount).toBe(nodes.length);
  });

  test('a page of 100 consumers with everything nested takes at most 10', async () => {
    const { data, statements } = await read<{ resourceProvider: Tree }>(
      `{ resourceProvider(by: { name: "numa0" }) { treeConsumers(first: 100) { totalCount nodes {
           ${CONSUMER}
           allocations {
             amount resourceClass { name isStandard } consumer { ${CONSUMER} }
             resourceProvider { ${DETAILS} parent { ${DETAILS} } root { ${DETAILS} } ancestors { name } }
           }
         } } } }`,
    );
    expect(statements).toBeLessThanOrEqual(10);
    expect(data.resourceProvider.treeConsumers.nodes).toHaveLength(100);
  });

  test('the allocations of many providers, with their consumers and all that those have, take at most 6', async () => {
    const { data, statements } = await read<{
      resourceProviders: { nodes: { allocations: { nodes: unknown[] } }[] };
    }>(
      `{ resourceProviders { nodes { name allocations(first: 50) { totalCount nodes {
           amount resourceClass { name } resourceProvider { name }
           consumer { ${CONSUMER} allocations { amount resourceProvider { name } } }
         } } } } }`,
    );
    expect(statements).toBeLessThanOrEqual(6);
    const lengths = data.resourceProviders.nodes.map(({ allocations }) => allocations.nodes.length);
    expect(lengths.sort()).toEqual([0, 50, 50, 50, 50, 50]);
  });

  test('many consumers by their ids take one statement, and one more for what they have', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => nodeId('Consumer', uuidOf(at)));
    const { data, statements } = await read<{ nodes: (object | null)[] }>(
      `{ nodes(ids: ${JSON.stringify(ids)}) { ... on Consumer { ${CONSUMER} allocations { amount } } } }`,
    );
    expect(statements).toBe(2);
    expect(data.nodes).not.toContain(null);
  });
});
