import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { claimed, shown, takes, setAllocations } from '../support/claims.js';
import { uuidOf } from '../support/forest.js';
import { useForest } from '../support/loadForest.js';

// Nova: an evacuated server keeps its allocations on the failed host until that host's nova-compute starts again.

const { database, api } = useApi({ hasBackground: false });

const [FAILED, NEW, NUMA, STORAGE] = ['failed', 'new', 'new-numa', 'storage'].map((name) =>
  uuidOf('provider', name),
);

useForest(
  database,
  `
    failed      VCPU:8 @rack
    new         @rack
      new-numa  VCPU:8
    spare       VCPU:16 @rack
    storage     DISK_GB:100 @rack sharing
  `,
);

let evacuated: string;
let shared: string;

beforeEach(async () => {
  evacuated = await claimed(api, { [FAILED]: { VCPU: 2 }, [NUMA]: { VCPU: 2 }, [STORAGE]: { DISK_GB: 10 } });
  shared = await claimed(api, { [FAILED]: { VCPU: 1 }, [STORAGE]: { DISK_GB: 10 } });
});

const uuidsWith = async (filter: object, orderBy: object[] = []): Promise<string[]> => {
  const document = `query ($filter: ConsumerFilter, $orderBy: [ConsumerOrderInput!]!) {
    consumers(filter: $filter, orderBy: $orderBy) { nodes { uuid } }
  }`;
  const { consumers } = await api.read<{ consumers: { nodes: { uuid: string }[] } }>(document, {
    filter,
    orderBy,
  });
  return consumers.nodes.map(({ uuid }) => uuid);
};

interface Drain {
  readonly complete: boolean;
  readonly moves: readonly {
    readonly code: string | null;
    readonly consumer: { readonly uuid: string };
    readonly allocationRequest: object | null;
  }[];
}

const drain = async (host: string, requests: object[] = []): Promise<Drain> => {
  const document = `query ($from: TreesInput!, $requests: [DrainRequestInput!]!) {
    planDrain(from: $from, requests: $requests) {
      complete
      moves { code consumer { uuid } allocationRequest { claimToken } explanation { summary } }
    }
  }`;
  const from = { providers: [{ uuid: host }] };
  return (await api.read<{ planDrain: Drain }>(document, { from, requests })).planDrain;
};

test('the audit and the list of consumers name the server, with its two hosts', async () => {
  const { audit } = await api.read<{ audit: { nodes: { message: string }[] } }>(
    '{ audit { nodes { check consumerUuid message } } }',
  );
  expect(audit.nodes).toMatchObject([{ check: 'SEVERAL_TREES', consumerUuid: evacuated }]);
  expect(audit.nodes[0].message).toContain(`provider failed (${FAILED}) and provider new (${NEW})`);
  expect(await uuidsWith({ severalTrees: true })).toEqual([evacuated]);
  expect(await uuidsWith({ severalTrees: false })).toEqual([shared]);
  const byUse = [{ used: { resourceClass: 'VCPU', direction: 'DESC' } }];
  expect(await uuidsWith({ severalTrees: true, resourceClass: 'VCPU' }, byUse)).toEqual([evacuated]);
});

test.each([
  ['its failed host', FAILED],
  ['its new host', NEW],
])('a drain of %s does not put both halves on one host', async (_what, host) => {
  const stays = { code: 'SEVERAL_TREES', consumer: { uuid: evacuated }, allocationRequest: null };
  const plan = await drain(host);
  expect(plan.complete).toBe(false);
  expect(plan.moves.at(-1)).toEqual({ ...stays, explanation: null });
  const others = plan.moves.slice(0, -1);
  expect(others.map(({ code, consumer }) => [code, consumer.uuid])).toEqual(
    host === FAILED ? [[null, shared]] : [],
  );
  const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }] }] };
  const stated = await drain(host, [{ consumers: { uuid: evacuated }, request }]);
  expect(stated.moves.at(-1)).toMatchObject(stays);
});

test('no goal of a rebalancing moves it', async () => {
  for (const goal of ['FREE_HOSTS', 'EVEN_OUT', 'FIX']) {
    const { planRebalance } = await api.read<{ planRebalance: { moves: { consumer: { uuid: string } }[] } }>(
      'query ($input: RebalanceInput!) { planRebalance(input: $input) { moves { consumer { uuid } } } }',
      { input: { goal } },
    );
    expect(planRebalance.moves.map(({ consumer }) => consumer.uuid)).not.toContain(evacuated);
  }
});

test('once the part on the failed host is removed, a drain moves the rest', async () => {
  const { generation } = (await shown(api, evacuated))!;
  const rest = { [NUMA]: { VCPU: 2 }, [STORAGE]: { DISK_GB: 10 } };
  await setAllocations(api, takes(evacuated, generation, rest));
  expect(await uuidsWith({ severalTrees: true })).toEqual([]);
  expect(await drain(NEW)).toMatchObject({ complete: true, moves: [{ code: null }] });
});
