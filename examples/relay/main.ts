// relay-runtime without React: a store of normalized records, kept up to date by what mutations answer and by events.
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

/** What the store has, without asking the server. */
function stored<Q extends OperationType>(query: GraphQLTaggedNode, variables: Q['variables']): Q['response'] {
  const { fragment } = createOperationDescriptor(getRequest(query), variables);
  return environment.lookup(fragment).data as Q['response'];
}

const host = { uuid: randomUUID(), name: 'relay-host', inventories: [{ resourceClass: 'VCPU', total: 8 }] };
const named = { name: host.name };
const free = () => stored<sessionHostQuery>(HostQuery, named).resourceProvider?.inventory?.available;

await mutate<sessionCreateMutation>(CreateMutation, { host: { root: host } });
const found = await fetchQuery<sessionHostQuery>(environment, HostQuery, named).toPromise();
environment.retain(createOperationDescriptor(getRequest(HostQuery), named));
console.log(`${free()} VCPU are free`);

const changes = requestSubscription<sessionChangedSubscription>(environment, {
  subscription: ChangedSubscription,
  variables: { host: host.uuid },
});
await connected;

const consumer = { consumer: randomUUID(), projectId: 'examples', userId: 'relay' };
const { claim } = await mutate<sessionClaimMutation>(ClaimMutation, {
  input: {
    members: [
      {
        name: 'vm',
        requests: [
          { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 2 }], inTree: { uuid: host.uuid } }] },
        ],
        consumers: [consumer],
      },
    ],
  },
});
if (!claim.claims) throw new Error(claim.message);
console.log(`claimed at generation ${claim.claims[0].consumer.generation}`);
// the provider in the answer and in the event is the one that the store has already, by its id
await until(() => free() === 6);
console.log(`${free()} VCPU are free`);

// whatever is in the store can be read anew by its id
const { id } = found!.resourceProvider!;
const again = await fetchQuery<sessionAgainQuery>(environment, AgainQuery, { ids: [id] }).toPromise();
console.log(`${again?.nodes?.length} by its id`);

// what was deleted is told by its id, and leaves the store by it
await mutate<sessionReleaseMutation>(ReleaseMutation, { consumer: consumer.consumer });
await until(() => free() === 8);
console.log(`${free()} VCPU are free`);
const has = (record: string) => environment.getStore().getSource().get(record) != null;
console.log(`the consumer is ${has(claim.claims[0].consumer.id) ? 'still there' : 'gone'}`);
await mutate<sessionDeleteMutation>(DeleteMutation, { host: host.uuid });
console.log(`the host is ${has(id) ? 'still there' : 'gone'}`);

changes.dispose();
events.dispose();

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
