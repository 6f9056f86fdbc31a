import { groupBy } from '../../model/collections.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import { freeAt, type Snapshot } from '../../fleet/snapshot.js';
import type { ConsumerRequests } from '../rebalance/consumerRequests.js';
import type { FleetState } from '../rebalance/fleetState.js';
import { keyOfState, MoveStates, type Reached } from '../rebalance/moveStates.js';
import { keyOf, treesOf } from '../rebalance/problem.js';
import { withoutRelations } from '../relations/relations.js';
import type { FleetUsage, Needs } from './needs.js';
import type { RoomAnswer, RoomProblem } from './problem.js';
import type { WorkloadFit } from './workloadFit.js';

/** The limits of problems that the search enumerates. */
const MAX_MOVERS = 16;
const MAX_TREES = 200;
const MAX_SEEN = 400_000;

/** An answer, and a number of moves: fewer are proven not to suffice. */
interface ProvenRoom extends RoomAnswer {
  readonly proven: number;
}

/**
 * Enumerates the states that sequences of moves of a few consumers reach, in turn for each number of moves, until the
 * workload fits. Skips states from which the remaining moves cannot suffice, and states that differ from an earlier
 * one by an exchange of equal consumers.
 */
export class ShortestRoom {
  private readonly states: MoveStates;
  /** The fleet of a state without the workload's own consumers, and the places of the consumers in it. */
  private readonly overlay: AllocatedOverlay;
  private shown: Uint8Array;
  /** By key of a state: whether the workload fits. Undefined: the work ran out. */
  private readonly known = new Map<string, boolean | undefined>();
  private isProven = true;
  /** By movable consumer: its group of interchangeable consumers, and the numbers of its places. */
  private groups: readonly (readonly number[])[] = [];
  private numbers: readonly (readonly number[])[] = [];

  constructor(
    private readonly problem: RoomProblem,
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly fit: WorkloadFit,
    private readonly needs: Needs,
    private readonly effort: Effort,
    before: Snapshot,
  ) {
    const consumers = state.movableConsumers;
    const movers = { consumers: consumers.length > MAX_MOVERS ? [] : consumers, hosts: state.problem.hosts };
    this.states = new MoveStates(state, requests, effort, movers, 'COPIES');
    this.overlay = new AllocatedOverlay(before);
    this.shown = this.states.start.places;
  }

  /** Returns null if there are too many consumers or places. */
  *run(emptied: Snapshot): Generator<void, ProvenRoom | null> {
    const { states, problem, state } = this;
    if (state.movableConsumers.length > MAX_MOVERS || state.problem.hosts.length > MAX_TREES) return null;
    if (!(yield* states.readPlaces(false, Infinity))) return null;
    if (yield* this.isJointlyImpossible(emptied)) return answerOf('IMPOSSIBLE', Infinity);
    this.findEqual();
    const { start } = states;
    states.occupy(start.places);
    const least = Math.max(1, this.needs.leastMoves(this.usage));
    for (let limit = least; limit <= problem.maxMoves; limit++) {
      const found = yield* this.within(limit);
      if (found === 'OVER') return answerOf('UNDECIDED', this.isProven ? limit : 0);
      if (found === 'NONE') break;
      if (found === 'MORE') continue;
      const moves = states.movesTo(found);
      return { outcome: 'FOUND', moves, isOptimal: this.isProven, proven: this.isProven ? limit : 0 };
    }
    return this.isProven ? answerOf('IMPOSSIBLE', Infinity) : answerOf('UNDECIDED', 0);
  }

  /** Returns the first state where the workload fits. MORE: more moves may reach one; NONE: no moves do. */
  private *within(limit: number): Generator<void, Reached | 'MORE' | 'NONE' | 'OVER'> {
    const { states, effort, problem } = this;
    const { start } = states;
    const seen = new Set([this.keyOf(start)]);
    const isNew = (following: Reached): boolean => seen.size < seen.add(this.keyOf(following)).size;
    let hasMore = false;
    let level = [start];
    for (let moves = 1; moves <= limit && level.length > 0; moves++) {
      const next: Reached[] = [];
      for (const reached of level) {
        if (effort.isUsedUp) yield;
        if (problem.isOver() || seen.size > MAX_SEEN) return 'OVER';
        for (const following of states.expand(reached, isNew)) {
          const least = this.needs.leastMoves(this.usage);
          if (moves + least > limit) {
            hasMore ||= least < Infinity;
            continue;
          }
          next.push(following);
          if (least === 0 && following.base === null && (yield* this.fits(following))) return following;
        }
      }
      level = next;
    }
    return hasMore || level.length > 0 ? 'MORE' : 'NONE';
  }

  /** The usage and the positions of the state that `expand` has yielded last. */
  private readonly usage: FleetUsage = {
    used: (block) => this.states.usedColumns(block),
    moversOn: (treeIndex) =>
      this.positions.filter((own) => own.some(({ provider }) => provider.treeIndex === treeIndex)),
  };

  private get positions(): (readonly CandidateAllocation[])[] {
    const { current, places } = this.states;
    return places.map((own, mover) => own[current[mover]].allocations);
  }

  private *fits(reached: Reached): Generator<void, boolean> {
    const key = this.keyOf(reached);
    if (!this.known.has(key)) {
      this.known.set(key, this.mayHaveGained(reached) ? yield* this.decide(reached) : false);
      if (this.known.get(key) === undefined) this.isProven = false;
    }
    return this.known.get(key) === true;
  }

  /** Returns whether the last move has freed amounts in a tree that may take a consumer of the workload. */
  private mayHaveGained({ mover, previous }: Reached): boolean {
    if (this.fit.dependsOnPositions || this.needs.isShareable) return true;
    // The states between the moves of a group are not tested.
    if (previous === null || previous.base !== null) return true;
    const from = this.states.places[mover][previous.places[mover]].allocations;
    return treesOf(from).some((tree) => this.needs.mayTake(tree, this.usage));
  }

  private *decide({ places }: Reached): Generator<void, boolean | undefined> {
    const { overlay, shown, states } = this;
    for (const [mover, place] of places.entries()) {
      if (place === shown[mover]) continue;
      overlay.allocateAll(states.places[mover][shown[mover]].allocations, -1);
      overlay.allocateAll(states.places[mover][place].allocations);
    }
    this.shown = places;
    const { kind } = yield* this.fit.at(overlay, states.positionsAt(places));
    return kind === 'UNDECIDED' ? undefined : kind === 'FITS';
  }

  /** Returns whether the workload and the movable consumers do not fit together in any order. */
  private *isJointlyImpossible(emptied: Snapshot): Generator<void, boolean> {
    const others: { readonly uuid: string; readonly consumer: number; readonly plan: object }[] = [];
    for (const [mover, consumer] of this.states.movable.entries()) {
      const plan = this.requests.planOf(consumer);
      // A consumer may stay at allocations that its request, a capacity or a counter does not allow.
      const { isCandidate, amounts } = this.states.places[mover][0];
      const isOver = amounts.some(({ block, at }) => freeAt(block, at) < 0);
      if (plan === null || !isCandidate || isOver) continue;
      others.push({ uuid: this.problem.consumers[consumer].uuid, consumer, plan });
    }
    const members = Array.from(groupBy(others, ({ plan }) => plan).values(), (equal, at) => ({
      name: `${at}`,
      placement: 'ANY' as const,
      requests: [withoutRelations(this.problem.requestOf(equal[0].consumer))],
      uuids: equal.map(({ uuid }) => uuid),
    }));
    const { kind } = yield* this.fit.beside(emptied, members);
    return kind === 'IMPOSSIBLE';
  }

  /** Finds the consumers with equal requests and places that no relation distinguishes. */
  private findEqual(): void {
    const { states, requests, fit } = this;
    const numberOf = new Map<string, number>();
    this.numbers = states.places.map((places) =>
      places.map(({ allocations }) => {
        const key = keyOf(allocations);
        const number = numberOf.get(key) ?? numberOf.size;
        numberOf.set(key, number);
        return number;
      }),
    );
    const movers = [...states.movable.entries()];
    const groups = groupBy(movers, ([mover, consumer]) => {
      const isDistinct = requests.relations.isRelated(consumer) || fit.names(consumer);
      const places = [...this.numbers[mover]].sort((a, b) => a - b);
      return isDistinct ? `consumer ${consumer}` : `${places.join()}`;
    });
    this.groups = Array.from(groups.values(), (group) => group.map(([mover]) => mover));
  }

  /** Returns equal keys for states that differ by an exchange of equal consumers. */
  private keyOf(reached: Reached): string {
    if (reached.base !== null) return keyOfState(reached);
    const { places } = reached;
    return this.groups
      .map((group) => {
        const numbers = group.map((mover) => this.numbers[mover][places[mover]]);
        return String.fromCharCode(...(group.length > 1 ? numbers.sort((a, b) => a - b) : numbers));
      })
      .join('');
  }
}

function answerOf(outcome: 'IMPOSSIBLE' | 'UNDECIDED', proven: number): ProvenRoom {
  return { outcome, moves: [], isOptimal: false, proven };
}
