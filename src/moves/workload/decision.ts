import { allocationsOf, type CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { eligibleDomains } from './eligibleDomains.js';
import { Feasibility } from './feasibility.js';
import { Problem } from './problem.js';
import { placementsIn } from './steps.js';
import type { PlannedWorkload } from './workload.js';

/** Whether a workload fits. UNDECIDED: the work ran out. */
export type Decision =
  | { readonly kind: 'FITS'; readonly allocations: readonly CandidateAllocation[] }
  | { readonly kind: 'IMPOSSIBLE' }
  | { readonly kind: 'UNDECIDED' };

interface DecisionOptions {
  readonly seed: number;
  /** The maximum work (Effort.spent). */
  readonly work: number;
}

/** Decides whether a workload fits, without regard to preferences. Returns the allocations of one placement. */
export function* decide(
  snapshot: Snapshot,
  workload: PlannedWorkload,
  effort: Effort,
  { seed, work }: DecisionOptions,
): Generator<void, Decision> {
  const { members, rules } = workload;
  if (members.length === 1 && members[0].count === 1 && rules.length === 0 && workload.relations.isEmpty)
    return yield* decideSingle(snapshot, workload, effort, { seed, work });
  const problem = new Problem(snapshot, workload, effort, seed);
  const solver = new Feasibility(problem);
  yield* solver.prepare();
  const allowed = problem.alternatives.map((requests) =>
    [...requests.keys()].filter((at) => requests[at] !== null),
  );
  const goal = {
    allowed,
    packLimits: rules.map(() => Infinity),
    fills: rules.map(() => null),
    ignored: new Set<number>(),
    ignoresRelations: false,
    eligible: yield* eligibleDomains(problem),
    maxSkipped: 0,
    maxMoved: Infinity,
    work,
  };
  const { steps } = yield* solver.solve(goal, true);
  if (steps === undefined) return { kind: 'UNDECIDED' };
  if (steps === null) return { kind: 'IMPOSSIBLE' };
  return { kind: 'FITS', allocations: placementsIn(steps).flatMap((one) => one.allocations) };
}

function* decideSingle(
  snapshot: Snapshot,
  { members: [{ plans }] }: PlannedWorkload,
  effort: Effort,
  { seed, work }: DecisionOptions,
): Generator<void, Decision> {
  let isProven = true;
  for (const ordered of plans) {
    if (ordered === null) continue;
    const plan = { ...ordered, orderBy: [] };
    const options = { limit: 1, stopsAtLimit: true, seed };
    const { candidates, isDone } = yield* finishedSearch(snapshot, plan, options, effort, work);
    if (candidates.length > 0) return { kind: 'FITS', allocations: allocationsOf(plan, candidates[0]) };
    isProven &&= isDone;
  }
  return { kind: isProven ? 'IMPOSSIBLE' : 'UNDECIDED' };
}
