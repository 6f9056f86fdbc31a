import { expect, test } from '@jest/globals';
import { CrowdedPairArbitrary } from '../oracle/crowdedPairs.js';
import { naiveAnswer } from '../oracle/naive.js';
import { PairArbitrary, type Pair } from '../oracle/pairArbitrary.js';
import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import type { Forest } from '../support/forest.js';
import { cases } from '../support/length.js';

const MOST_TRIED = 1_000;

/** Returns the pair with an unsuffixed group whose amounts may all be split, and without an order. */
function splitting({ forest, request }: Pair): Pair {
  const groups = request.groups.map((group) =>
    group.suffix === '' ? { ...group, canSplit: Object.keys(group.resources ?? {}) } : group,
  );
  if (!groups.some(({ suffix }) => suffix === ''))
    groups.unshift({ suffix: '', resources: { VCPU: 5 }, canSplit: ['VCPU'] });
  return { forest, request: { ...request, groups, orderBy: [], nearConsumers: [], awayFromConsumers: [] } };
}

function withoutSplits(request: CaseRequest): CaseRequest {
  return { ...request, groups: request.groups.map((group) => ({ ...group, canSplit: undefined })) };
}

function withCandidate(forest: Forest, { allocations }: Candidate, number: number): Forest {
  const consumer = `00000000-0000-4000-8000-00000000000${number}`;
  const added = Object.entries(allocations).flatMap(([uuid, amounts]) => {
    const provider = forest.providers.find((one) => one.uuid === uuid)!.name;
    return Object.entries(amounts).map(([resourceClass, used]) => ({
      consumer,
      provider,
      resourceClass,
      used,
    }));
  });
  return { ...forest, allocations: [...forest.allocations, ...added] };
}

/** Returns how many consumers fit, by trying all candidates in all orders of the members; null after too many. */
function mostThatFit(
  forest: Forest,
  requests: readonly CaseRequest[],
  counts: readonly number[],
): number | null {
  let tried = 0;
  const most = (left: Forest, rest: readonly number[]): number => {
    const all = rest.reduce((sum, count) => sum + count, 0);
    let best = 0;
    for (const [member, request] of requests.entries()) {
      if (rest[member] === 0) continue;
      const later = rest.with(member, rest[member] - 1);
      for (const candidate of naiveAnswer(left, request).candidates) {
        if (best === all || ++tried > MOST_TRIED) return best;
        best = Math.max(best, 1 + most(withCandidate(left, candidate, all), later));
      }
    }
    return best;
  };
  const fit = most(forest, counts);
  return tried > MOST_TRIED ? null : fit;
}

test.each([
  ['random', new PairArbitrary()],
  ['crowded', new CrowdedPairArbitrary()],
])(
  'as many consumers with split amounts are placed as fit: %s pairs',
  async (_, pairs) => {
    let found = 0;
    let impossible = 0;
    const counts = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 2 }));
    const law = fc.property(pairs, fc.nat(), counts, (pair, seed, [split, whole]) => {
      const { forest, request } = splitting(pair);
      const requests = [request, withoutSplits(request)];
      const fit = mostThatFit(forest, requests, [split, whole]);
      if (fit === null) return;
      const count = split + whole;
      const members = [split, whole].flatMap((size, at) =>
        size === 0
          ? []
          : [{ name: `m${at}`, count: size, requests: [requests[at]], placement: 'ANY' as const }],
      );
      const { answer } = engineWorkload(forest, { members, topology: [] }, { seed });
      if (answer.kind === 'UNDECIDED') throw new Error('undecided');
      expect(answer.kind === 'FOUND').toBe(fit === count);
      if (answer.kind === 'FOUND') {
        found++;
        return;
      }
      impossible++;
      expect([answer.fit.reduce((sum, one) => sum + one, 0), answer.isLargest]).toEqual([fit, true]);
    });
    const numRuns = cases(750, 100);
    await assertEnough(law, { numRuns }, () => Math.min(found, impossible) > numRuns / 20);
  },
  120_000,
);
