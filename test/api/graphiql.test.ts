import { expect, test } from '@jest/globals';
import { Kind, parse, print, type DefinitionNode } from 'graphql';
import { postJson } from '../support/httpPost.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { GRAPHIQL } from '../../src/server/pages/graphiql.js';
import { useApi } from '../support/api.js';

const { api } = useApi({ fill: (database) => loadDemoData(database, { hosts: 100 }) });

const tabs = GRAPHIQL.defaultTabs!.map(({ query }) => query!);

/** The text of the tab that has an operation. */
const tabOf = (operation: string): string =>
  tabs.find((text) => new RegExp(`^(query|mutation|subscription) ${operation}\\b`, 'm').test(text))!;

/** What GraphiQL sends: the operation that was chosen, and all fragments of the tab. */
const documentOf = (operation: string): string => {
  const { definitions } = parse(tabOf(operation));
  const isSent = (one: DefinitionNode): boolean =>
    one.kind !== Kind.OPERATION_DEFINITION || one.name?.value === operation;
  return print({ kind: Kind.DOCUMENT, definitions: definitions.filter(isSent) });
};

const send = async (operationName: string) => {
  const response = await postJson(api.url, { query: documentOf(operationName), operationName });
  return (await response.json()) as { data: Record<string, unknown>; errors?: unknown };
};

const run = async (operationName: string) => {
  const { data, errors } = await send(operationName);
  expect(errors).toBeUndefined();
  return data;
};

/** The most characters of a line that the pane shows on a screen of 1440 pixels. */
const WIDTH = 56;

test('there are six tabs, and each line of them fits its pane', () => {
  expect(tabs).toHaveLength(6);
  const lines = tabs.flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => line.length > WIDTH)).toEqual([]);
});

const length5 = { allocationCandidates: { allocationRequests: { length: 5 } } };
const ofProcessors = expect.arrayContaining([
  expect.objectContaining({ resourceClass: { name: 'VCPU' } }),
]) as unknown;

test.each<[operation: string, answer: object]>([
  [
    'Tree',
    {
      resourceProvider: {
        name: 'host-00001',
        inventories: [{ resourceClass: { name: 'DISK_GB' } }],
        descendants: expect.arrayContaining([expect.objectContaining({ name: 'host-00001-numa0' })]),
        sharingProviders: [{ name: 'storage-0001' }],
      },
    },
  ],
  ['Viewer', { viewer: { subject: 'anonymous', expiresAt: null, claim: 'YES', reshape: 'YES' } }],
  [
    'Explore',
    {
      resourceProviders: {
        totalCount: 100,
        nodes: { length: 20, 0: { name: 'host-00001', numa: [{}, {}] } },
      },
    },
  ],
  ...['Candidates', 'Numa', 'Split', 'Order', 'SharedStorage'].map((tab): [string, object] => [tab, length5]),
  ['Storage', { resourceProvider: { name: 'storage-0001', isSharing: true } }],
  [
    'Workload',
    {
      planWorkload: {
        outcome: 'FOUND',
        failure: null,
        plans: [
          { optimal: true, consumers: { length: 4 }, topology: [{ rule: 'DIFFERENT' }, { rule: 'SPREAD' }] },
        ],
      },
    },
  ],
  ['Fleet', { fleet: { nodes: ofProcessors }, zones: { nodes: ofProcessors } }],
  [
    'Consumers',
    {
      consumers: { nodes: { length: 20, 0: { allocations: { 0: {} } } } },
      projects: { nodes: { 0: { usages: { 0: {} } } } },
      users: { nodes: { 0: { usages: { 0: {} } } } },
      consumerTypes: { 0: { name: 'INSTANCE' } },
    },
  ],
  ['Audit', { audit: { totalCount: 0, nodes: [] } }],
  [
    'Why',
    {
      allocationCandidates: {
        allocationRequests: [],
        explanation: {
          summary: expect.stringMatching(/providers have VGPU; 0 of \d+ providers have 5 VGPU free/),
          satisfiableWhenEmpty: false,
        },
      },
    },
  ],
])('%s', async (operation, answer) => {
  expect(await run(operation)).toMatchObject(answer);
});

test('isolation and what is kept out of a subtree', async () => {
  const mapped = (suffix: string, name: string) => ({ suffix, resourceProviders: [{ name }] });
  const [node, far] = [mapped('_COMPUTE', 'host-00001-numa1'), mapped('_FAR', 'host-00001-numa0-pf0')];
  const cards = ['host-00001-numa1-pf0', 'host-00001-numa1-pf1'];
  const candidate = (near: string, more: string) =>
    expect.objectContaining({ mappings: [node, mapped('_NEAR', near), far, mapped('_MORE', more)] });
  expect(await run('Isolation')).toEqual({
    allocationCandidates: {
      complete: true,
      allocationRequests: expect.arrayContaining([
        candidate(cards[0], cards[1]),
        candidate(cards[1], cards[0]),
      ]),
    },
  });
});

test('a split over both nodes of a host', async () => {
  const { allocationCandidates } = (await run('Split')) as {
    allocationCandidates: {
      allocationRequests: {
        allocations: { resources: { resourceClass: { name: string }; amount: number }[] }[];
      }[];
    };
  };
  for (const { allocations } of allocationCandidates.allocationRequests) {
    const parts = allocations.flatMap(({ resources }) =>
      resources.filter(({ resourceClass }) => resourceClass.name === 'VCPU').map(({ amount }) => amount),
    );
    expect(parts).toHaveLength(2);
    expect(parts[0] + parts[1]).toBe(48);
  }
});

test('a claim for two, once', async () => {
  const { claim } = (await run('Claim')) as {
    claim: {
      claims: {
        allocationRequest: { allocations: { resourceProvider: { root: { name: string } } }[] };
      }[];
    };
  };
  const hosts = claim.claims.map(({ allocationRequest }) =>
    allocationRequest.allocations.map(({ resourceProvider }) => resourceProvider.root.name),
  );
  expect(hosts).toHaveLength(2);
  expect(hosts[0]).not.toContain(hosts[1][0]);
  expect(await run('Claim')).toMatchObject({ claim: { code: 'CONSUMER_GENERATION_CONFLICT' } });
  expect(await run('Claimed')).toMatchObject({ consumer: { generation: 1, allocations: { length: 2 } } });
});

test('how many more fit', async () => {
  const { headroom } = (await run('Headroom')) as { headroom: { count: number; trees: number } };
  expect(headroom).toMatchObject({ exact: true, reachedUpTo: false });
  expect(headroom.trees).toBeGreaterThan(0);
  expect(headroom.count).toBeGreaterThanOrEqual(headroom.trees);
});

test('creating a provider, once', async () => {
  expect(await run('Create')).toMatchObject({
    createResourceProvider: { resourceProvider: { name: 'my-first-host' } },
  });
  expect(await run('Create')).toMatchObject({ createResourceProvider: { code: 'DUPLICATE_NAME' } });
  expect(await run('Delete')).toEqual({
    deleteResourceProvider: { uuid: 'c1a10000-0000-4000-8000-000000000003' },
  });
});

test('watching is for those who take a stream', async () => {
  const { errors } = await send('Watch');
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_ACCEPTABLE' } }]);
});

test('the claimed allocations are released', async () => {
  expect(await run('Release')).toEqual({
    one: { uuid: 'c1a10000-0000-4000-8000-000000000001' },
    two: { uuid: 'c1a10000-0000-4000-8000-000000000002' },
  });
  expect(await run('Claimed')).toEqual({ consumer: null });
});
