// Apollo Client: a cache by global ids of a tree and of pages, an update, a claim, and a subscription over server-sent events.
import { randomUUID } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client/core';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode, print } from 'graphql';
import { createClient } from 'graphql-sse';
import type { ApolloTreeQuery, ProviderRef } from '../codegen/generated/graphql.js';
import { graphql } from '../codegen/generated/index.js';
import possibleTypesOf from '../codegen/generated/possibleTypes.js';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

/** Subscriptions as server-sent events. Each has its own request, whose response begins before the first event. */
let begun: () => void;
const connected = new Promise<void>((resolve) => (begun = resolve));
const events = createClient({ url: SERVER, on: { connected: () => begun() } });
const eventsLink = new ApolloLink(
  ({ query, variables }) =>
    new Observable((observer) =>
      events.subscribe<Record<string, unknown>>(
        { query: print(query), variables },
        {
          next: (result) => observer.next(result as ApolloLink.Result),
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        },
      ),
    ),
);

const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    eventsLink,
    new HttpLink({ uri: SERVER }),
  ),
  cache: new InMemoryCache({
    possibleTypes: possibleTypesOf.possibleTypes,
    typePolicies: { Query: { fields: { resourceProviders: relayStylePagination(['filter']) } } },
  }),
});

const CREATE = graphql(`
  mutation ApolloCreate($input: ApplyProviderTreeInput!) {
    applyProviderTree(input: $input) {
      ... on UserError {
        message
      }
    }
  }
`);

const TREE = graphql(`
  query ApolloTree($by: ProviderRef!) {
    resourceProvider(by: $by) {
      id
      name
      children {
        ...ApolloNode
      }
    }
  }

  fragment ApolloNode on ResourceProvider {
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
  query ApolloPages($filter: ResourceProviderFilter!, $after: String) {
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
  mutation ApolloUpdate($input: UpdateResourceProviderInput!) {
    updateResourceProvider(input: $input) {
      ... on UpdateResourceProviderPayload {
        resourceProvider {
          ...ApolloNode
        }
      }
      ... on UserError {
        message
      }
    }
  }
`);

const CANDIDATES = graphql(`
  query ApolloCandidates($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 1) {
      allocationRequests {
        claimToken
      }
    }
  }
`);

const CLAIM = graphql(`
  mutation ApolloClaim($input: SetAllocationsInput!) {
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
  subscription ApolloChanged($tree: ProviderRef!) {
    resourceProviderChanged(inTree: $tree) {
      resourceProvider {
        ...ApolloNode
      }
    }
  }
`);

const DELETE = graphql(`
  mutation ApolloDelete($consumer: UUID!, $one: ProviderRef!, $two: ProviderRef!, $host: ProviderRef!) {
    deleteConsumer(input: { consumer: $consumer }) {
      __typename
    }
    one: deleteResourceProvider(input: { resourceProvider: $one }) {
      __typename
    }
    two: deleteResourceProvider(input: { resourceProvider: $two }) {
      __typename
    }
    host: deleteResourceProvider(input: { resourceProvider: $host }) {
      __typename
    }
  }
`);

const [host, one, two]: ProviderRef[] = ['host', 'numa-0', 'numa-1'].map((name) => ({
  name: `apollo-${name}`,
}));
const children = [one, two].map(({ name }) => ({
  name: name!,
  inventories: [{ resourceClass: 'VCPU', total: 8 }],
}));
await client.mutate({
  mutation: CREATE,
  variables: { input: { root: { name: 'apollo-host', children } } },
});

/** The tree in the cache. Answers and events change it. */
let tree: ApolloTreeQuery['resourceProvider'];
const shown = client.watchQuery({ query: TREE, variables: { by: host } });
const subscription = shown.subscribe(({ data, dataState }) => {
  if (dataState === 'complete') tree = data.resourceProvider;
});
const free = () => tree?.children[0]?.inventory?.available;
await until(() => tree != null);
console.log(`${tree?.name}: ${tree?.children.map(({ name }) => name).join(', ')}`);
console.log(`${free()} VCPU are free`);

const filter = { inTree: host };
const first = await client.query({ query: PAGES, variables: { filter } });
const { endCursor: after } = first.data!.resourceProviders!.pageInfo;
await client.query({ query: PAGES, variables: { filter, after }, fetchPolicy: 'network-only' });
const both = client.readQuery({ query: PAGES, variables: { filter } })!.resourceProviders!;
console.log(`pages of two: ${both.edges.map(({ node }) => node.name).join(', ')}`);

// several edits of a provider in one transaction; its id in the answer updates the tree
await client.mutate({
  mutation: UPDATE,
  variables: {
    input: {
      resourceProvider: one,
      traits: { add: ['HW_CPU_X86_AVX2'] },
      inventories: { patch: [{ resourceClass: 'VCPU', reserved: 2 }] },
    },
  },
});
await until(() => free() === 6);
console.log(`${tree?.children[0].traits[0].name}, ${free()} VCPU are free`);

const changes = client.subscribe({ query: CHANGED, variables: { tree: host } }).subscribe(() => undefined);
await connected;

// a candidate is claimed by its token; the event of the claim updates the tree
const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inSubtree: one }] };
const found = await client.query({ query: CANDIDATES, variables: { request } });
const [{ claimToken }] = found.data!.allocationCandidates!.allocationRequests;
const consumer = randomUUID();
const input = {
  consumers: [{ consumer, projectId: 'examples', userId: 'apollo', allocations: { claimToken } }],
};
const { setAllocations } = (await client.mutate({ mutation: CLAIM, variables: { input } })).data!;
if (setAllocations.__typename !== 'SetAllocationsPayload') throw new Error(setAllocations.message);
console.log(`claimed at generation ${setAllocations.consumers[0].generation}`);
await until(() => free() === 4);
console.log(`${free()} VCPU are free`);
changes.unsubscribe();

await client.mutate({ mutation: DELETE, variables: { consumer, one, two, host } });
await shown.refetch();
await until(() => tree === null);
console.log('deleted');

subscription.unsubscribe();
events.dispose();
client.stop();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
