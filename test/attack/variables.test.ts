import { expect } from '@jest/globals';
import { attack, attackedServer, strength } from './attackedServer.js';
import { ask, codesOf, type Reply } from './requests.js';

attackedServer();

const TRAITS = 'query ($i: TraitFilter) { traits(filter: $i) { name } }';

const unknownKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, 1]));

/** A refusal that is short. */
function expectRefused(reply: Reply): void {
  expect(reply.failure).toBeNull();
  expect(codesOf(reply)).toHaveLength(1);
  expect(['BAD_USER_INPUT', 'LIMIT_EXCEEDED', 'REQUEST_ENTITY_TOO_LARGE']).toContain(codesOf(reply)[0]);
  expect(reply.bytes).toBeLessThan(100_000);
}

for (const count of [8_000, 50_000]) {
  attack(`an input object with ${count} unknown fields`, async ({ url }) => {
    for (let turn = 0; turn < strength(5, 1); turn++)
      expectRefused(await ask(url, TRAITS, { i: unknownKeys(count) }));
  });
}

attack('an input object with 6,500 unknown fields beside a text of 900 kB', async ({ url }) => {
  for (let turn = 0; turn < strength(3, 1); turn++)
    expectRefused(await ask(url, TRAITS, { i: { ...unknownKeys(6_500), startsWith: 'x'.repeat(900_000) } }));
});

attack('a list of 100,000 values of the wrong type', async ({ url }) => {
  expectRefused(await ask(url, TRAITS, { i: { nameIn: Array.from({ length: 100_000 }, () => 1) } }));
  const groups = Array.from({ length: 40_000 }, () => ({ suffix: 1 }));
  const query = `query ($r: AllocationCandidatesInput!) { allocationCandidates(request: $r) { complete } }`;
  expectRefused(await ask(url, query, { r: { groups } }));
});

attack('a text of 900 kB in every place of a request', async ({ url }) => {
  const text = 'x'.repeat(900_000);
  const replies = await Promise.all([
    ask(url, 'query ($n: String!) { trait(name: $n) { name } }', { n: text }),
    ask(url, 'query ($n: ID!) { node(id: $n) { id } }', { n: text }),
    ask(url, 'query ($n: UUID!) { consumer(uuid: $n) { uuid } }', { n: text }),
    ask(url, 'query ($n: String!) { resourceProviders(after: $n) { nodes { uuid } } }', { n: text }),
    ask(url, 'query ($n: String!) { usages(projectId: $n) { consumerType } }', { n: text }),
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
