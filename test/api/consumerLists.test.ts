import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { Page } from '../support/shapes.js';

const { api, database } = useApi();
let host: Record<string, string>;
let storage: string;
/** Seven consumers of the host's tree, in the order of their making. */
const consumers: string[] = [];

/**
 * A host with two NUMA nodes, and a storage that shares with it. Each of seven consumers has VCPU on one node or both,
 * the odd ones also DISK_GB on the storage; one more has only DISK_GB.
 */
beforeAll(async () => {
  host = await createProviders(api, {
    name: 'host',
    children: [
      { name: 'numa0', inventories: { VCPU: 64 } },
      { name: 'numa1', inventories: { VCPU: 64 } },
    ],
  });
  ({ storage } = await createProviders(api, {
    name: 'storage',
    inventories: { DISK_GB: 1000 },
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
  }));
  for (let i = 0; i < 7; i++) {
    const nodes = i === 3 ? ['numa0', 'numa1'] : [`numa${i % 2}`];
    const shared = i % 2 === 1 ? { [storage]: { DISK_GB: 10 } } : {};
    const onNodes = Object.fromEntries(nodes.map((name) => [host[name], { VCPU: i + 1 }]));
    consumers.push(await claimed(api, { ...onNodes, ...shared }));
  }
  await claimed(api, { [storage]: { DISK_GB: 99 } });
});

type List = Page<Record<string, unknown>>;

async function page(field: string, name: string, args: string, node: string): Promise<List> {
  const data = await api.read<{ resourceProvider: { list: List } }>(
    `{ resourceProvider(by: { name: "${name}" }) { list: ${field}${args} {
         totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
         nodes { ${node} } edges { cursor node { ${node} } }
       } } }`,
  );
  return data.resourceProvider.list;
}

const everyConsumer = (name: string, args = '') => page('treeConsumers', name, args, 'uuid');
const uuidsOf = ({ nodes }: List) => nodes.map(({ uuid }) => uuid);

describe('treeConsumers', () => {
  test.each(['host', 'numa0', 'numa1'])(
    'asked of %s has the consumers of the whole tree, once each',
    async (name) => {
      const list = await everyConsumer(name);
      expect(uuidsOf(list)).toEqual(consumers);
      expect(list.totalCount).toBe(7);
      expect(list.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    },
  );

  test('each has ALL its allocations, those on sharing providers too', async () => {
    const { data } = await api.query(
      `{ resourceProvider(by: { name: "host" }) { treeConsumers(first: 4) { nodes {
           generation allocations { amount resourceClass { name } resourceProvider { name } consumer { uuid } }
         } } } }`,
    );
    const part = (at: number, name: string, resourceClass: string, amount: number) => ({
      amount,
      resourceClass: { name: resourceClass },
      resourceProvider: { name },
      consumer: { uuid: consumers[at] },
    });
    expect(data).toEqual({
      resourceProvider: {
        treeConsumers: {
          nodes: [
            { generation: 1, allocations: [part(0, 'numa0', 'VCPU', 1)] },
            { generation: 1, allocations: [part(1, 'numa1', 'VCPU', 2), part(1, 'storage', 'DISK_GB', 10)] },
            { generation: 1, allocations: [part(2, 'numa0', 'VCPU', 3)] },
            {
              generation: 1,
              allocations: [
                part(3, 'numa0', 'VCPU', 4),
                part(3, 'numa1', 'VCPU', 4),
                part(3, 'storage', 'DISK_GB', 10),
              ],
            },
          ],
        },
      },
    });
  });

  test('a consumer of shared resources alone is in the tree of the sharing provider', async () => {
    const list = await everyConsumer('storage');
    expect(list.totalCount).toBe(4);
    expect(uuidsOf(list).filter((uuid) => !consumers.includes(uuid as string))).toHaveLength(1);
  });
});

describe('paging', () => {
  test('a cursor still leads on when its object is gone', async () => {
    const { island } = await createProviders(api, { name: 'island', inventories: { VCPU: 10 } });
    const [first, second] = [
      await claimed(api, { [island]: { VCPU: 1 } }),
      await claimed(api, { [island]: { VCPU: 2 } }),
    ];
    const { pageInfo } = await everyConsumer('island', '(first: 1)');
    await api.mutate('deleteConsumer', { consumer: first });
    const rest = await everyConsumer('island', `(after: "${pageInfo.endCursor}")`);
    expect(uuidsOf(rest)).toEqual([second]);
  });

  test('a list of nothing', async () => {
    await createProviders(api, { name: 'empty' });
    for (const field of ['allocations', 'treeConsumers']) {
      expect(await page(field, 'empty', '', '__typename')).toEqual({
        nodes: [],
        edges: [],
        totalCount: 0,
        pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      });
    }
  });
});

describe('allocations that another server has left adrift are not listed', () => {
  test.each([
    ['without its consumer', 'consumer_id = UUID()'],
    ['without its provider', 'resource_provider_id = -1'],
    ['without its class', 'resource_class_id = -1'],
  ])('one %s', async (what, update) => {
    const name = `reef ${what}`;
    const { [name]: reef } = await createProviders(api, { name, inventories: { VCPU: 10, DISK_GB: 10 } });
    const uuid = await claimed(api, { [reef]: { VCPU: 1, DISK_GB: 2 } });
    const own = 'consumer_id = ? AND used = 2';
    await database.pool.query(`UPDATE allocations SET ${update} WHERE ${own}`, [uuid]);
    const { nodes, totalCount } = await page('allocations', name, '', 'amount');
    expect(nodes).toEqual([{ amount: 1 }]);
    expect(totalCount).toBe(1);
    const { data } = await api.query(`{ consumer(uuid: "${uuid}") { allocations { amount } } }`);
    expect(data).toEqual({ consumer: { allocations: [{ amount: 1 }] } });
    expect(uuidsOf(await everyConsumer(name))).toEqual([uuid]);
  });
});

test('the payload and later fields of a document show its writes', async () => {
  const uuid = randomUUID();
  const input = (generation: number | null, amount: number) => ({
    consumers: [takes(uuid, generation, { [storage]: { DISK_GB: amount } })],
  });
  const show = '... on SetAllocationsPayload { consumers { generation allocations { amount } } }';
  const { data } = await api.query(
    `mutation ($one: SetAllocationsInput!, $two: SetAllocationsInput!) {
       one: setAllocations(input: $one) { ${show} } two: setAllocations(input: $two) { ${show} }
     }`,
    { one: input(null, 1), two: input(1, 2) },
  );
  expect(data).toEqual({
    one: { consumers: [{ generation: 1, allocations: [{ amount: 1 }] }] },
    two: { consumers: [{ generation: 2, allocations: [{ amount: 2 }] }] },
  });
  await setAllocations(api, takes(uuid, 2, {}));
});
