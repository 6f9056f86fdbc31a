import { expect, test } from '@jest/globals';
import { createCloud } from './cloud.js';
import { useGuardedApi } from './guardedApi.js';
import { TOKENS, type Name } from './viewers.js';
import { runClient } from '../client/client.js';

const apply =
  'mutation ($input: ApplyProviderTreesInput!) { applyProviderTrees(input: $input) { __typename } }';
const input = {
  owner: 'fleet',
  trees: [{ name: 'owned', inventories: [{ resourceClass: 'VCPU', total: 8 }], traits: ['HW_NUMA_ROOT'] }],
};

const { api, unguarded } = useGuardedApi({
  async fill(server) {
    await createCloud(server);
    expect(await server.query(apply, { input })).toMatchObject({
      data: { applyProviderTrees: { __typename: 'ApplyProviderTreesPayload' } },
    });
  },
});

interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(name: Name, query: string, variables = {}): Promise<Answer> {
  const response = await fetch(api.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKENS[name]}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Answer;
}

const OWNERS =
  '{ fleetOwners { name resourceProviders { nodes { name } } trees { totalCount nodes { name } } } }';
const PARTS = '{ resourceProvider(by: { name: "owned" }) { ownerships { part name owner } } }';

test.each(['admin', 'service', 'reader'] as const)('%s sees owners and their parts', async (name) => {
  const { data } = await ask(name, PARTS);
  expect(data).toEqual({
    resourceProvider: {
      ownerships: [
        { part: 'INVENTORY', name: 'VCPU', owner: 'fleet' },
        { part: 'PROVIDER', name: 'owned', owner: 'fleet' },
        { part: 'TRAIT', name: 'HW_NUMA_ROOT', owner: 'fleet' },
      ],
    },
  });
  expect((await ask(name, OWNERS)).data).toEqual({
    fleetOwners: [
      {
        name: 'fleet',
        resourceProviders: { nodes: [{ name: 'owned' }] },
        trees: { totalCount: 1, nodes: [{ name: 'owned' }] },
      },
    ],
  });
});

test.each(['reader of a project', 'member'] as const)('%s sees no owner', async (name) => {
  for (const document of [OWNERS, PARTS]) {
    const { data, errors } = await ask(name, document);
    expect(JSON.stringify(data)).not.toContain('fleet"');
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  }
});

test.each(['reader', 'reader of a project', 'member'] as const)(
  '%s applies no trees, and changes nothing',
  async (name) => {
    const changed = { owner: 'other', trees: [{ name: `by ${name}` }] };
    const { data, errors } = await ask(name, apply, { input: changed });
    expect(JSON.stringify(errors ?? data)).toContain('FORBIDDEN');
    const { resourceProviders } = await unguarded.read<{ resourceProviders: { nodes: { name: string }[] } }>(
      '{ resourceProviders { nodes { name } } }',
    );
    expect(resourceProviders.nodes.map((each) => each.name)).not.toContain(`by ${name}`);
    const ended = await runClient(api.url, ['fleet', 'apply', '-f', '-'], {
      environment: { PLACEMENT_TOKEN: TOKENS[name] },
      input: 'root: { name: owned, traits: [] }\n',
    });
    expect(ended).toMatchObject({ code: 7, out: '' });
    expect(ended.error).toMatch(/^error: FORBIDDEN: .* requires the role admin or service\b/);
  },
);

test.each(['admin', 'service'] as const)('%s applies trees', async (name) => {
  const changed = { owner: name, trees: [{ name: `of ${name}` }] };
  expect((await ask(name, apply, { input: changed })).data).toEqual({
    applyProviderTrees: { __typename: 'ApplyProviderTreesPayload' },
  });
});

test('the trees of an owner are those in which it owns a part of a root or of a child, each once', async () => {
  const children = [{ name: 'card', traits: ['HW_CPU_X86_SSE'], children: [{ name: 'port' }] }];
  const trees = [{ name: 'owned', children, traits: ['HW_CPU_X86_AVX'] }, { name: 'own' }];
  expect(JSON.stringify(await ask('service', apply, { input: { owner: 'cards', trees } }))).toContain(
    'Payload',
  );
  const { data } = await ask('service', OWNERS.replace('fleetOwners', 'fleetOwners(name: "cards")'));
  const own = [{ name: 'own' }];
  expect(data).toEqual({
    fleetOwners: [
      {
        name: 'cards',
        resourceProviders: { nodes: own },
        trees: { totalCount: 2, nodes: [...own, { name: 'owned' }] },
      },
    ],
  });
});
