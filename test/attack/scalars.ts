import { expect } from '@jest/globals';
import { shapeUuid } from '../support/oddShapes.js';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, ask, codesOf, expectAnswersTo, type Reply } from './requests.js';

/** The maximum length of an answer (bytes), from the cost of an operation and the text of one object. */
const LONGEST_ANSWER = 110_000_000;

function expectBounded({ failure, bytes }: Reply): void {
  expect(failure).toBeNull();
  expect(bytes).toBeLessThan(LONGEST_ANSWER);
}

attack('the trees of all traits of a map, under 490 aliases', async ({ url }) => {
  const { text } = await ask(url, '{ traits { name } }');
  const { data } = JSON.parse(text) as { data: { traits: { name: string }[] } };
  const names = data.traits.map(({ name }) => name);
  const query = `query ($n: [String!]!) { fleetMap(resourceClass: "VCPU") { ${aliases(490, 'traits(names: $n) { trees }')} } }`;
  const reply = await ask(url, query, { n: names });
  expectBounded(reply);
  expect(codesOf(reply)).toEqual(['LIMIT_EXCEEDED']);
  expect(reply.ms).toBeLessThan(strength(2_500, 10_000));
});

longAttack('the columns and aggregates of a map, under 490 aliases', async ({ url }) => {
  const map = (selection: string): string =>
    `{ fleetMap(resourceClass: "VCPU") { ${aliases(490, selection)} } }`;
  for (const selection of ['names', 'capacities', 'aggregates { trees }'])
    expectBounded(await ask(url, map(selection)));
  await expectAnswersTo(url, map('used'), strength(8, 2));
});

const REQUEST = '{ groups: [{ suffix: "", resources: [{ resourceClass: "VCPU", amount: 1 }] }] }';

longAttack('the claim tokens of all candidates, under 400 aliases', async ({ url }) => {
  const candidates = (selection: string): string =>
    `{ allocationCandidates(request: ${REQUEST}) { ${selection} } }`;
  const tokens = `allocationRequests { ${aliases(400, 'claimToken')} }`;
  expectBounded(await ask(url, candidates(tokens)));
  const byExecutor = await ask(url, candidates(`${tokens} explanation { summary }`));
  expect(codesOf(byExecutor)).toEqual(['LIMIT_EXCEEDED']);
  await expectAnswersTo(url, candidates(tokens), strength(8, 2));
});

longAttack('the traits of all providers of the candidates, under 490 aliases', async ({ url }) => {
  const query = `{ allocationCandidates(request: ${REQUEST}) {
    providerSummaries { ${aliases(490, 'traitNames')} } } }`;
  expectBounded(await ask(url, query));
  await expectAnswersTo(url, query, strength(8, 2));
});

longAttack('long keys of an answer, and many of them', async ({ url }) => {
  const page = 'resourceProviders(first: 1000)';
  const long = await ask(url, `{ ${page} { nodes { ${'a'.repeat(800_000)}: __typename } } }`);
  expect(codesOf(long)).toEqual(['LIMIT_EXCEEDED']);
  const fields = Array.from({ length: 490 }, (_, at) => `${'a'.repeat(200)}${at}: uuid`).join('\n');
  const reply = await ask(url, `{ ${page} { nodes { ${fields} } } }`);
  expectBounded(reply);
  const wide = `resourceProvider(by: { uuid: "${shapeUuid('wide')}" }) { children { ${fields} } }`;
  expect(codesOf(await ask(url, `{ ${wide} }`))).toEqual(['LIMIT_EXCEEDED']);
});
