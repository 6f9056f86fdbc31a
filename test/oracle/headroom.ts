import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { naiveAnswer } from './naive.js';

/**
 * Returns the maximum number of claims of a request that can succeed one after another, at most
 * `upTo`. It tries every candidate at every step. Returns null if there would be too many states.
 */
export function naiveHeadroom(forest: Forest, request: CaseRequest, upTo: number): number | null {
  const known = new Map<string, number>();
  const most = (taken: Record<string, number>, left: number): number => {
    if (left === 0) return 0;
    const state = `${left}|${JSON.stringify(Object.entries(taken).sort())}`;
    const before = known.get(state);
    if (before !== undefined) return before;
    if (known.size > MOST_STATES) throw new TooMuch();
    let best = 0;
    for (const allocations of distinct(naiveAnswer(drawn(forest, taken), request).candidates)) {
      best = Math.max(best, 1 + most(added(taken, allocations), left - 1));
      if (best === left) break;
    }
    known.set(state, best);
    return best;
  };
  try {
    return most({}, upTo);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

const MOST_STATES = 150;

class TooMuch extends Error {}

/** Returns the distinct allocations. Candidates may differ only in their mappings. */
function distinct(candidates: readonly Candidate[]): Candidate['allocations'][] {
  return [...new Map(candidates.map(({ allocations }) => [keyOf(allocations), allocations])).values()];
}

function keyOf(allocations: Candidate['allocations']): string {
  return JSON.stringify(
    Object.entries(allocations)
      .map(([uuid, amounts]) => [uuid, Object.entries(amounts).sort()])
      .sort(),
  );
}

function added(taken: Record<string, number>, allocations: Candidate['allocations']): Record<string, number> {
  const sum = { ...taken };
  for (const [uuid, amounts] of Object.entries(allocations)) {
    for (const [name, amount] of Object.entries(amounts)) {
      sum[`${uuid} ${name}`] = (sum[`${uuid} ${name}`] ?? 0) + amount;
    }
  }
  return sum;
}

function drawn(forest: Forest, taken: Record<string, number>): Forest {
  const claims = Object.entries(taken).map(([key, used]) => {
    const [uuid, resourceClass] = key.split(' ');
    const { name } = forest.providers.find((provider) => provider.uuid === uuid)!;
    return { consumer: key, provider: name, resourceClass, used };
  });
  return { ...forest, allocations: [...forest.allocations, ...claims] };
}
