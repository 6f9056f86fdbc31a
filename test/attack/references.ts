import { expect } from '@jest/globals';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, all, ask, type Reply } from './requests.js';

/** The references to a variable, and its values: a body of 1 MB at full strength. */
const REFERENCES = 4_500;
const VALUES = strength(300_000, 100_000);

const EMPTY: readonly string[] = Array<string>(VALUES).fill('');

function expectTooManyValues({ failure, text }: Reply): void {
  expect(failure).toBeNull();
  expect(text).toContain('LIMIT_EXCEEDED');
  expect(text).toContain('after its variables are inserted');
}

const ID = '0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11';

const candidates = (traits: string): string =>
  `allocationCandidates(limit: 1, request: { groups: [{ requiredTraits: [${traits}], resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) { complete }`;

attack('4,500 references to a variable of 300,000 empty names', async ({ url }) => {
  const query = `query ($t: [String!]!) { ${candidates('$t '.repeat(REFERENCES))} }`;
  for (const reply of await all(strength(5, 1), () => ask(url, query, { t: EMPTY })))
    expectTooManyValues(reply);
});

longAttack('a fragment with references that other fragments spread thousands of times', async ({ url }) => {
  const fields = 'nodes(ids: $t) { id }';
  const spreads = '...A '.repeat(100);
  const query = `query ($t: [ID!]!) { ${spreads} } fragment A on Query { ${'...B '.repeat(90)} } fragment B on Query { ${fields} }`;
  for (const reply of await all(strength(5, 1), () => ask(url, query, { t: EMPTY })))
    expectTooManyValues(reply);
});

attack('a claim with 2,000 references to a variable of 100,000 names', async ({ url }) => {
  const request = `{ groups: [{ requiredTraits: [${'$t '.repeat(2_000)}], resources: [{ resourceClass: "VCPU", amount: 1 }] }] }`;
  const query = `mutation ($t: [String!]!, $c: [ClaimConsumerInput!]!) {
    claim(input: { members: [{ name: "m", consumers: $c, requests: [${request}] }] }) { __typename } }`;
  const c = [{ consumer: ID, projectId: 'p', userId: 'u' }];
  const replies = await all(strength(5, 1), () => ask(url, query, { t: EMPTY.slice(0, 100_000), c }));
  for (const reply of replies) expectTooManyValues(reply);
});

longAttack('500 mutations that would each coerce all variables', async ({ url }) => {
  const fields = aliases(498, 'deleteTrait(input: { name: "none" }) { __typename }');
  const query = `mutation ($i: CreateTraitInput!, $t: [ProviderRef!]!) { ${fields}
    last: updateAggregateMembers(input: { aggregate: { uuid: "${ID}" }, add: $t }) { __typename } first: createTrait(input: $i) { __typename } }`;
  const t = Array.from({ length: strength(20_000, 2_000) }, (_, at) => ({ name: `host-${at}` }));
  const reply = await ask(url, query, { t, i: { name: 'no custom name' } });
  expect(reply.failure).toBeNull();
  expect(reply.ms).toBeLessThan(strength(10_000, 30_000));
});

longAttack('variables of as many values as are allowed, which are coerced', async ({ url }) => {
  const query = `query ($r: AllocationCandidatesInput!) { allocationCandidates(request: $r) { complete } }`;
  const resources = [{ resourceClass: 'VCPU', amount: 1 }];
  const groups = Array.from({ length: 5_500 }, (_, at) => ({ suffix: `_${at}`, resources }));
  for (const { failure, status } of await all(strength(20, 3), () => ask(url, query, { r: { groups } }))) {
    expect(failure).toBeNull();
    expect([200, 400]).toContain(status);
  }
});

longAttack('140,000 ids that are none, in a body of 8 kB', async ({ url }) => {
  const query = `query ($t: [ID!]!) { ${aliases(140, 'nodes(ids: $t) { id }')} }`;
  for (const { failure, text } of await all(strength(10, 2), () =>
    ask(url, query, { t: EMPTY.slice(0, 1_000) }),
  )) {
    expect(failure).toBeNull();
    expect(text).toContain('LIMIT_EXCEEDED');
  }
});
