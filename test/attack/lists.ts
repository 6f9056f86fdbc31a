import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { DEVICE, shapeUuid } from '../support/oddShapes.js';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, type Reply } from './requests.js';
import { IS_FULL } from '../support/length.js';

const REQUEST = '{ groups: [{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }] }';
const AS_STREAM = { headers: { accept: 'text/event-stream' } };

/** Like expectAnswers, but for mutations, which any error of the API may reject. */
function expectRefusals(replies: readonly Reply[]): void {
  for (const { failure, status, text, ms } of replies) {
    expect(failure).toBeNull();
    expect([200, 400, 413, 429, 503]).toContain(status);
    expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    expect(ms).toBeLessThan(35_000);
  }
}

const TEXT =
  'allocationRequests { allocations { resourceProvider { uuid name } resources { resourceClass { name } amount } } } complete';
const EVERYTHING = `allocationRequests {
    allocations { resourceProvider { uuid name generation } resources { resourceClass { name } amount } }
    mappings { suffix resourceProviders { uuid parent { uuid } root { uuid } } }
  }
  providerSummaries { resourceProvider { uuid } resources { resourceClass { name } capacity used } traitNames } complete`;
const candidates = (selection: string): string =>
  `allocationCandidates(request: ${REQUEST}) { ${selection} }`;

longAttack(
  'all candidates by the executor, three times in one operation, from ten clients',
  async ({ url }) => {
    const query = `{ ${aliases(3, candidates(EVERYTHING))} }`;
    expectAnswers([await ask(url, `{ ${candidates(EVERYTHING)} }`, {}, AS_STREAM)]);
    expectAnswers([await ask(url, query, {}, AS_STREAM)]);
    expectAnswers(await all(10, () => ask(url, query, {}, AS_STREAM)));
  },
);

longAttack('all candidates with details that the database has to be asked for', async ({ url }) => {
  const query = `{ ${candidates('explanation { summary } providerSummaries { resourceProvider { inventories { total } createdAt } } complete')} }`;
  expectAnswers([await ask(url, query)]);
  expectAnswers(await all(10, () => ask(url, query)));
});

longAttack(
  'all candidates as text for 20 clients, of which some read slowly or not at all',
  async ({ url }) => {
    const query = `{ ${candidates(EVERYTHING)} }`;
    const gone = new AbortController();
    const slow = all(10, (number) =>
      ask(url, query, {}, { reads: number % 2 === 0 ? 'slowly' : 'nothing', signal: gone.signal }),
    );
    expectAnswers(await all(10, () => ask(url, query)));
    await sleep(strength(10_000, 2_000));
    expectAnswers([await ask(url, `{ ${candidates(TEXT)} }`)]);
    gone.abort();
    await slow;
  },
);

longAttack('all candidates for clients that leave at once', async ({ url }) => {
  for (let turn = 0; turn < strength(40, 10); turn++) {
    const gone = new AbortController();
    const left = all(5, (number) =>
      ask(
        url,
        `{ ${candidates(EVERYTHING)} }`,
        {},
        { signal: gone.signal, ...(number % 2 ? AS_STREAM : {}) },
      ),
    );
    await sleep(10 + 10 * turn);
    gone.abort();
    await left;
  }
  expectAnswers([await ask(url, `{ ${candidates('complete')} }`)]);
});

attack('ancestors and descendants of a chain inside of each other', async ({ url }) => {
  const of = `resourceProvider(by: { uuid: "${shapeUuid('chain', 2_500)}" })`;
  const page = 'resourceProviders(first: 1000, filter: { inTree: { uuid: "' + shapeUuid('chain') + '" } })';
  const queries = [
    `{ ${of} { ancestors { uuid } descendants { uuid } } }`,
    `{ ${of} { ancestors { descendants { uuid } } } }`,
    `{ ${of} { descendants { ancestors { descendants { uuid } } } } }`,
    `{ ${page} { nodes { ancestors { uuid } } } }`,
    `{ ${page} { nodes { descendants { uuid } } } }`,
    `{ ${page} { nodes { ancestors { descendants { uuid } } } } }`,
    `{ ${page} { nodes { root { descendants { parent { children { uuid } } } } } } }`,
    `{ ${page} { nodes { ${aliases(50, 'root { uuid name parent { uuid } }')} } } }`,
  ];
  if (!IS_FULL) return expectAnswers([await ask(url, queries[2]), await ask(url, queries[0], {}, AS_STREAM)]);
  for (const query of queries) expectAnswers([await ask(url, query)]);
  for (const query of queries) expectAnswers([await ask(url, query, {}, AS_STREAM)]);
  expectAnswers((await Promise.all(queries.map((query) => all(2, () => ask(url, query))))).flat());
});

attack('fields that go on when the answer is out, because another one was refused', async ({ url }) => {
  const refused = 'allocations(after: "no cursor") { totalCount }';
  const lists =
    'ancestors { parent { descendants { inventory(resourceClass: "VCPU") { total } parent { uuid } } } }';
  const change = `mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) {
    ... on UpdateResourceProviderPayload { resourceProvider { ${refused} ${lists} } } } }`;
  const of = `resourceProvider(by: { uuid: "${shapeUuid('chain', 1_200)}" })`;
  const input = { resourceProvider: { uuid: shapeUuid('chain', 1_200) }, name: 'chain-1200' };
  for (let turn = 0; turn < strength(4, 2); turn++) {
    for (const reply of [
      await ask(url, change, { input }),
      await ask(url, `{ ${of} { ${refused} ${lists} } }`),
    ])
      expect(codesOf(reply)).toEqual(['INVALID_INPUT']);
    await sleep(1_000);
  }
});

longAttack('9,000 children of one parent, and theirs again', async ({ url }) => {
  const of = `resourceProvider(by: { uuid: "${shapeUuid('wide')}" })`;
  const queries = [
    `{ ${of} { children { uuid } } }`,
    `{ ${of} { children { uuid name generation inventories { total } usages { used } traits { name } } } }`,
    `{ ${of} { children { parent { children { uuid } } } } }`,
    `{ ${of} { children { aggregates { uuid } sharingProviders { uuid } treeConsumers { totalCount } } } }`,
    `{ ${of} { children { allocations { totalCount nodes { amount } } } } }`,
    `{ ${aliases(20, `${of} { children { uuid } }`)} }`,
  ];
  for (const query of queries) expectAnswers([await ask(url, query)]);
  expectAnswers(await all(10, () => ask(url, queries[1])));
});

longAttack('24,000 aggregates of one provider, and their members', async ({ url }) => {
  const of = `resourceProvider(by: { uuid: "${shapeUuid('joined')}" })`;
  const queries = [
    `{ ${of} { aggregates { uuid } } }`,
    `{ ${of} { aggregates { resourceProviders { nodes { uuid } } } } }`,
    `{ ${of} { aggregates { resourceProviders(first: 1) { nodes { aggregates { uuid } } } } } }`,
    `{ ${of} { aggregates { resourceProviders { totalCount } } sharingProviders { uuid } } }`,
    `{ aggregates(first: 1000) { nodes { resourceProviders(first: 1000) { nodes { uuid } } } } }`,
    `{ aggregates(first: 1000) { nodes { resourceProviders(first: 2) { nodes { aggregates { uuid } } } } } }`,
  ];
  for (const query of queries) expectAnswers([await ask(url, query)]);
  expectAnswers(await all(5, () => ask(url, queries[0])));
});

const mutation = (field: string): string => {
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  return `mutation ($input: ${name}Input!) { answer: ${field}(input: $input) { __typename ... on UserError { code message } } }`;
};

longAttack('mutations with lists as long as a body can be', async ({ url }) => {
  const device = shapeUuid('device');
  const write = (field: string, input: object): Promise<Reply> => ask(url, mutation(field), { input });
  const names = Array.from({ length: 10_000 }, (_, number) => `CUSTOM_${number}`);
  const uuids = Array.from({ length: 20_000 }, () => randomUUID());
  const takes = (consumer: string): object => ({
    consumer,
    projectId: 'p',
    userId: 'u',
    allocations: {
      providers: [{ resourceProvider: { uuid: device }, resources: [{ resourceClass: DEVICE, amount: 2 }] }],
    },
  });
  const on = { resourceProvider: { uuid: device }, generation: 999 };
  const children = Array.from({ length: 20_000 }, (_, number) => ({ name: `c${number}` }));
  const attacks = [
    () => write('updateResourceProvider', { ...on, traits: { set: names } }),
    () => write('updateResourceProvider', { ...on, aggregates: { set: uuids } }),
    () =>
      write('updateResourceProvider', {
        ...on,
        inventories: { set: names.map((resourceClass) => ({ resourceClass, total: 1 })) },
      }),
    () => write('setAllocations', { consumers: uuids.slice(0, 5_000).map(takes) }),
    () => write('setAllocations', { consumers: uuids.slice(0, 10_000).map(takes) }),
    () => write('reshape', { inventories: [], allocations: uuids.slice(0, 4_000).map(takes) }),
    () => write('applyProviderTree', { dryRun: true, root: { name: 'attack-root', children } }),
    () => write('applyProviderTree', { dryRun: true, root: nested(200) }),
  ];
  for (const each of attacks) expectRefusals([await each()]);
  expectRefusals(await Promise.all(attacks.map((each) => each())));
});

/** A chain of providers. */
function nested(depth: number): object {
  let root: object = { name: 'attack-leaf' };
  for (let level = 0; level < depth; level++) root = { name: `attack-${level}`, children: [root] };
  return root;
}
