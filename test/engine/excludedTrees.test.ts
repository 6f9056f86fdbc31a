import { expect, test } from '@jest/globals';
import { assertEnough, fc } from '../support/fastCheck.js';
import { Random } from '../oracle/random.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { naiveAnswer } from '../oracle/naive.js';
import { ProviderRelations } from '../oracle/providerRelations.js';
import { candidateKey, candidateKeys, providersOf, type Candidate } from '../support/answers.js';
import { query, type CaseRequest } from '../support/caseRequests.js';
import { engineAnswer } from '../support/engine.js';
import { forest, SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { cases } from '../support/length.js';

test('an excluded tree is no anchor, and its sharing provider serves the other trees', () => {
  const fleet = forest(`
    H1 VCPU:4 @A
      S DISK_GB:100 @A sharing
    H2 VCPU:4 @A
    H3 VCPU:4
  `);
  const request = query('resources=VCPU:1,DISK_GB:10');
  const hosts = (excluded: string[]): string[] =>
    engineAnswer(fleet, request, { excluded }).candidates.map((each) => providersOf(fleet, each).join());
  expect(hosts([]).sort()).toEqual(['H1,S', 'H2,S']);
  expect(hosts(['H1'])).toEqual(['H2,S']);
  expect(hosts(['H1', 'H2'])).toEqual([]);
});

test('a tree that a group is tied to can be excluded, too', () => {
  const fleet = forest('H1 VCPU:4');
  const request = query('resources=VCPU:1&in_tree=H1');
  expect(engineAnswer(fleet, request).candidates).toHaveLength(1);
  expect(engineAnswer(fleet, request, { excluded: ['H1'] }).candidates).toEqual([]);
});

test('a search with excluded trees finds the candidates of a fleet without free amounts in these trees', async () => {
  let fewer = 0;
  let left = 0;
  const law = fc.property(
    new PairArbitrary(),
    fc.nat(),
    ({ forest: fleet, request: unordered }: Pair, seed) => {
      const random = new Random(seed);
      const request = random.chance(50) ? unordered : ordered(random, unordered);
      const roots = fleet.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
      const excluded = random.sample(roots, random.between(1, Math.min(2, roots.length)));
      const all = naiveAnswer(fleet, request).candidates;
      const isLeft = belongsElsewhere(fleet, excluded);
      const wanted = naiveAnswer(emptied(fleet, excluded), request).candidates.filter(isLeft);
      const { candidates } = engineAnswer(fleet, request, { excluded, seed, budget: 1 + (seed % 40) });
      const known = new Set(all.map(candidateKey));
      expect({
        left: candidateKeys(candidates.filter(isLeft)),
        foreign: candidates.map(candidateKey).filter((key) => !known.has(key)),
      }).toEqual({ left: candidateKeys(wanted), foreign: [] });
      if (wanted.length > 0 && wanted.length < all.length) fewer++;
      left += candidates.length - wanted.length;
    },
  );
  const numRuns = cases(2_000, 250);
  await assertEnough(law, { numRuns }, () => fewer > numRuns / 20 && left > 0);
}, 120_000);

/** What is left of these trees is what their sharing providers have and consume. */
function emptied(fleet: Forest, roots: readonly string[]): Forest {
  const world = new ProviderRelations(fleet);
  const counters = (provider: ProviderRecord) =>
    Object.fromEntries(
      Object.entries(provider.inventories).filter(([name]) => world.isCounter(provider, name)),
    );
  const providers = fleet.providers.map((provider) =>
    roots.includes(rootOf(fleet, provider)) && !provider.traits.includes(SHARING)
      ? { ...provider, inventories: counters(provider) }
      : provider,
  );
  return { ...fleet, providers };
}

/** Whether a candidate has a provider that is not sharing, in none of these trees. */
function belongsElsewhere(fleet: Forest, roots: readonly string[]): (candidate: Candidate) => boolean {
  const own = new Map(
    fleet.providers
      .filter(({ traits }) => !traits.includes(SHARING))
      .map((provider) => [provider.uuid, rootOf(fleet, provider)]),
  );
  return ({ mappings }) => {
    const trees = Object.values(mappings).flatMap((uuids) => uuids.map((uuid) => own.get(uuid)));
    const tree = trees.find((root) => root !== undefined);
    return tree !== undefined && !roots.includes(tree);
  };
}

const rootOf = (fleet: Forest, provider: ProviderRecord): string =>
  new ProviderRelations(fleet).root(provider).name;

function ordered(random: Random, request: CaseRequest): CaseRequest {
  const asked = new Set(request.groups.flatMap(({ resources = {} }) => Object.keys(resources)));
  const [resourceClass] = random.sample([...asked], 1);
  return {
    ...request,
    orderBy: [{ freeShare: { resourceClass, strategy: random.pick(['SPREAD', 'PACK'] as const) } }],
  };
}
