// Apollo Client: queries, a cache by global ids, pages, and a subscription over server-sent events.
import { randomUUID } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client/core';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode, print } from 'graphql';
import { createClient } from 'graphql-sse';
import { graphql } from '../codegen/generated/index.js';
import possibleTypesOf from '../codegen/generated/possibleTypes.js';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

/** Subscriptions as server-sent events, each by a request of its own: all that comes after the answer has begun is told. */
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
  mutation CreateApolloHosts($one: ApplyProviderTreeInput!, $two: ApplyProviderTreeInput!) {
    one: applyProviderTree(input: $one) {
      ... on UserError {
        message
      }
    }
    two: applyProviderTree(input: $two) {
      ... on UserError {
        message
      }
    }
  }
`);

const HOSTS = graphql(`
  query ApolloHosts($filter: ResourceProviderFilter!, $after: String) {
    resourceProviders(filter: $filter, first: 1, after: $after) {
      edges {
        node {
          id
          name
          generation
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const CHANGED = graphql(`
  subscription ApolloChanged($host: UUID!) {
    resourceProviderChanged(inTree: { uuid: $host }) {
      deleted
      resourceProvider {
        id
        name
        generation
      }
    }
  }
`);

const RENAME = graphql(`
  mutation ApolloRename($host: UUID!, $name: String!) {
    updateResourceProvider(input: { resourceProvider: { uuid: $host }, name: $name }) {
      ... on UpdateResourceProviderPayload {
        resourceProvider {
          id
          name
        }
      }
      ... on UserError {
        code
        message
      }
    }
  }
`);

const DELETE = graphql(`
  mutation ApolloDelete($one: UUID!, $two: UUID!) {
    one: deleteResourceProvider(input: { resourceProvider: { uuid: $one } }) {
      __typename
    }
    two: deleteResourceProvider(input: { resourceProvider: { uuid: $two } }) {
      __typename
    }
  }
`);

const [one, two] = ['apollo-host-1', 'apollo-host-2'].map((name) => ({
  uuid: randomUUID(),
  name,
  traits: ['COMPUTE_NODE'],
}));
const zone = randomUUID();
const hosts = [one, two].map((root) => ({ root: { ...root, aggregates: [{ uuid: zone }] } }));
await client.mutate({ mutation: CREATE, variables: { one: hosts[0], two: hosts[1] } });

/** What the cache has, told as it changes: that is what a page would show. */
let names = '';
const variables = { filter: { memberOf: [[{ uuid: zone }]] } };
const first = await client.query({ query: HOSTS, variables });
const shown = client.watchQuery({ query: HOSTS, variables });
const subscription = shown.subscribe(({ data, dataState }) => {
  if (dataState === 'complete')
    names = data.resourceProviders!.edges.map(({ node }) => node.name).join(' and ');
});
await shown.fetchMore({ variables: { after: first.data!.resourceProviders!.pageInfo.endCursor } });
await until(() => names.includes(two.name));
console.log(`two pages: ${names}`);

/** An event brings the provider as it is now: its id says what of the cache that is. */
const seen = new Promise<void>((resolve, reject) => {
  client.subscribe({ query: CHANGED, variables: { host: two.uuid } }).subscribe({
    next: ({ data }) => {
      if (data?.resourceProviderChanged.resourceProvider?.name === 'apollo-host-3') resolve();
    },
    error: reject,
  });
});
await connected;
await client.mutate({ mutation: RENAME, variables: { host: two.uuid, name: 'apollo-host-3' } });
await seen;
await until(() => names.includes('apollo-host-3'));
console.log(`renamed: ${names}`);

await client.mutate({ mutation: DELETE, variables: { one: one.uuid, two: two.uuid } });
client.cache.evict({ fieldName: 'resourceProviders' });
await shown.refetch();
await until(() => names === '');
console.log(`deleted: ${names || 'no host'}`);

subscription.unsubscribe();
events.dispose();
client.stop();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
