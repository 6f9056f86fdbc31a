// urql without a cache, typed by gql.tada without generated documents: the types come from the text of each operation.
import { randomUUID } from 'node:crypto';
import {
  Client,
  fetchExchange,
  subscriptionExchange,
  type AnyVariables,
  type OperationResult,
} from '@urql/core';
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import { createClient } from 'graphql-sse';
import type { introspection } from './generated/introspection.js';

const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { UUID: string; DateTime: string; SafeInt: number; JSON: unknown };
}>();

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

let isConnected = false;
const events = createClient({ url: SERVER, on: { connected: () => void (isConnected = true) } });
const client = new Client({
  url: SERVER,
  preferGetMethod: false,
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: events.subscribe(
            { query, variables: variables as Record<string, unknown> },
            sink as never,
          ),
        }),
      }),
    }),
  ],
});

/** Throws faults of the request. Rejections of a mutation are data. */
async function dataOf<Data, Variables extends AnyVariables>(
  result: PromiseLike<OperationResult<Data, Variables>>,
): Promise<Data> {
  const { data, error } = await result;
  if (error) throw error;
  return data!;
}

const FREE = graphql(`
  fragment Free on ResourceProvider @_unmask {
    name
    inventory(resourceClass: "VCPU") {
      available
    }
  }
`);

const CREATE = graphql(`
  mutation Create($input: ApplyProviderTreeInput!) {
    applyProviderTree(input: $input) {
      ... on UserError {
        code
        message
      }
    }
  }
`);

const TREE = graphql(
  `
    query Tree($by: ProviderRef!) {
      resourceProvider(by: $by) {
        descendants {
          parent {
            name
          }
          ...Free
        }
      }
    }
  `,
  [FREE],
);

const PAGE = graphql(`
  query Page($filter: ResourceProviderFilter!, $after: String) {
    resourceProviders(filter: $filter, orderBy: { name: DESC }, first: 1, after: $after) {
      nodes {
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const UPDATE = graphql(
  `
    mutation Update($input: UpdateResourceProviderInput!) {
      updateResourceProvider(input: $input) {
        __typename
        ... on UpdateResourceProviderPayload {
          resourceProvider {
            traits {
              name
            }
            ...Free
          }
        }
        ... on UserError {
          code
          message
        }
      }
    }
  `,
  [FREE],
);

const CANDIDATES = graphql(`
  query Candidates($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 1) {
      allocationRequests {
        claimToken
      }
    }
  }
`);

const CLAIM = graphql(`
  mutation Claim($input: SetAllocationsInput!) {
    setAllocations(input: $input) {
      __typename
      ... on SetAllocationsPayload {
        consumers {
          generation
        }
      }
      ... on UserError {
        code
        message
      }
    }
  }
`);

const CHANGED = graphql(
  `
    subscription Changed($tree: ProviderRef!) {
      resourceProviderChanged(inTree: $tree) {
        kinds
        resourceProvider {
          ...Free
        }
      }
    }
  `,
  [FREE],
);

const DELETE = graphql(`
  mutation Delete($consumer: UUID!, $node: ProviderRef!, $host: ProviderRef!) {
    deleteConsumer(input: { consumer: $consumer }) {
      __typename
    }
    node: deleteResourceProvider(input: { resourceProvider: $node }) {
      __typename
    }
    host: deleteResourceProvider(input: { resourceProvider: $host }) {
      __typename
    }
  }
`);

const host = { name: 'tada-host' };
const node = { name: 'tada-numa' };
const children = [{ ...node, inventories: [{ resourceClass: 'VCPU', total: 8 }] }];
await dataOf(client.mutation(CREATE, { input: { root: { ...host, children } } }));

const { resourceProvider } = await dataOf(client.query(TREE, { by: host }));
for (const { name, parent, inventory } of resourceProvider!.descendants)
  console.log(`${parent?.name}/${name}: ${inventory?.available} VCPU are free`);

const names: string[] = [];
for (let after: string | null | undefined; after !== null;) {
  const variables: VariablesOf<typeof PAGE> = { filter: { inTree: host }, after };
  const { resourceProviders }: ResultOf<typeof PAGE> = await dataOf(client.query(PAGE, variables));
  names.push(...resourceProviders!.nodes.map(({ name }) => name));
  const { hasNextPage, endCursor } = resourceProviders!.pageInfo;
  after = hasNextPage ? endCursor : null;
}
console.log(`pages of one: ${names.join(', ')}`);

/** What each event states: the kinds of the change and the current free amount. */
const seen: string[] = [];
const changes = client.subscription(CHANGED, { tree: host }).subscribe(({ data }) => {
  const change = data?.resourceProviderChanged;
  const free = change?.resourceProvider?.inventory?.available;
  seen.push(`${[...(change?.kinds ?? [])].sort().join(' and ')}: ${free} VCPU are free`);
});
await until(() => isConnected);

// several edits of a provider in one transaction
const { updateResourceProvider } = await dataOf(
  client.mutation(UPDATE, {
    input: {
      resourceProvider: node,
      traits: { add: ['HW_CPU_X86_AVX2'] },
      inventories: { patch: [{ resourceClass: 'VCPU', reserved: 2 }] },
    },
  }),
);
if (updateResourceProvider.__typename !== 'UpdateResourceProviderPayload')
  throw new Error(updateResourceProvider.message);
console.log(`it has ${updateResourceProvider.resourceProvider.traits.map(({ name }) => name).join()}`);
await until(() => seen.length === 1);
console.log(seen[0]);

// a candidate is claimed by its token
const { allocationCandidates } = await dataOf(
  client.query(CANDIDATES, {
    request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inTree: host }] },
  }),
);
const [{ claimToken }] = allocationCandidates!.allocationRequests;
const consumer = randomUUID();
const { setAllocations } = await dataOf(
  client.mutation(CLAIM, {
    input: {
      consumers: [{ consumer, projectId: 'examples', userId: 'gql-tada', allocations: { claimToken } }],
    },
  }),
);
if (setAllocations.__typename !== 'SetAllocationsPayload') throw new Error(setAllocations.message);
console.log(`claimed at generation ${setAllocations.consumers[0].generation}`);
await until(() => seen.length === 2);
console.log(seen[1]);

changes.unsubscribe();
await dataOf(client.mutation(DELETE, { consumer, node, host }));
console.log('deleted');
events.dispose();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
