// urql with graphcache, typed by gql.tada without generated documents: the types come from the text of each query.
import { randomUUID } from 'node:crypto';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import { createClient } from 'graphql-sse';
import { introspection } from './generated/introspection.js';

const graphql = initGraphQLTada<{
  introspection: typeof introspection;
  scalars: { UUID: string; DateTime: string; SafeInt: number };
}>();

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

/** What has no id is a part of what it is found in, and not kept by itself. */
const keys = Object.fromEntries(
  introspection.__schema.types
    .filter((type) => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'))
    .map(({ name }) => [name, () => null]),
);

let isConnected = false;
type Deleted = Record<string, { deletedConsumerId?: string; deletedResourceProviderId?: string }>;

const events = createClient({ url: SERVER, on: { connected: () => void (isConnected = true) } });
const client = new Client({
  url: SERVER,
  preferGetMethod: false,
  exchanges: [
    cacheExchange({
      schema: introspection,
      keys,
      // what was deleted is told by its id: nothing else leaves the cache
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

const HOST = graphql(`
  fragment Host on ResourceProvider @_unmask {
    id
    name
    generation
    inventory(resourceClass: "VCPU") {
      id
      available
    }
  }
`);

const FIND = graphql(
  `
    query Find($by: ProviderRef!) {
      resourceProvider(by: $by) {
        ...Host
      }
    }
  `,
  [HOST],
);

/** Any object by its id, whatever its type. */
const READ_AGAIN = graphql(
  `
    query ReadAgain($id: ID!) {
      node(id: $id) {
        __typename
        ...Host
      }
    }
  `,
  [HOST],
);

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

const CLAIM = graphql(
  `
    mutation Claim($input: ClaimInput!) {
      claim(input: $input) {
        __typename
        ... on ClaimPayload {
          claims {
            consumer {
              id
              uuid
              generation
            }
            allocationRequest {
              allocations {
                resourceProvider {
                  ...Host
                }
              }
            }
          }
        }
        ... on UserError {
          code
          message
        }
      }
    }
  `,
  [HOST],
);

const CHANGED = graphql(
  `
    subscription Changed($host: UUID!) {
      resourceProviderChanged(inTree: { uuid: $host }) {
        resourceProviderId
        deleted
        resourceProvider {
          ...Host
        }
      }
    }
  `,
  [HOST],
);

const RELEASE = graphql(`
  mutation Release($consumer: UUID!) {
    deleteConsumer(input: { consumer: $consumer }) {
      ... on DeleteConsumerPayload {
        deletedConsumerId
      }
    }
  }
`);

const DELETE = graphql(`
  mutation Delete($host: UUID!) {
    deleteResourceProvider(input: { resourceProvider: { uuid: $host } }) {
      ... on DeleteResourceProviderPayload {
        deletedResourceProviderId
      }
    }
  }
`);

type Host = NonNullable<ResultOf<typeof FIND>['resourceProvider']>;

const uuid = randomUUID();
const named: VariablesOf<typeof FIND> = { by: { name: 'tada-host' } };
const inventories = [{ resourceClass: 'VCPU', total: 8 }];
await client.mutation(CREATE, { input: { root: { uuid, name: 'tada-host', inventories } } }).toPromise();

/** What the cache has of the host, told whenever that changes: by an answer or by an event. */
let shown: Host | null | undefined;
const { unsubscribe } = client.query(FIND, named).subscribe(({ data }) => (shown = data?.resourceProvider));
const changes = client.subscription(CHANGED, { host: uuid }).subscribe(() => undefined);
await until(() => shown != null && isConnected);
console.log(`${shown?.inventory?.available} VCPU are free`);

const consumer = { consumer: randomUUID(), projectId: 'examples', userId: 'gql-tada' };
const claimed = await client
  .mutation(CLAIM, {
    input: {
      members: [
        {
          name: 'vm',
          requests: [{ groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inTree: { uuid } }] }],
          consumers: [consumer],
        },
      ],
    },
  })
  .toPromise();
const { claim } = claimed.data!;
if (claim.__typename !== 'ClaimPayload') throw new Error(claim.message);
console.log(`claimed at generation ${claim.claims[0].consumer.generation}`);
// by the answer and by the event, whichever comes first: both are about what has this id in the cache
await until(() => shown?.inventory?.available === 6);
console.log(`${shown?.inventory?.available} VCPU are free`);

await client.mutation(RELEASE, consumer).toPromise();
await until(() => shown?.inventory?.available === 8);
console.log(`${shown?.inventory?.available} VCPU are free`);

const again = await client.query(READ_AGAIN, { id: shown!.id }, { requestPolicy: 'network-only' });
if (again.data?.node?.__typename === 'ResourceProvider') console.log(`${again.data.node.name} by its id`);

await client.mutation(DELETE, { host: uuid }).toPromise();
await until(() => shown === null); // it left the cache, and so the query was sent again
console.log('deleted');

changes.unsubscribe();
unsubscribe();
events.dispose();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
