// urql with graphcache, which knows the schema: the cache stores objects by id, and answers and events update them.
import { randomUUID } from 'node:crypto';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { createClient } from 'graphql-sse';
import { graphql } from '../codegen/generated/index.js';
import type { ProviderRef, UrqlTreeQuery } from '../codegen/generated/graphql.js';
import { introspection } from '../gql-tada/generated/introspection.js';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

/** Objects without an id are parts of their parent. */
const keys = Object.fromEntries(
  introspection.__schema.types
    .filter((type) => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'))
    .map(({ name }) => [name, () => null]),
);

type Deleted = Record<string, { deletedConsumerId?: string; deletedResourceProviderId?: string }>;

let isConnected = false;
const events = createClient({ url: SERVER, on: { connected: () => void (isConnected = true) } });
const client = new Client({
  url: SERVER,
  preferGetMethod: false,
  exchanges: [
    cacheExchange({
      schema: introspection,
      keys,
      resolvers: { Query: { resourceProviders: relayPagination() } },
      // a deletion returns the id of the object, which leaves the cache
      updates: {
        Mutation: {
          deleteConsumer: ({ deleteConsumer: { deletedConsumerId: id } }: Deleted, _input, cache) =>
            id && cache.invalidate({ __typename: 'Consumer', id }),
          deleteResourceProvider: ({ deleteResourceProvider }: Deleted, _input, cache) => {
            const { deletedResourceProviderId: id } = deleteResourceProvider;
            if (id) cache.invalidate({ __typename: 'ResourceProvider', id });
          },
        },
      },
    }),
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

const CREATE = graphql(`
  mutation UrqlCreate($input: ApplyProviderTreeInput!) {
    applyProviderTree(input: $input) {
      ... on UserError {
        message
      }
    }
  }
`);

const TREE = graphql(`
  query UrqlTree($by: ProviderRef!) {
    resourceProvider(by: $by) {
      id
      name
      children {
        ...UrqlNode
      }
    }
  }

  fragment UrqlNode on ResourceProvider {
    id
    name
    traits {
      id
      name
    }
    inventory(resourceClass: "VCPU") {
      id
      available
    }
  }
`);

const PAGES = graphql(`
  query UrqlPages($filter: ResourceProviderFilter!, $after: String) {
    resourceProviders(filter: $filter, first: 2, after: $after) {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const UPDATE = graphql(`
  mutation UrqlUpdate($input: UpdateResourceProviderInput!) {
    updateResourceProvider(input: $input) {
      ... on UpdateResourceProviderPayload {
        resourceProvider {
          ...UrqlNode
        }
      }
      ... on UserError {
        message
      }
    }
  }
`);

const CANDIDATES = graphql(`
  query UrqlCandidates($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 1) {
      allocationRequests {
        claimToken
      }
    }
  }
`);

const CLAIM = graphql(`
  mutation UrqlClaim($input: SetAllocationsInput!) {
    setAllocations(input: $input) {
      __typename
      ... on SetAllocationsPayload {
        consumers {
          id
          generation
        }
      }
      ... on UserError {
        message
      }
    }
  }
`);

const CHANGED = graphql(`
  subscription UrqlChanged($tree: ProviderRef!) {
    resourceProviderChanged(inTree: $tree) {
      resourceProvider {
        ...UrqlNode
      }
    }
  }
`);

const RELEASE = graphql(`
  mutation UrqlRelease($consumer: UUID!) {
    deleteConsumer(input: { consumer: $consumer }) {
      ... on DeleteConsumerPayload {
        deletedConsumerId
      }
    }
  }
`);

const DELETE = graphql(`
  mutation UrqlDelete($provider: ProviderRef!) {
    deleteResourceProvider(input: { resourceProvider: $provider }) {
      ... on DeleteResourceProviderPayload {
        deletedResourceProviderId
      }
    }
  }
`);

const host: ProviderRef = { name: 'urql-host' };
const node: ProviderRef = { name: 'urql-numa-0' };
const nodes = ['urql-numa-0', 'urql-numa-1'].map((name) => ({
  name,
  inventories: [{ resourceClass: 'VCPU', total: 8 }],
}));
await client.mutation(CREATE, { input: { root: { name: 'urql-host', children: nodes } } });

/** The tree in the cache. Answers and events change it. */
let tree: UrqlTreeQuery['resourceProvider'];
const { unsubscribe } = client
  .query(TREE, { by: host })
  .subscribe(({ data }) => (tree = data?.resourceProvider));
const free = () => tree?.children[0]?.inventory?.available;
const changes = client.subscription(CHANGED, { tree: host }).subscribe(() => undefined);
await until(() => tree != null && isConnected);
console.log(`${tree?.name}: ${tree?.children.map(({ name }) => name).join(', ')}`);
console.log(`${free()} VCPU are free`);

const filter = { inTree: host };
const first = await client.query(PAGES, { filter });
const { endCursor } = first.data!.resourceProviders!.pageInfo;
const both = await client.query(PAGES, { filter, after: endCursor });
console.log(
  `pages of two: ${both.data!.resourceProviders!.edges.map(({ node: { name } }) => name).join(', ')}`,
);

// several edits of a provider in one transaction; its id in the answer updates the tree
const traits = { add: ['HW_CPU_X86_AVX2'] };
const inventories = { patch: [{ resourceClass: 'VCPU', reserved: 2 }] };
await client.mutation(UPDATE, { input: { resourceProvider: node, traits, inventories } });
await until(() => free() === 6);
console.log(`${tree?.children[0].traits[0].name}, ${free()} VCPU are free`);

// a candidate is claimed by its token; the event of the claim updates the tree
const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inSubtree: node }] };
const found = await client.query(CANDIDATES, { request });
const [{ claimToken }] = found.data!.allocationCandidates!.allocationRequests;
const consumer = randomUUID();
const input = {
  consumers: [{ consumer, projectId: 'examples', userId: 'urql', allocations: { claimToken } }],
};
const { setAllocations } = (await client.mutation(CLAIM, { input })).data!;
if (setAllocations.__typename !== 'SetAllocationsPayload') throw new Error(setAllocations.message);
console.log(`claimed at generation ${setAllocations.consumers[0].generation}`);
await until(() => free() === 4);
console.log(`${free()} VCPU are free`);

await client.mutation(RELEASE, { consumer });
await until(() => free() === 6);
console.log(`${free()} VCPU are free`);

for (const name of ['urql-numa-0', 'urql-numa-1', 'urql-host'])
  await client.mutation(DELETE, { provider: { name } });
await until(() => tree === null); // it left the cache, so the client read the tree again
console.log('deleted');

changes.unsubscribe();
unsubscribe();
events.dispose();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
