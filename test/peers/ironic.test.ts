import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, claimInput, edit, generations, newConsumers, requestOf } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

// Nova: the driver of Ironic sets `reserved` of a bare-metal node to its total while an instance uses the node.

const { database, api } = useApi({ hasBackground: false });

const NODES = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'].map((name) => uuidOf('provider', name));
const BAREMETAL = { CUSTOM_BAREMETAL: 1 };

useForest(database, NODES.map((_, at) => `n${at + 1} CUSTOM_BAREMETAL:1`).join('\n'));

const reserve = async (node: string, reserved: number) => {
  const [generation] = await generations(api, node);
  const inventories = { patch: [{ resourceClass: 'CUSTOM_BAREMETAL', reserved }] };
  await edit(api, node, { generation, inventories });
};

let machines: string[];

beforeEach(async () => {
  machines = [];
  for (const node of NODES.slice(0, 3)) {
    machines.push(await claimed(api, { [node]: BAREMETAL }));
    await reserve(node, 1);
  }
});

interface Plan {
  readonly planRebalance: {
    readonly outcome: string;
    readonly before: object;
    readonly moves: readonly { readonly consumer: { readonly uuid: string } }[];
  };
}

const planned = async (goal: string, requests: object[] = []) => {
  const document = `query ($input: RebalanceInput!) {
    planRebalance(input: $input) { outcome before { overCapacityCount faultyConsumerCount } moves { consumer { uuid } } }
  }`;
  return (await api.read<Plan>(document, { input: { goal, requests } })).planRebalance;
};

const audited = async () =>
  (await api.read<{ audit: { nodes: object[] } }>('{ audit { nodes { check message } } }')).audit.nodes;

test('three of six nodes are free, although the capacity that is left equals the usage', async () => {
  const document = `query ($request: AllocationCandidatesInput!) {
    fleetTotals { nodes { capacity used available allowedUsage } }
    fleetMap(resourceClass: "CUSTOM_BAREMETAL") { used available allowedUsages }
    headroom(request: $request) { count exact }
  }`;
  expect(await api.read(document, { request: requestOf(BAREMETAL) })).toEqual({
    fleetTotals: { nodes: [{ capacity: 3, used: 3, available: 3, allowedUsage: 6 }] },
    fleetMap: { used: [1, 1, 1, 0, 0, 0], available: [0, 0, 0, 1, 1, 1], allowedUsages: [1, 1, 1, 1, 1, 1] },
    headroom: { count: 3, exact: true },
  });
});

test('a node in use is no finding, and no plan moves its machine', async () => {
  expect(await audited()).toEqual([]);
  const calm = { outcome: 'NOTHING_WORTH_MOVING', moves: [] };
  const faultless = { before: { overCapacityCount: 0, faultyConsumerCount: 0 } };
  expect(await planned('FIX')).toMatchObject({ ...calm, ...faultless });
  const requests = machines.map((uuid) => ({ consumers: { uuid }, request: requestOf(BAREMETAL) }));
  expect(await planned('FIX', requests)).toMatchObject({ ...calm, ...faultless });
  expect(await planned('EVEN_OUT')).toMatchObject(calm);
});

test('a node that is partly reserved compares with its capacity, and a reserved one accepts no claim', async () => {
  const [, , , spare] = NODES;
  const one = await claimed(api, { [spare]: BAREMETAL });
  const [generation] = await generations(api, spare);
  const inventories = { patch: [{ resourceClass: 'CUSTOM_BAREMETAL', total: 3, reserved: 3, maxUnit: 1 }] };
  await edit(api, spare, { generation, inventories });
  expect(await audited()).toEqual([]);
  await edit(api, spare, {
    generation: generation + 1,
    inventories: { patch: [{ resourceClass: 'CUSTOM_BAREMETAL', total: 4, allocationRatio: 0.5 }] },
  });
  expect(await audited()).toMatchObject([{ check: 'OVER_CAPACITY' }]);
  expect((await planned('FIX')).moves).toMatchObject([{ consumer: { uuid: one } }]);
  const group = { inTree: { uuid: NODES[0] } };
  const claim = await api.mutate('claim', claimInput(requestOf(BAREMETAL, group), newConsumers()));
  expect(claim.__typename).toBe('NoCandidatesError');
});
