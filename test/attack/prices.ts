import { expect } from '@jest/globals';
import { IS_FULL } from '../support/length.js';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, expectAnswersTo, send, type Reply } from './requests.js';

function expectRefused(reply: Reply, ...codes: string[]): void {
  expect(reply.failure).toBeNull();
  expect(codesOf(reply)).toHaveLength(1);
  expect(codes).toContain(codesOf(reply)[0]);
}

attack('pages within pages, sized by unset variables that every object has', async ({ url }) => {
  for (const name of ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']) {
    const page = (inner: string): string =>
      `resourceProviders(first: $${name}) { nodes { uuid aggregates { ${inner} } } }`;
    const query = `query ($${name}: Int) { ${page(page(page(page(page('uuid')))))} }`;
    expectRefused(await ask(url, query), 'LIMIT_EXCEEDED');
  }
});

attack('introspection under 500 aliases, and nested', async ({ url }) => {
  const types = 'types { name fields { name args { name type { name ofType { name ofType { name } } } } } }';
  const queries = [
    `{ ${aliases(500, `__schema { ${types} }`)} }`,
    `{ ${aliases(500, '__type(name: "Query") { name }')} }`,
    `{ __schema { ${aliases(300, types)} } }`,
    `{ __schema { types { ${aliases(200, 'fields { args { type { name } } }')} } } }`,
  ];
  for (let turn = 0; turn < strength(5, 1); turn++)
    for (const query of queries) expectRefused(await ask(url, query), 'LIMIT_EXCEEDED');
  const once = await all(strength(20, 3), () => ask(url, `{ __schema { ${types} } }`));
  for (const reply of once) expect(reply.failure).toBeNull();
});

longAttack('a text of 900 kB in a variable that a price depends on, each another one', async ({ url }) => {
  const query =
    'query ($ids: [ID!]!, $first: Int) { nodes(ids: $ids) { id } resourceProviders(first: $first) { totalCount } }';
  for (let number = 0; number < strength(1_200, 50); number++) {
    const reply = await ask(url, query, { ids: [`${number}${'x'.repeat(900_000)}`], first: number });
    expect(reply.failure).toBeNull();
  }
});

longAttack('bodies of 16 MiB with eight million values', async ({ url }) => {
  const zeros = '0,'.repeat(8_000_000);
  const lists = '[],'.repeat(5_000_000);
  for (const values of [`[${zeros}0]`, `[${lists}0]`]) {
    const body = `{"query":"query ($i: [ID!]!) { nodes(ids: $i) { id } }","variables":{"i":${values}}}`;
    for (let turn = 0; turn < strength(5, 1); turn++)
      expectRefused(await send(url, body), 'REQUEST_ENTITY_TOO_LARGE');
  }
});

longAttack('a text of 900 kB in every place of a request', async ({ url }) => {
  const text = 'x'.repeat(900_000);
  const replies = await Promise.all([
    ask(url, 'query ($n: String!) { trait(name: $n) { name } }', { n: text }),
    ask(url, 'query ($n: ID!) { node(id: $n) { id } }', { n: text }),
    ask(url, 'query ($n: UUID!) { consumer(uuid: $n) { uuid } }', { n: text }),
    ask(url, 'query ($n: String!) { resourceProviders(after: $n) { nodes { uuid } } }', { n: text }),
    ask(url, 'query ($n: String!) { usages(projectId: $n) { consumerCount } }', { n: text }),
    ask(url, 'mutation ($i: CreateTraitInput!) { createTrait(input: $i) { __typename } }', {
      i: { name: text },
    }),
    ask(url, `{ trait(name: "${text}") { name } }`),
    ask(url, `# ${text}\n{ __typename }`),
  ]);
  for (const { status, failure, bytes } of replies) {
    expect(failure).toBeNull();
    expect([200, 400, 413]).toContain(status);
    expect(bytes).toBeLessThan(10_000);
  }
});

const GROUP = '{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }';
const REQUEST = `{ groups: [${GROUP}] }`;

longAttack('allocationCandidates under 500 aliases', async ({ url }) => {
  const bare = `{ ${aliases(500, `allocationCandidates(request: ${REQUEST}) { complete }`)} }`;
  expectAnswers([await ask(url, bare, {}, { headers: { accept: 'text/event-stream' } })]);
  await expectAnswersTo(url, bare, strength(5, 2));
  const limited = `{ ${aliases(500, `allocationCandidates(request: ${REQUEST}, limit: 1) { complete }`)} }`;
  await expectAnswersTo(url, limited, strength(5, 2));
});

longAttack('explanations under 490 aliases', async ({ url }) => {
  const query = `{ ${aliases(490, `allocationCandidates(request: ${REQUEST}, limit: 1) { explanation { summary } }`)} }`;
  await expectAnswersTo(url, query, strength(5, 2));
});

longAttack('headroom under 240 aliases', async ({ url }) => {
  const query = `{ ${aliases(240, `headroom(request: ${REQUEST}, upTo: ${strength(100_000, 1_000)}) { count }`)} }`;
  await expectAnswersTo(url, query, strength(5, 2));
});

longAttack('totals of the fleet under 400 aliases, and the audit under 100', async ({ url }) => {
  const totals = aliases(400, 'fleetTotals(first: 1000) { nodes { used } totalCount }');
  expectAnswers([await ask(url, `{ ${totals} }`)]);
  const audits = aliases(strength(100, 20), 'audit(first: 1) { totalCount nodes { message } }');
  expectAnswers([await ask(url, `{ ${audits} }`)]);
});

longAttack('requests of 256 groups, with orders and subtrees', async ({ url }) => {
  const groups = Array.from({ length: 256 }, (_, number) => ({
    suffix: `_G${number}`,
    resources: [{ resourceClass: number % 2 ? 'VCPU' : 'SRIOV_NET_VF', amount: 1 }],
  }));
  const suffixes = groups.map(({ suffix }) => suffix);
  const query = `query ($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 10) { complete allocationRequests { mappings { suffix } } } }`;
  const requests = [
    { groups },
    { groups, groupPolicy: 'ISOLATE' },
    { groups: groups.slice(0, 12), groupPolicy: 'ISOLATE' },
    {
      groups: groups.slice(0, 12),
      isolate: suffixes.slice(0, 6),
      orderBy: [{ freeShare: { resourceClass: 'VCPU', strategy: 'PACK' } }],
    },
    { groups, sameSubtree: [{ groups: suffixes }] },
    {
      groups: groups.slice(0, 30),
      sameSubtree: [{ groups: suffixes.slice(0, 15), except: suffixes.slice(15, 30) }],
    },
  ];
  if (IS_FULL) for (const request of requests) expectAnswers([await ask(url, query, { request })]);
  expectAnswers(await Promise.all(requests.map((request) => ask(url, query, { request }))));
});
