import { allocationsOf, type CandidateAllocation } from '../model/candidate.js';
import type { Effort } from '../model/effort.js';
import type { PlannedFreeShare } from '../model/plan.js';
import { searchFor } from '../ordered/orderedSearch.js';
import { TreeFilter } from '../search/treeFilter.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { FleetState } from './fleetState.js';
import { keyOf } from './problem.js';
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
    const resources = planned.variables.flatMap((variable) => variable.resources);
    const orderBy: PlannedFreeShare[] = resources.some((one) => one.resourceClass === resourceClass)
      ? [{ kind: 'FREE_SHARE', resourceClass, direction: strategy === 'SPREAD' ? 1 : -1 }]
      : [];
    const { near } = planned.trees;
    const anchors = among ? new Set(among.filter((one) => near?.has(one) ?? true)) : near;
    const plan = { ...planned, trees: { ...planned.trees, near: anchors }, orderBy };
    const filter = new TreeFilter(state.overlay, plan, excluded);
    const options = { limit, seed: 0, stopsAtLimit: true, filter };
    const search = searchFor(state.overlay, plan, options);
    yield* finished(search, effort);
    return search.candidates.map((candidate) => allocationsOf(plan, candidate));
  }
}
