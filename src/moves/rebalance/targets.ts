import { allocationsOf, type CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Plan } from '../../search/plan.js';
import type { PlannedOrder } from '../../search/ordered/plannedOrder.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import { GroupPlacement } from '../relations/groupPlacement.js';
import { isBroken, type Positions, type Relation } from '../relations/relation.js';
import type { TreeSet } from '../../search/treeFilter.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { FleetState } from './fleetState.js';
import { GroupMove } from './groupMove.js';
import { keyOf } from './problem.js';

interface TargetOptions {
  /** PACK tries the fullest trees first, SPREAD the emptiest. */
  readonly strategy: 'PACK' | 'SPREAD';
  /** The class by which trees are compared. */
  readonly resourceClass: number;
  /** Hosts that are not targets. Defaults to none. */
  readonly excluded?: TreeSet;
  /** The only trees to search. Defaults to all hosts. */
  readonly among?: readonly number[];
  /** How many candidates to try. */
  readonly limit: number;
  /** Returns whether the state after the move is acceptable. Defaults to true. */
  readonly accepts?: (to: readonly CandidateAllocation[]) => boolean;
}

/** Moves consumers to the best trees that can take them. A move breaks no relation that holds. */
export class Targets {
  constructor(
    private readonly state: FleetState,
    readonly requests: ConsumerRequests,
    private readonly effort: Effort,
  ) {}

  /**
   * Moves a consumer, or all consumers that must stay near each other. Returns false, with the state
   * unchanged, if no acceptable candidate was found.
   */
  *move(consumer: number, options: TargetOptions): Generator<void, boolean> {
    if (yield* this.moveAlone(consumer, options)) return true;
    const group = this.requests.relations.groups.groupOf(consumer).filter((one) => this.state.canMove(one));
    return group.length > 1 && (yield* this.moveGroup(consumer, group, options));
  }

  /** Prefers trees where all relations of the consumer hold to trees where others remain broken. */
  private *moveAlone(consumer: number, options: TargetOptions): Generator<void, boolean> {
    const { state, requests } = this;
    const { positions } = state;
    if (yield* this.moveTo(consumer, options, () => true)) return true;
    const holds = (relation: Relation): boolean => !isBroken(relation, positions);
    const relations = [...requests.relations.relationsOf(consumer)];
    return !relations.every(holds) && (yield* this.moveTo(consumer, options, holds));
  }

  private *moveTo(
    consumer: number,
    options: TargetOptions,
    counts: (relation: Relation) => boolean,
  ): Generator<void, boolean> {
    const { state, requests } = this;
    const from = state.allocationsOf(consumer);
    const before: Positions = (one) => (one === consumer ? from : state.allocationsOf(one));
    const plan = this.planAt(consumer, state.positions, counts);
    state.release(consumer);
    for (const to of yield* this.candidatesOf(plan, options)) {
      if (keyOf(to) === keyOf(from)) continue;
      state.finishMove(consumer, to);
      const breaks = requests.relations.breaks(consumer, before, state.positions);
      if (!breaks && (options.accepts?.(to) ?? true)) return true;
      state.undoTo(state.moves.length - 1);
      state.release(consumer);
    }
    state.restore(consumer);
    return false;
  }

  private *moveGroup(
    consumer: number,
    group: readonly number[],
    options: TargetOptions,
  ): Generator<void, boolean> {
    const { state, requests } = this;
    if (state.moves.length + group.length > state.problem.maxMoves) return false;
    const move = new GroupMove(
      state,
      requests.relations,
      group,
      (one, positions, tried, counts) =>
        this.candidatesOf(this.planAt(one, positions, counts), {
          ...options,
          excluded: { has: (tree) => options.excluded?.has(tree) || tried.has(tree) },
        }),
      options.accepts ?? (() => true),
    );
    const order = [consumer, ...group.filter((one) => one !== consumer)];
    return yield* new GroupPlacement(order, move).run();
  }

  /** Returns the plan of a consumer in the trees where the counting relations hold. */
  private planAt(
    consumer: number,
    positions: Positions,
    counts: (relation: Relation) => boolean,
  ): Plan | null {
    const { requests, state } = this;
    const plan = requests.planOf(consumer);
    return plan && requests.relations.restrict(plan, consumer, positions, counts, state.positions);
  }

  private *candidatesOf(
    planned: Plan | null,
    { strategy, resourceClass, excluded, among, limit }: TargetOptions,
  ): Generator<void, CandidateAllocation[][]> {
    const { state, effort } = this;
    if (planned === null) return [];
    const resources = planned.variables.flatMap((variable) => variable.resources);
    const orderBy: PlannedOrder[] = resources.some((one) => one.resourceClass === resourceClass)
      ? [{ kind: 'FREE_SHARE', resourceClass, direction: strategy === 'SPREAD' ? 1 : -1, positions: [0] }]
      : [];
    const plan = { ...state.planWithin(planned, among), orderBy };
    const filter = state.filterFor(state.overlay, plan, excluded);
    const options = { limit, seed: 0, stopsAtLimit: true, filter };
    const { candidates } = yield* finishedSearch(state.overlay, plan, options, effort);
    return candidates.map((candidate) => allocationsOf(plan, candidate));
  }
}
