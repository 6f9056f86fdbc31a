import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { TREES_PER_BLOCK, type Snapshot } from '../../src/fleet/snapshot.js';
import { BlockBounds } from '../../src/search/ordered/blockBounds.js';
import { searchFor } from '../../src/search/candidateSearch.js';
import { orderOf } from '../../src/search/ordered/terms/order.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { CrowdedPairArbitrary } from '../oracle/crowdedPairs.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import { Random } from '../oracle/random.js';
import { randomOrder } from '../oracle/randomOrder.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import { candidateOf, snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { forest, type Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

const HOSTS_BETWEEN = forest(Array.from({ length: TREES_PER_BLOCK }, (_, at) => `EMPTY${at}`).join('\n'));

/** Returns the forests as one, with so many empty hosts between them that they are in different blocks. */
function inTwoBlocks(first: Forest, second: Forest): Forest {
  return {
    providers: [...first.providers, ...HOSTS_BETWEEN.providers, ...second.providers],
    allocations: [...first.allocations, ...second.allocations],
  };
}

function best(snapshot: Snapshot, from: Forest, request: CaseRequest, seed: number): object[] {
  const plan = planRequest(snapshot, toRequest(request, from));
  if (plan === null) return [];
  const search = searchFor(snapshot, plan, { limit: 1, seed });
  search.run();
  return search.candidates.map((candidate) => candidateOf(snapshot, plan, candidate));
}

test('the fewest providers with a policy, after an equal request that isolates the groups from all others', () => {
  const host = (name: string, vcpus: number): Forest =>
    forest([name, ...[1, 2, 3].map((node) => `  ${name}_${node} VCPU:${vcpus}`)].join('\n'));
  const fleet = inTwoBlocks(host('SMALL', 1), host('LARGE', 2));
  const text = 'resources=VCPU:1&resources_A=VCPU:1&resources_B=VCPU:1&order_by=fewest';
  for (let seed = 1; seed <= 8; seed++) {
    const snapshot = snapshotOf(fleet);
    best(snapshot, fleet, query(`${text}&isolate=_A,_B`), seed);
    const [candidate] = best(snapshot, fleet, query(`${text}&group_policy=isolate`), seed);
    expect(Object.keys((candidate as { allocations: object }).allocations)).toHaveLength(2);
  }
});

/** Returns the request and changed ones, of which each differs in one or two fields. */
function variants(random: Random, from: Forest, request: CaseRequest): CaseRequest[] {
  const suffixes = request.groups.map(({ suffix }) => suffix).filter(Boolean);
  const scaled = request.groups.map((group) => ({
    ...group,
    resources: Object.fromEntries(
      Object.entries(group.resources ?? {}).map(([name, amount]) => [name, amount + random.between(0, 1)]),
    ),
  }));
  const roots = from.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  return random.sample<CaseRequest>(
    [
      request,
      { ...request, groupPolicy: 'none', isolate: [] },
      { ...request, groupPolicy: 'isolate', isolate: [] },
      { ...request, groupPolicy: 'none', isolate: suffixes },
      { ...request, groupPolicy: 'none', isolate: random.some(suffixes, 60) },
      { ...request, sameSubtree: request.sameSubtree?.slice(1) },
      { ...request, groups: request.groups.map((group) => ({ ...group, canSplit: undefined })) },
      { ...request, groups: request.groups.map((group) => ({ ...group, memberOf: [], required: [] })) },
      { ...request, groups: scaled },
      { ...request, notInTrees: random.some(roots, 30) },
      { ...request, orderBy: request.orderBy!.toReversed() },
      { ...request, orderBy: randomOrder(random, from, request) },
    ],
    8,
  );
}

/** A group without resources must be in a subtree condition. */
function isValid({ groups, sameSubtree = [] }: CaseRequest): boolean {
  const listed = sameSubtree.flat().map((suffix) => suffix.replace('!', ''));
  return groups.every(
    ({ suffix, resources = {} }) => Object.keys(resources).length > 0 || listed.includes(suffix),
  );
}

/** The bounds of all trees of each block: the best, and the trees with each bound in turn. */
function boundsIn(snapshot: Snapshot, from: Forest, request: CaseRequest): object[] {
  const plan = planRequest(snapshot, toRequest(request, from));
  if (plan === null) return [];
  const filter = new TreeFilter(snapshot, plan);
  const bounds = new BlockBounds(snapshot.blocks, orderOf(plan, filter), filter);
  const effort = new Effort();
  return [...snapshot.blocks.keys()].flatMap((number) => {
    const found = [];
    for (let bound = bounds.best(number, effort); bound !== null;) {
      const { trees, next } = bounds.level(number, bound, effort);
      found.push({ bound, treeIndices: trees });
      bound = next;
    }
    return found;
  });
}

test.each([
  ['random', new PairArbitrary()],
  ['crowded', new CrowdedPairArbitrary()],
])(
  'a request finds the same bounds after other requests in the same snapshot: %s pairs',
  async (_, pairs) => {
    let found = 0;
    const agree = ({ forest: from, request: unordered }: Pair, chance: number): void => {
      const random = new Random(chance);
      const orderBy = random.chance(50) ? [{ fewestProviders: true }] : randomOrder(random, from, unordered);
      const shared = snapshotOf(from);
      for (const request of variants(random, from, { ...unordered, orderBy }).filter(isValid)) {
        const expected = boundsIn(snapshotOf(from), from, request);
        const bounds = boundsIn(shared, from, request);
        if (!isDeepStrictEqual(bounds, expected)) expect(bounds).toEqual(expected);
        found += expected.length;
      }
    };
    const numRuns = cases(1_000, 80);
    await assertEnough(fc.property(pairs, fc.nat(), agree), { numRuns }, () => found > numRuns);
  },
);
