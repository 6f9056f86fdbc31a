// relay-runtime without React: a store of normalized records, which answers of mutations and events update.
import { randomUUID } from 'node:crypto';
import relay from 'relay-runtime';
import type {
  FetchFunction,
  GraphQLResponse,
  GraphQLTaggedNode,
  MutationParameters,
  OperationType,
  SubscribeFunction,
} from 'relay-runtime';
import { createClient } from 'graphql-sse';
import AgainQuery, { type sessionAgainQuery } from './__generated__/sessionAgainQuery.graphql.js';
import ClaimMutation, { type sessionClaimMutation } from './__generated__/sessionClaimMutation.graphql.js';
import CreateMutation, { type sessionCreateMutation } from './__generated__/sessionCreateMutation.graphql.js';
import ChangedSubscription, {
  type sessionChangedSubscription,
} from './__generated__/sessionChangedSubscription.graphql.js';
import DeleteMutation, { type sessionDeleteMutation } from './__generated__/sessionDeleteMutation.graphql.js';
import ReleaseMutation, {
  type sessionReleaseMutation,
} from './__generated__/sessionReleaseMutation.graphql.js';
import CandidatesQuery, {
  type sessionCandidatesQuery,
} from './__generated__/sessionCandidatesQuery.graphql.js';
import PageQuery, { type sessionPageQuery } from './__generated__/sessionPageQuery.graphql.js';
import UpdateMutation, { type sessionUpdateMutation } from './__generated__/sessionUpdateMutation.graphql.js';
import HostQuery, { type sessionHostQuery } from './__generated__/sessionHostQuery.graphql.js';

const { commitMutation, createOperationDescriptor, Environment, fetchQuery, getRequest } = relay;
const { Network, Observable, RecordSource, requestSubscription, Store } = relay;

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';

const send: FetchFunction = async ({ text }, variables) => {
  const response = await fetch(SERVER, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  return response.json();
};

let begun: () => void;
const connected = new Promise<void>((resolve) => (begun = resolve));
const events = createClient({ url: SERVER, on: { connected: () => begun() } });
const follow: SubscribeFunction = ({ text }, variables) =>
  Observable.create((sink) =>
    events.subscribe(
      { query: text!, variables },
      {
        next: (result) => sink.next(result as GraphQLResponse),
        error: (error) => sink.error(error as Error),
        complete: () => sink.complete(),
      },
    ),
  );

const environment = new Environment({
  network: Network.create(send, follow),
  store: new Store(new RecordSource()),
});

function mutate<M extends MutationParameters>(mutation: GraphQLTaggedNode, variables: M['variables']) {
  return new Promise<M['response']>((onCompleted, onError) =>
    commitMutation<M>(environment, { mutation, variables, onCompleted, onError }),
  );
}

/** Reads the store without a request. */
function stored<Q extends OperationType>(query: GraphQLTaggedNode, variables: Q['variables']): Q['response'] {
  const { fragment } = createOperationDescriptor(getRequest(query), variables);
  return environment.lookup(fragment).data as Q['response'];
}

const host = { uuid: randomUUID(), name: 'relay-host' };
const nodes = ['relay-numa-0', 'relay-numa-1'].map((name) => ({
  name,
  inventories: [{ resourceClass: 'VCPU', total: 8 }],
}));
const named = { name: host.name };
const node = { name: nodes[0].name };
const children = () => stored<sessionHostQuery>(HostQuery, named).resourceProvider?.children ?? [];
const free = () => children()[0]?.inventory?.available;

await mutate<sessionCreateMutation>(CreateMutation, { host: { root: { ...host, children: nodes } } });
await fetchQuery<sessionHostQuery>(environment, HostQuery, named).toPromise();
environment.retain(createOperationDescriptor(getRequest(HostQuery), named));
console.log(
  `${host.name}: ${children()
    .map(({ name }) => name)
    .join(', ')}`,
);
console.log(`${free()} VCPU are free`);

const names: string[] = [];
for (let after: string | null | undefined, hasNext = true; hasNext;) {
  const variables = { filter: { inTree: named }, after };
  const page = await fetchQuery<sessionPageQuery>(environment, PageQuery, variables).toPromise();
  const { edges, pageInfo } = page!.resourceProviders!;
  names.push(...edges.map((edge) => edge.node.name));
  ({ hasNextPage: hasNext, endCursor: after } = pageInfo);
}
console.log(`pages of two: ${names.join(', ')}`);

// several edits of a provider in one transaction; its id in the answer updates the store
await mutate<sessionUpdateMutation>(UpdateMutation, {
  input: {
    resourceProvider: node,
    traits: { add: ['HW_CPU_X86_AVX2'] },
    inventories: { patch: [{ resourceClass: 'VCPU', reserved: 2 }] },
  },
});
console.log(`${children()[0].traits[0].name}, ${free()} VCPU are free`);

const changes = requestSubscription<sessionChangedSubscription>(environment, {
  subscription: ChangedSubscription,
  variables: { host: host.uuid },
});
await connected;

// a candidate is claimed by its token; the event of the claim updates the store
const request = { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inSubtree: node }] };
const found = await fetchQuery<sessionCandidatesQuery>(environment, CandidatesQuery, { request }).toPromise();
const [{ claimToken }] = found!.allocationCandidates!.allocationRequests;
const consumer = randomUUID();
const { setAllocations } = await mutate<sessionClaimMutation>(ClaimMutation, {
  input: {
    consumers: [{ consumer, projectId: 'examples', userId: 'relay', allocations: { claimToken } }],
  },
});
if (!setAllocations.consumers) throw new Error(setAllocations.message);
const [claimed] = setAllocations.consumers;
console.log(`claimed at generation ${claimed.generation}`);
await until(() => free() === 4);
console.log(`${free()} VCPU are free`);

// a global id is enough to read an object again
const { id } = children()[0];
const again = await fetchQuery<sessionAgainQuery>(environment, AgainQuery, { ids: [id] }).toPromise();
console.log(`${again?.nodes?.length} by its id`);

// a deletion returns the id of the object, which leaves the store
await mutate<sessionReleaseMutation>(ReleaseMutation, { consumer });
await until(() => free() === 6);
console.log(`${free()} VCPU are free`);
const has = (record: string) => environment.getStore().getSource().get(record) != null;
console.log(`the consumer is ${has(claimed.id) ? 'still there' : 'gone'}`);
for (const { name } of [...nodes, host])
  await mutate<sessionDeleteMutation>(DeleteMutation, { provider: { name } });
console.log(`the provider is ${has(id) ? 'still there' : 'gone'}`);

changes.dispose();
events.dispose();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
