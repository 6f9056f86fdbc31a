import { allocationsOf, type CandidateAllocation } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import type { PlannedFreeShare } from '../model/plan.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { TreeFilter } from '../search/treeFilter.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { FleetState } from './fleetState.js';
import { keyOf, type RebalanceProblem } from './problem.js';
import { finished } from '../search/search.js';

interface TargetOptions {
  /** PACK tries the fullest trees first, SPREAD the emptiest. */
  readonly strategy: 'PACK' | 'SPREAD';
  /** The class by which trees are compared. */
  readonly resourceClass: number;
  /** Trees that are not targets, including the trees outside the scope. */
  readonly excluded: ReadonlySet<number>;
  /** The only trees to search. Defaults to all. */
  readonly among?: readonly number[];
  /** How many candidates to try. */
  readonly limit: number;
  /** Returns whether the state after the move is acceptable. Defaults to true. */
  readonly accepts?: (to: readonly CandidateAllocation[]) => boolean;
}

/** Moves consumers to the best trees that can take them. */
export class Targets {
  constructor(
    private readonly problem: RebalanceProblem,
    private readonly state: FleetState,
    readonly requests: ConsumerRequests,
    private readonly effort: Effort,
  ) {}

  /** Moves a consumer. Returns false, with the state unchanged, if no acceptable candidate was found. */
  *move(consumer: number, options: TargetOptions): Generator<void, boolean> {
    const { state, requests } = this;
    const from = state.allocationsOf(consumer);
    state.release(consumer);
    for (const to of yield* this.candidatesFor(consumer, options)) {
      if (keyOf(to) === keyOf(from)) continue;
      state.finishMove(consumer, to);
      const isMet = requests.areRelationsMet(consumer, state.positions);
      if (isMet && (options.accepts?.(to) ?? true)) return true;
      state.undoTo(state.moves.length - 1);
      state.release(consumer);
    }
    state.restore(consumer);
    return false;
  }

  private *candidatesFor(
    consumer: number,
    { strategy, resourceClass, excluded, among, limit }: TargetOptions,
  ): Generator<void, CandidateAllocation[][]> {
    const { state, requests, effort } = this;
    const planned = requests.planAt(consumer, state.positions);
    if (planned === null) return [];
    const order: PlannedFreeShare = {
      kind: 'FREE_SHARE',
      resourceClass,
      direction: strategy === 'SPREAD' ? 1 : -1,
    };
    const hasClass = planned.variables.some(({ resources }) =>
      resources.some((one) => one.resourceClass === resourceClass),
    );
    const { near } = planned.trees;
    const trees = among && { ...planned.trees, near: new Set(among.filter((one) => near?.has(one) ?? true)) };
    const plan = { ...planned, trees: trees ?? planned.trees, orderBy: hasClass ? [order] : [] };
    const filter = new TreeFilter(state.overlay, plan, excluded);
    const options = { limit, seed: this.problem.seed, stopsAtLimit: true, filter };
    const search = searchFor(state.overlay, plan, options);
    yield* finished(search, effort);
    return search.candidates.map((candidate) => allocationsOf(plan, candidate));
  }
}
