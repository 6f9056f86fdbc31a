import { groupBy } from '../../model/collections.js';
import { Effort } from '../../model/operation/waiting.js';
import { isPartitioned, type AnchorProvider, type Candidate } from '../../search/anchor.js';
import { blockOf, type Snapshot } from '../../fleet/snapshot.js';
import { compareScores, type Score } from '../../search/ordered/ranking.js';
import { eligibleDomains } from './eligibleDomains.js';
import { Feasibility } from './feasibility.js';
import type { Goal } from './goal.js';
import { Packing } from './packing.js';
import { PlacementState } from './placementState.js';
import { placementsIn, type Placement, type Step } from './steps.js';
import { presentAlternative } from './presentAlternative.js';
import { Problem } from './problem.js';
import { ScoreBound } from './scoreBound.js';
import type { Shortage } from './shortages.js';
import type { PlannedWorkload } from './workload.js';
import { workloadScore } from './workloadScore.js';

export interface WorkloadOptions {
  readonly seed: number;
  /** The maximum work (Effort.spent) for each goal. */
  readonly workPerGoal?: number;
}

export type WorkloadAnswer = WorkloadFound | WorkloadFailure;

export type WorkloadFailure = WorkloadImpossible | { readonly kind: 'UNDECIDED' };

export interface WorkloadFound {
  readonly kind: 'FOUND';
  /** Whether no better choice of requests, fewer domains or better order is possible. */
  readonly isOptimal: boolean;
  readonly members: readonly PlacedMember[];
  /** By rule: the domains with consumers. */
  readonly domains: readonly (readonly UsedDomain[])[];
  /** By rule: the number of its consumers outside of all domains. */
  readonly outside: readonly number[];
  /** By member: 1 if its present consumers lose their request. The last number is that of the moved consumers. */
  readonly disturbance: readonly number[];
}

export interface UsedDomain {
  /** The domain, as `Level` numbers it. */
  readonly domain: number;
  /** A tree with one of its consumers. */
  readonly treeIndex: number;
  readonly consumers: number;
}

export interface PlacedMember {
  /** The position of the request. */
  readonly alternative: number;
  /** The preferred requests, which the search could not use. */
  readonly rejected: readonly RejectedAlternative[];
  readonly candidates: readonly PlacedCandidate[];
}

export interface RejectedAlternative {
  readonly alternative: number;
  /** False if the search gave up, or ended before it tried the request. */
  readonly isProven: boolean;
  /** Whether the member keeps the request of its present consumers. */
  readonly isKept?: boolean;
  /** Null if no bound proves it. */
  readonly shortage: Shortage | null;
}

/** A consumer's candidate, at its anchor. */
export interface PlacedCandidate extends Candidate {
  readonly treeIndex: number;
}

export interface WorkloadImpossible {
  readonly kind: 'IMPOSSIBLE';
  /** The member, rule or class with a shortage, or a rule or relations without which the workload fits. */
  readonly cause: Pick<Shortage, 'member' | 'rule'> & {
    readonly shortage: Shortage | null;
    /** Whether the workload fits without the relations between its consumers. */
    readonly isRelation?: boolean;
  };
  readonly requested: number;
  /** By member: the number of consumers in the largest known part that fits. */
  readonly fit: readonly number[];
  /** Whether no larger part fits. */
  readonly isLargest: boolean;
}

const WORK_PER_GOAL = 2_000_000;

/** The share of the work for the best order. A search that the bounds do not end soon hardly ever ends. */
const SHARE_OF_ORDER = 0.1;

/** The share of the work for the largest part that fits, if as few consumers are left out as the bounds allow. */
const SHARE_OF_LEAST = 0.05;

/**
 * Places a workload, or proves that it does not fit. Prefers, in this order: the first request of the first
 * member, then of the second, and so on; the fewest domains of the first PACK rule, then of the next; those with the
 * least free amounts, likewise; the best scores by the orders of the requests. Resumable and deterministic like Search.
 */
export class WorkloadSearch {
  readonly effort = new Effort();
  /** The best answer so far. */
  answer: WorkloadAnswer = { kind: 'UNDECIDED' };
  isDone = false;

  private readonly problem: Problem;
  private readonly solver: Feasibility;
  private readonly work: Generator<void>;
  private readonly workPerGoal: number;
  private best: readonly Step[] = [];
  private isOptimal = true;
  private readonly rejected: RejectedAlternative[][];
  /** The members that keep the request of their present consumers. */
  private readonly kept = new Set<number>();
  /** The members with present consumers that cannot keep their request. */
  private readonly leaving = new Set<number>();

  constructor(snapshot: Snapshot, workload: PlannedWorkload, { seed, workPerGoal }: WorkloadOptions) {
    this.problem = new Problem(snapshot, workload, this.effort, seed);
    this.solver = new Feasibility(this.problem);
    this.workPerGoal = workPerGoal ?? WORK_PER_GOAL;
    this.rejected = workload.members.map(() => []);
    this.work = this.solve();
  }

  /** Continues for at most this work (Effort.spent). Returns true when done. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    while (!this.isDone && !this.effort.isUsedUp) this.isDone = this.work.next().done === true;
    return this.isDone;
  }

  private *solve(): Generator<void> {
    const { problem, solver } = this;
    yield* solver.prepare();
    const allowed = problem.alternatives.map((requests) =>
      [...requests.keys()].filter((at) => requests[at] !== null),
    );
    const goal: Goal = {
      allowed,
      packLimits: problem.rules.map(() => Infinity),
      fills: problem.rules.map(() => null),
      ignored: new Set(),
      ignoresRelations: false,
      eligible: yield* eligibleDomains(problem),
      maxSkipped: 0,
      maxMoved: Infinity,
      work: this.workPerGoal,
    };
    const { steps, shortage } = yield* solver.solve(goal, true);
    if (steps === null) yield* this.explain(goal, shortage);
    if (!steps) return;
    this.improve(steps);
    const settled = yield* this.stay(goal);
    const preferred = yield* this.chooseAlternatives(settled);
    const packed = yield* new Packing(this.problem, this.solver, {
      used: (rule) => this.domainsOf(rule).map(({ domain }) => domain),
      improve: (steps) => this.improve(steps),
      giveUp: () => (this.isOptimal = false),
    }).run(preferred);
    yield* this.order(packed);
    this.answer = this.found(this.isOptimal);
  }

  private improve(steps: readonly Step[]): void {
    this.best = [...steps];
    this.answer = this.found(false);
  }

  /** Keeps the requests of members with present consumers, and then moves as few of these as possible. */
  private *stay(goal: Goal): Generator<void, Goal> {
    const { present, members } = this.problem;
    if (present.count === 0) return goal;
    let { allowed } = goal;
    for (const member of members.keys()) {
      const kept = yield* presentAlternative(this.problem, member, allowed[member]);
      if (kept === null) continue;
      this.leaving.add(member);
      const better = allowed.with(member, [kept]);
      const isKept = better.every((choices, at) => choices.includes(this.alternativeOf(at)));
      const { steps } = isKept
        ? { steps: this.best }
        : yield* this.solver.solve({ ...goal, allowed: better }, true);
      if (steps === undefined) this.isOptimal = false;
      if (!steps) continue;
      if (!isKept) this.improve(steps);
      allowed = better;
      this.leaving.delete(member);
      this.kept.add(member);
    }
    return yield* this.moveFewest({ ...goal, allowed });
  }

  /** Tries increasing numbers of moves. If one remains undecided, it tries decreasing numbers. */
  private *moveFewest(goal: Goal): Generator<void, Goal> {
    let isDecided = true;
    for (let maxMoved = 0; maxMoved < this.movedCount && isDecided; maxMoved++) {
      const { steps } = yield* this.solver.solve({ ...goal, maxMoved });
      if (steps) this.improve(steps);
      isDecided = steps !== undefined;
    }
    if (!isDecided) this.isOptimal = false;
    while (!isDecided && this.movedCount > 0) {
      const { steps } = yield* this.solver.solve({ ...goal, maxMoved: this.movedCount - 1 });
      if (!steps) break;
      this.improve(steps);
    }
    return { ...goal, maxMoved: this.movedCount };
  }

  private get movedCount(): number {
    return placementsIn(this.best).filter((placement) => this.problem.isMoved(placement)).length;
  }

  /** Chooses the best request of each member in turn. */
  private *chooseAlternatives(goal: Goal): Generator<void, Goal> {
    let { allowed } = goal;
    for (const [member, choices] of goal.allowed.entries()) {
      for (const alternative of choices) {
        const better = allowed.with(member, [alternative]);
        if (alternative !== this.alternativeOf(member)) {
          const { steps, shortage } = yield* this.solver.solve({ ...goal, allowed: better });
          if (steps === undefined) this.isOptimal = false;
          if (!steps) {
            this.rejected[member].push({ alternative, isProven: steps === null, shortage });
            continue;
          }
          this.improve(steps);
        }
        allowed = better;
        break;
      }
    }
    return { ...goal, allowed };
  }

  /** Finds the placement with the best score. Starts with the best placement so far. */
  private *order(goal: Goal): Generator<void> {
    const isOrdered = ({ orderBy }: { readonly orderBy: readonly unknown[] }): boolean => orderBy.length > 0;
    if (!this.problem.alternatives.flat().some((one) => one !== null && isOrdered(one.plan))) return;
    const start = new PlacementState(this.problem, goal);
    for (const step of this.best) start.do(step);
    let best: Score = workloadScore(this.problem, this.best, start.overlay);
    const bound = yield* ScoreBound.of(this.problem, goal);
    const mayImprove = (state: PlacementState): boolean =>
      bound === null || compareScores(bound.of(state), best) > 0;
    if (!mayImprove(new PlacementState(this.problem, goal))) return;
    const onFound = ({ steps, overlay }: PlacementState): boolean => {
      const score = workloadScore(this.problem, steps, overlay);
      if (compareScores(score, best) > 0) {
        best = score;
        this.improve(steps);
      }
      return true;
    };
    const limited = { ...goal, work: goal.work * SHARE_OF_ORDER };
    const outcome = yield* this.solver.enumerate(limited, onFound, mayImprove);
    if (outcome === 'UNDECIDED') this.isOptimal = false;
  }

  /** Finds the cause and the largest part that fits. */
  private *explain(goal: Goal, shortage: Shortage | null): Generator<void> {
    const { members } = this.problem;
    const requested = members.reduce((sum, { count }) => sum + count, 0);
    const cause = {
      member: shortage?.member ?? null,
      rule: shortage?.rule ?? null,
      shortage,
      isRelation: shortage?.isRelation,
    };
    let answer: WorkloadImpossible = {
      kind: 'IMPOSSIBLE',
      cause,
      requested,
      fit: members.map(() => 0),
      isLargest: false,
    };
    this.answer = answer;
    const least = shortage?.lost ?? 1;
    // Usually no more consumers are left out than the shortage proves.
    const first = { ...goal, maxSkipped: least, work: goal.work * SHARE_OF_LEAST };
    for (let next = first, isLast = false; !answer.isLargest && !isLast;) {
      const { steps } = yield* this.solver.solve(next);
      const placements = placementsIn(steps ?? []);
      const fit = members.map((_, member) => placements.filter((one) => one.member === member).length);
      isLast = !steps && next !== first;
      if (steps) answer = { ...answer, fit, isLargest: requested - placements.length === least };
      else if (isLast) answer = { ...answer, isLargest: steps === null };
      this.answer = answer;
      const placed = answer.fit.reduce((sum, count) => sum + count, 0);
      next = { ...goal, maxSkipped: requested - placed - 1 };
    }
    if (shortage === null) yield* this.findCause(goal, answer);
  }

  /** Finds a rule or the relations without which the workload fits; else the first member that is not complete. */
  private *findCause(goal: Goal, answer: WorkloadImpossible): Generator<void> {
    for (const rule of this.problem.rules.keys()) {
      const { steps } = yield* this.solver.solve({ ...goal, ignored: new Set([rule]) }, true);
      if (!steps) continue;
      this.answer = { ...answer, cause: { member: null, rule, shortage: null } };
      return;
    }
    const none = { member: null, rule: null, shortage: null };
    if (!this.problem.relations.isEmpty) {
      const { steps } = yield* this.solver.solve({ ...goal, ignoresRelations: true }, true);
      if (steps) this.answer = { ...answer, cause: { ...none, isRelation: true } };
      if (steps) return;
    }
    const member = this.problem.members.findIndex(({ count }, at) => answer.fit[at] < count);
    this.answer = { ...answer, cause: { ...none, member: member < 0 ? null : member } };
  }

  private found(isOptimal: boolean): WorkloadFound {
    const placements = groupBy(placementsIn(this.best), ({ member }) => member);
    return {
      kind: 'FOUND',
      isOptimal,
      members: this.problem.members.map((_, member) => {
        const own = placements.get(member)!.sort((a, b) => a.consumer - b.consumer);
        const { alternative } = own[0];
        const rejected = this.rejectedBefore(member, alternative);
        return { alternative, rejected, candidates: own.map((one) => this.candidateOf(one)) };
      }),
      domains: [...this.problem.rules.keys()].map((rule) => this.domainsOf(rule)),
      outside: [...this.problem.rules.keys()].map(
        (rule) => this.domainsByConsumer(rule).filter(({ domains }) => domains.length === 0).length,
      ),
      disturbance: [
        ...this.problem.members.map((_, member) => Number(this.leaving.has(member))),
        this.movedCount,
      ],
    };
  }

  /** Returns the candidate in the snapshot before the workload. */
  private candidateOf({ treeIndex, assignments }: Placement): PlacedCandidate {
    const providers = new Map<AnchorProvider, AnchorProvider>();
    const original = (provider: AnchorProvider): AnchorProvider => {
      const block = blockOf(this.problem.snapshot, provider.treeIndex);
      if (!providers.has(provider)) providers.set(provider, { ...provider, block });
      return providers.get(provider)!;
    };
    return {
      treeIndex,
      assignments: assignments.map((assignment) =>
        isPartitioned(assignment)
          ? { parts: assignment.parts.map((part) => ({ ...part, provider: original(part.provider) })) }
          : original(assignment),
      ),
    };
  }

  private alternativeOf(member: number): number {
    const isOwn = (step: Step): step is Placement => step.kind === 'PLACE' && step.member === member;
    return this.best.find(isOwn)!.alternative;
  }

  private rejectedBefore(member: number, chosen: number): RejectedAlternative[] {
    return this.problem.alternatives[member].slice(0, chosen).map((one, alternative) => {
      const known = this.rejected[member].find((rejected) => rejected.alternative === alternative);
      const isKept = one !== null && this.kept.has(member);
      return known ?? { alternative, isProven: one === null || isKept, isKept, shortage: null };
    });
  }

  private domainsOf(rule: number): readonly UsedDomain[] {
    const used = new Map<number, UsedDomain>();
    for (const { treeIndex, domains } of this.domainsByConsumer(rule))
      for (const domain of domains)
        used.set(domain, { domain, treeIndex, consumers: (used.get(domain)?.consumers ?? 0) + 1 });
    return [...used.values()];
  }

  /** Returns the tree and the domains of each consumer of a rule. */
  private domainsByConsumer(rule: number): { treeIndex: number; domains: readonly number[] }[] {
    return placementsIn(this.best).flatMap(({ member, treeIndex, domains }) => {
      const at = this.problem.members[member].rules.indexOf(rule);
      return at < 0 ? [] : [{ treeIndex, domains: domains[at] }];
    });
  }
}
