import { allocationsOf } from '../../search/anchor.js';
import type { Problem } from './problem.js';

/** Returns the request that most present consumers of a member have, the first of several; null if none. */
export function* presentAlternative(
  problem: Problem,
  member: number,
  allowed: readonly number[],
): Generator<void, number | null> {
  let best: { readonly alternative: number; readonly count: number } | null = null;
  for (const alternative of allowed) {
    let count = 0;
    for (const consumer of problem.present.ofMember(member))
      if (yield* isAsPresent(problem, consumer, alternative)) count++;
    if (count > (best?.count ?? 0)) best = { alternative, count };
  }
  return best?.alternative ?? null;
}

/** Returns whether a present consumer has a candidate of the request. */
function* isAsPresent(problem: Problem, consumer: number, alternative: number): Generator<void, boolean> {
  const { present, snapshot, relations, alternatives, seed } = problem;
  const request = alternatives[relations.members[consumer]][alternative]!;
  const tree = present.treeOf(consumer);
  const trees = tree === null ? request.trees.all() : request.trees.has(tree) ? [tree] : [];
  for (const one of trees)
    for (const assignments of problem.assignmentsAt(snapshot, request, one, seed)) {
      if (assignments === null) yield;
      else if (present.hasAllocations(consumer, allocationsOf(request.plan, { assignments }))) return true;
    }
  return false;
}
