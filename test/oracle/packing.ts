import type { PlacementPolicy } from '../../src/moves/workload/workload.js';
import { candidateKey, type Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { naiveAnswer } from './naive.js';

/** Returns the forest after a consumer has claimed a candidate. */
export function claimedFrom(forest: Forest, { allocations }: Candidate): Forest {
  const names = new Map(forest.providers.map(({ uuid, name }) => [uuid, name]));
  const claimed = Object.entries(allocations).flatMap(([uuid, classes]) =>
    Object.entries(classes).map(([resourceClass, used]) => ({
      consumer: 'somebody',
      provider: names.get(uuid)!,
      resourceClass,
      used,
    })),
  );
  return { ...forest, allocations: [...forest.allocations, ...claimed] };
}

/**
 * Returns whether `count` consumers can have the request at the same time. It tries every candidate
 * after every other.
 */
export function canPack(
  forest: Forest,
  request: CaseRequest,
  count: number,
  placement: PlacementPolicy,
): boolean {
  return packs(forest, count, []);

  function packs(left: Forest, missing: number, trees: readonly string[]): boolean {
    if (missing === 0) return true;
    return naiveAnswer(left, request).candidates.some((candidate) => {
      const tree = treeOf(forest, candidate);
      const isOk =
        placement === 'ANY' || trees.length === 0 || trees.includes(tree) === (placement === 'SAME_TREE');
      return isOk && packs(claimedFrom(left, candidate), missing - 1, [...trees, tree]);
    });
  }
}

/** Returns the root of a candidate's tree in a forest without sharing providers. */
export function treeOf({ providers }: Forest, { allocations }: Candidate): string {
  let at = providers.find(({ uuid }) => uuid in allocations)!;
  for (let parent = at.parent; parent !== null; parent = at.parent) {
    at = providers.find(({ name }) => name === parent)!;
  }
  return at.name;
}

/** Returns the first candidate that was not available after the candidates before it. */
export function wrongOne(
  forest: Forest,
  request: CaseRequest,
  candidates: readonly Candidate[],
): Candidate | undefined {
  let left = forest;
  return candidates.find((candidate) => {
    const keys = naiveAnswer(left, request).candidates.map(candidateKey);
    left = claimedFrom(left, candidate);
    return !keys.includes(candidateKey(candidate));
  });
}
