// A scheduler that makes offers: it claims resources for a short time, extends the claim while the user decides, and
// confirms it. An offer that nobody accepts ends by itself, also if this program has crashed.
import { randomUUID } from 'node:crypto';

const SERVER = process.env.PLACEMENT_URL ?? 'http://127.0.0.1:4000/graphql';
const TOKEN = process.env.PLACEMENT_TOKEN;

async function mutate(field, type, input, selection) {
  const query = `mutation ($input: ${type}!) {
    result: ${field}(input: $input) { __typename ... on UserError { code message } ${selection} }
  }`;
  const headers = { 'content-type': 'application/json', ...(TOKEN && { authorization: `Bearer ${TOKEN}` }) };
  const response = await fetch(SERVER, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data.result;
}

const inSeconds = (seconds) => new Date(Date.now() + 1_000 * seconds).toISOString();
const HELD = '{ consumers { uuid generation expiresAt } }';

/** Claims resources of a host that are free again after these seconds. Returns null if they do not fit there. */
async function offer(inTree, resources, seconds) {
  const consumer = {
    consumer: randomUUID(),
    projectId: 'demo',
    userId: 'ann',
    expiresAt: inSeconds(seconds),
  };
  const members = [{ name: 'offer', requests: [{ groups: [{ resources, inTree }] }], consumers: [consumer] }];
  const selection = '... on ClaimPayload { claims { consumer { uuid generation expiresAt } } }';
  const result = await mutate('claim', 'ClaimInput', { members }, selection);
  return result.claims?.[0].consumer ?? null;
}

/** Gives the user more time. Returns null if the offer has ended. */
async function extend({ uuid: consumer, generation }, seconds) {
  const input = { consumers: [{ consumer, generation, expiresAt: inSeconds(seconds) }] };
  const result = await mutate(
    'extendConsumers',
    'ExtendConsumersInput',
    input,
    `... on ExtendConsumersPayload ${HELD}`,
  );
  return result.consumers?.[0] ?? null;
}

/** Accepts the offer: the consumer stays. Returns false if the offer has ended, so that a new one is needed. */
async function accept({ uuid: consumer, generation }) {
  const input = { consumers: [{ consumer, generation }] };
  const result = await mutate(
    'confirmConsumers',
    'ConfirmConsumersInput',
    input,
    `... on ConfirmConsumersPayload ${HELD}`,
  );
  return result.consumers !== undefined;
}

const host = {
  name: `offers-${randomUUID().slice(0, 8)}`,
  inventories: [{ resourceClass: 'VCPU', total: 4 }],
};
const HOST = { name: host.name };
await mutate('createResourceProvider', 'CreateResourceProviderInput', host, '');
const FOUR = [{ resourceClass: 'VCPU', amount: 4 }];

const first = await offer(HOST, FOUR, 2);
console.log('offered 4 VCPU:', first !== null);
console.log('a second offer of the same resources:', await offer(HOST, FOUR, 2));
let next = null;
while (next === null) next = await offer(HOST, FOUR, 60);
console.log('the first offer ended; accepting it:', await accept(first));
const extended = await extend(next, 120);
console.log('the next one was extended; accepting it:', await accept(extended));

// the consumer of the first offer has ended, and the other one would stay
await mutate('deleteConsumer', 'DeleteConsumerInput', { consumer: next.uuid }, '');
await mutate('deleteResourceProvider', 'DeleteResourceProviderInput', { resourceProvider: HOST }, '');
