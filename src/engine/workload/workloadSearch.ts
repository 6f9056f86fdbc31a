import { Effort } from '../model/effort.js';
import type { Candidate } from '../model/candidate.js';
import type { Snapshot } from '../model/snapshot.js';
import { compareScores, type Score } from '../ordered/ranking.js';
import { eligibleDomains } from './eligibleDomains.js';
import { Feasibility, type Goal } from './feasibility.js';
import { placementsIn, type Placement, type Step } from './placementState.js';
import { workloadScore } from './workloadScore.js';
import { Problem } from './problem.js';
import type { PlannedWorkload } from './workload.js';

export interface WorkloadOptions {
  readonly seed: number;
  /** The maximum work (Effort.spent) of each question that the search asks itself. */
  readonly workPerGoal?: number;
}

export type WorkloadAnswer = WorkloadFound | WorkloadImpossible | { readonly kind: 'UNDECIDED' };

export interface WorkloadFound {
  readonly kind: 'FOUND';
  /** Whether no better choice of requests, fewer domains or better order is possible. */
  readonly isOptimal: boolean;
  readonly members: readonly PlacedMember[];
  /** By rule: the number of domains with consumers. */
  readonly domains: readonly number[];
}

export interface PlacedMember {
  /** The position of the request. */
  readonly alternative: number;
  readonly candidates: readonly PlacedCandidate[];
}

/** A consumer's candidate, at its anchor. */
export interface PlacedCandidate extends Candidate {
  readonly treeIndex: number;
}

export interface WorkloadImpossible {
  readonly kind: 'IMPOSSIBLE';
  readonly requested: number;
  /** The number of consumers that fit together by the rules. */
  readonly fit: number;
  /** Whether no larger part fits. */
  readonly isLargest: boolean;
}

const WORK_PER_GOAL = 2_000_000;

/**
 * Places a workload, or proves that it does not fit. Prefers, in this order: the first request of the first
 * member, then of the second, and so on; the fewest domains of the first PACK rule, then of the next; the best
 * scores by the orders of the requests. Resumable and deterministic like Search.
 */
export class WorkloadSearch {
  readonly effort = new Effort();
  /** The best answer so far. */
  answer: WorkloadAnswer = { kind: 'UNDECIDED' };
  isDone = false;

  private readonly problem: Problem;
  private readonly work: Generator<void>;
  private readonly workPerGoal: number;

  constructor(snapshot: Snapshot, workload: PlannedWorkload, { seed, workPerGoal }: WorkloadOptions) {
    this.problem = new Problem(snapshot, workload, this.effort, seed);
    this.workPerGoal = workPerGoal ?? WORK_PER_GOAL;
    this.work = this.solve();
  }

  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    while (!this.isDone && !this.effort.isUsedUp) this.isDone = this.work.next().done === true;
    return this.isDone;
  }

  private *solve(): Generator<void> {
    const { problem, workPerGoal } = this;
    const { alternatives, rules } = problem;
    const solver = new Feasibility(problem);
    const eligible = yield* eligibleDomains(problem);
    const all = alternatives.map((requests) => [...requests.keys()].filter((at) => requests[at] !== null));
    const none = {
      packLimits: rules.map(() => Infinity),
      ignored: new Set<number>(),
      eligible,
      maxSkipped: 0,
    };
    let goal: Goal = { ...none, allowed: all, work: workPerGoal };
    const hasNone = all.some((allowed) => allowed.length === 0);
    const first = hasNone ? null : (yield* solver.solve(goal, true)).steps;
    if (first === undefined) return;
    if (first === null) {
      yield* this.findLargestPart(solver, goal);
      return;
    }
    let best = first;
    let isProven = true;
    const improve = (steps: readonly Step[]): void => {
      best = steps;
      this.answer = this.foundBy(best, false);
    };
    improve(first);
    for (const member of problem.members.keys()) {
      for (const alternative of all[member]) {
        const better = { ...goal, allowed: goal.allowed.with(member, [alternative]) };
        if (alternative !== alternativeIn(best, member)) {
          const { steps: found } = yield* solver.solve(better);
          if (found === undefined) isProven = false;
          if (!found) continue;
          improve(found);
        }
        goal = better;
        break;
      }
    }
    for (const [rule, { kind }] of rules.entries()) {
      if (kind !== 'PACK') continue;
      for (;;) {
        const used = domainsIn(problem, best, rule);
        const { steps: found } = yield* solver.solve({
          ...goal,
          packLimits: goal.packLimits.with(rule, used - 1),
        });
        if (found === undefined) isProven = false;
        if (found) improve(found);
        else {
          goal = { ...goal, packLimits: goal.packLimits.with(rule, used) };
          break;
        }
      }
    }
    if (problem.members.some((_, member) => this.isOrdered(member))) {
      let bestScore: Score | null = null;
      const outcome = yield* solver.enumerate(goal, (steps, state) => {
        const score = workloadScore(problem, steps, state.overlay);
        if (bestScore === null || compareScores(score, bestScore) > 0) {
          bestScore = score;
          improve([...steps]);
        }
        return true;
      });
      if (outcome === 'UNDECIDED') isProven = false;
    }
    this.answer = this.foundBy(best, isProven);
  }

  private isOrdered(member: number): boolean {
    return this.problem.alternatives[member].some((one) => one !== null && one.plan.orderBy.length > 0);
  }

  private *findLargestPart(solver: Feasibility, goal: Goal): Generator<void> {
    const requested = this.problem.members.reduce((sum, { count }) => sum + count, 0);
    let fit = 0;
    for (;;) {
      this.answer = { kind: 'IMPOSSIBLE', requested, fit, isLargest: false };
      const { steps: found } = yield* solver.solve({ ...goal, maxSkipped: requested - fit - 1 });
      if (!found) {
        this.answer = { kind: 'IMPOSSIBLE', requested, fit, isLargest: found === null };
        return;
      }
      fit = placementsIn(found).length;
    }
  }

  private foundBy(steps: readonly Step[], isOptimal: boolean): WorkloadFound {
    const { members, rules } = this.problem;
    const placements = placementsIn(steps);
    return {
      kind: 'FOUND',
      isOptimal,
      members: members.map((_, member) => ({
        alternative: alternativeIn(steps, member),
        candidates: placements.filter((one) => one.member === member),
      })),
      domains: [...rules.keys()].map((rule) => domainsIn(this.problem, steps, rule)),
    };
  }
}

function alternativeIn(steps: readonly Step[], member: number): number {
  return steps.find((step): step is Placement => step.kind === 'PLACE' && step.member === member)!
    .alternative;
}

/** Returns the number of domains with consumers. */
function domainsIn({ members }: Problem, steps: readonly Step[], rule: number): number {
  const domains = new Set<number>();
  for (const { member, domains: byRule } of placementsIn(steps)) {
    const at = members[member].rules.indexOf(rule);
    if (at >= 0) for (const domain of byRule[at]) domains.add(domain);
  }
  return domains.size;
}
