import { expect } from '@jest/globals';
import { attack, longAttack, strength, type Attacked } from './attackedServer.js';
import { aliases, all, ask, codesOf, expectAnswers, expectAnswersTo, type Reply } from './requests.js';

/** The maximum number of names in the requests of an operation, by their price. */
const AFFORDABLE = 18_000;

const VCPU = 'resources: [{ resourceClass: "VCPU", amount: 1 }]';
const references = (name: string, count: number): string => `[${`$${name} `.repeat(count)}]`;

async function traitNames({ url }: Attacked): Promise<string[]> {
  const { text } = await ask(url, '{ traits { name } }');
  const names = [...text.matchAll(/"name":"([A-Z0-9_]+)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(300);
  return names.slice(0, 343);
}

async function aggregateUuids({ database }: Attacked, count: number): Promise<{ uuid: string }[]> {
  const rows = await database.pool.query<{ uuid: string }[]>(
    'SELECT uuid FROM placement_aggregates ORDER BY id DESC LIMIT ?',
    [count],
  );
  return rows.map(({ uuid }) => ({ uuid }));
}

/** Expects each answer to be of one of two kinds: data, or a refusal of the size. */
function expectDataOrRefusal(replies: readonly Reply[]): void {
  expectAnswers(replies);
  for (const reply of replies)
    expect(['', 'LIMIT_EXCEEDED', 'OVERLOADED', 'TIMEOUT']).toContain(codesOf(reply).join());
}

const SEARCHES = (request: string): Record<string, string> => ({
  candidates: `allocationCandidates(request: ${request}, limit: 10) { complete }`,
  explanation: `allocationCandidates(request: ${request}, limit: 1) { explanation { summary } }`,
  headroom: `headroom(request: ${request}, upTo: 1000) { count trees }`,
});

attack(
  'a set of 343 traits, required 1,000 times by reference, and as often as its price allows',
  async (attacked) => {
    const { url } = attacked;
    const t = await traitNames(attacked);
    for (const count of [1_000, Math.floor(AFFORDABLE / t.length)]) {
      const request = `{ groups: [{ ${VCPU}, requiredTraits: ${references('t', count)} }] }`;
      for (const search of Object.values(SEARCHES(request)))
        expectDataOrRefusal(
          await all(strength(4, 2), () => ask(url, `query ($t: [String!]!) { ${search} }`, { t })),
        );
    }
  },
);

longAttack('different large sets of traits of a provider and of its root', async (attacked) => {
  const { url } = attacked;
  const names = await traitNames(attacked);
  const sets = Array.from({ length: 26 }, (_, at) => names.filter((_name, one) => one !== at));
  for (const field of ['rootRequiredTraits', 'requiredTraits'] as const) {
    const own = { resources: [{ resourceClass: 'VCPU', amount: 1 }] };
    const request =
      field === 'requiredTraits'
        ? { groups: [{ ...own, requiredTraits: sets }] }
        : { groups: [own], [field]: sets };
    for (const search of Object.values(SEARCHES('$request')))
      expectDataOrRefusal(
        await all(strength(4, 1), () =>
          ask(url, `query ($request: AllocationCandidatesInput!) { ${search} }`, { request }),
        ),
      );
  }
});

attack('256 groups in 1,024 subtree conditions, and in as many as their price allows', async ({ url }) => {
  const suffixes = Array.from({ length: 256 }, (_, number) => `_G${number}`);
  const g = suffixes.map((suffix) => ({ suffix, resources: [{ resourceClass: 'VCPU', amount: 1 }] }));
  const search = 'allocationCandidates(request: { groups: $g, sameSubtree: LIST }, limit: 10) { complete }';
  const s = { groups: suffixes };
  const l = Array.from({ length: 60 }, (_, at) => ({
    groups: suffixes.filter((_suffix, one) => one !== at),
  }));
  const forms = [
    ['$s: SubtreeAffinityInput!', references('s', 1_024)],
    ['$s: SubtreeAffinityInput!', references('s', 60)],
    ['$l: [SubtreeAffinityInput!]!', '$l'],
  ];
  for (const [variable, list] of forms) {
    const query = `query ($g: [RequestGroupInput!]!, ${variable}) { ${search.replace('LIST', list)} }`;
    expectDataOrRefusal(await all(strength(4, 1), () => ask(url, query, { g, s, l })));
  }
});

longAttack('256 groups that share long lists of aggregates', async (attacked) => {
  const { url } = attacked;
  const a = await aggregateUuids(attacked, 60);
  const group = (number: number): string =>
    `{ suffix: "_G${number}", ${VCPU}, memberOf: [$a], forbiddenAggregates: $f }`;
  const groups = Array.from({ length: 128 }, (_, number) => group(number)).join();
  for (const search of Object.values(SEARCHES(`{ groups: [${groups}] }`))) {
    const query = `query ($a: [AggregateRef!]!, $f: [AggregateRef!]!) { ${search} }`;
    expectDataOrRefusal(
      await all(strength(4, 1), () => ask(url, query, { a: a.slice(0, 30), f: a.slice(30) })),
    );
  }
});

longAttack('a workload of 64 members with 8 references to one large request', async (attacked) => {
  const { url } = attacked;
  const names = await traitNames(attacked);
  const member = (number: number): string =>
    `{ name: "m${number}", requests: ${references('r', 8)}, consumers: [{ consumer: "${uuidOf(number)}", projectId: "p", userId: "u" }] }`;
  const members = Array.from({ length: 64 }, (_, number) => member(number)).join();
  const query = `query ($r: AllocationCandidatesInput!) {
    planWorkload(input: { members: [${members}] }) { outcome failure { message } } }`;
  for (const size of [names.length, 30]) {
    const r = {
      groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }], requiredTraits: [names.slice(0, size)] }],
    };
    expectDataOrRefusal(await all(strength(4, 1), () => ask(url, query, { r })));
  }
});

longAttack('a workload whose members name each other', async ({ url }) => {
  const consumers = Array.from({ length: 64 }, (_, number) => uuidOf(number));
  const members = consumers.map((consumer, number) => ({
    name: `m${number}`,
    consumers: [{ consumer, projectId: 'p', userId: 'u' }],
    requests: [1, 2, 3, 4].map((amount) => ({
      groups: [{ resources: [{ resourceClass: 'VCPU', amount }] }],
      awayFromConsumers: consumers.filter((one) => one !== consumer),
    })),
  }));
  const query = 'query ($i: ClaimInput!) { planWorkload(input: $i) { outcome failure { message } } }';
  expectAnswers(await all(4, () => ask(url, query, { i: { members } })));
});

longAttack('one order of 343 traits, 1,000 times by reference, and many different ones', async (attacked) => {
  const { url } = attacked;
  const names = await traitNames(attacked);
  const p = { preferTraits: names.map((trait, weight) => ({ trait, weight })) };
  const o = Array.from({ length: 30 }, (_, at) => ({
    preferTraits: names.slice(at, at + 290).map((trait, weight) => ({ trait, weight })),
  }));
  const search = `allocationCandidates(request: { groups: [{ ${VCPU} }], orderBy: LIST }, limit: 10) {
    allocationRequests { score } complete }`;
  const forms = [
    ['$p: CandidateOrderInput!', references('p', 1_000)],
    ['$p: CandidateOrderInput!', references('p', 25)],
    ['$o: [CandidateOrderInput!]!', '$o'],
  ];
  for (const [variable, list] of forms) {
    const query = `query (${variable}) { ${search.replace('LIST', list)} }`;
    expectDataOrRefusal(await all(strength(4, 1), () => ask(url, query, { p, o })));
  }
});

longAttack('a drain with 200 references to a large request', async (attacked) => {
  const { url, database } = attacked;
  const names = await traitNames(attacked);
  const [{ uuid }] = await database.pool.query<{ uuid: string }[]>(
    'SELECT p.uuid FROM resource_providers p JOIN allocations a ON a.resource_provider_id = p.id LIMIT 1',
  );
  const requests = Array.from(
    { length: 200 },
    (_, number) => `{ consumers: { uuid: "${uuidOf(number)}" }, request: $r }`,
  ).join();
  const query = `query ($r: AllocationCandidatesInput!) {
    planDrain(from: { providers: [{ uuid: "${uuid}" }] }, requests: [${requests}]) { complete } }`;
  for (const size of [names.length, 80]) {
    const r = {
      groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }], forbiddenTraits: names.slice(0, size) }],
    };
    expectDataOrRefusal(await all(strength(4, 1), () => ask(url, query, { r })));
  }
});

longAttack('lists and totals of providers with large filters', async (attacked) => {
  const { url } = attacked;
  const names = await traitNames(attacked);
  const t = names.slice(0, 180);
  const filters = ['requiredTraits', 'hasTraitInTree'].map((field) => `${field}: ${references('t', 99)}`);
  const lists = filters.map((filter) => `resourceProviders(first: 5, filter: { ${filter} }) { totalCount }`);
  const totals = `fleetTotals(filter: { requiredTraits: ${references('t', 99)} }) { nodes { used } }`;
  for (const list of [...lists, totals])
    expectDataOrRefusal(
      await all(strength(4, 1), () => ask(url, `query ($t: [String!]!) { ${list} }`, { t })),
    );
  await expectAnswersTo(url, `{ ${aliases(3, lists[0].replaceAll('$t', '["HW_CPU_X86_AVX2"]'))} }`, 1);
});

function uuidOf(number: number): string {
  return `0dd60000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
