import type { Effort } from '../../model/operation/waiting.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { Faults } from './faults.js';
import type { FleetState } from './fleetState.js';
import { keyOfState, MoveStates, type Movers, type Reached } from './moveStates.js';
import { isBetter, type RebalanceMove, type RebalanceProblem } from './problem.js';

/** The limits of problems that the search enumerates. */
const MAX_SEARCHED = 16;
const MAX_STATES = 60_000;
/** More states than that are reached only by groups that move together. */
const MAX_SEEN = 4 * MAX_STATES;

/** The fewest moves to the best value, or the best so far if the search is not complete. */
interface FoundMoves {
  readonly moves: RebalanceMove[];
  readonly isComplete: boolean;
}

/**
 * Enumerates the states that sequences of moves reach, shorter sequences first. The first state
 * with the best value therefore has the fewest moves. Consumers may move twice to free capacity for
 * each other.
 */
export class ShortestMoves {
  private readonly problem: RebalanceProblem;
  private readonly states: MoveStates;
  /** The hosts whose value moves may change, and the combined value of the other hosts. */
  private readonly touched: number[] = [];
  private untouchedValue = 0;
  private measure: ReturnType<Faults['measureFor']> = { relations: 0, at: () => 0 };

  constructor(
    private readonly state: FleetState,
    requests: ConsumerRequests,
    private readonly faults: Faults,
    private readonly effort: Effort,
    private readonly movers: Movers,
  ) {
    this.problem = state.problem;
    const isSmall = movers.consumers.length <= MAX_SEARCHED;
    const searched = isSmall ? movers : { ...movers, consumers: [] };
    this.states = new MoveStates(state, requests, effort, searched, 'RELEASES');
  }

  /** Returns null if there are too many states. */
  *run(): Generator<void, FoundMoves | null> {
    if (this.movers.consumers.length > MAX_SEARCHED) return null;
    const { states } = this;
    this.measure = this.faults.measureFor(states.movable, this.state.positions);
    const mayRest = this.problem.goal === 'FIX';
    const maxStates = MAX_STATES / Math.max(1, this.measure.relations >> 8);
    const hasAllPlaces = yield* states.readPlaces(mayRest, maxStates);
    if (!hasAllPlaces && !(mayRest && (yield* states.readPlaces(false, maxStates)))) return null;
    this.prepareValues();
    const found = yield* this.enumerate();
    return { ...found, isComplete: found.isComplete && hasAllPlaces };
  }

  private *enumerate(): Generator<void, FoundMoves> {
    const { problem, state, states } = this;
    const { start } = states;
    states.occupy(start.places);
    let best = { reached: start, value: this.value() };
    const seen = new Set([keyOfState(start)]);
    const isNew = (following: Reached): boolean => seen.size < seen.add(keyOfState(following)).size;
    let level = [start];
    for (let depth = state.moves.length; depth < problem.maxMoves && level.length > 0; depth++) {
      const next: Reached[] = [];
      for (const reached of level) {
        if (this.effort.isUsedUp) yield;
        if (problem.isOver() || seen.size > MAX_SEEN)
          return { moves: states.movesTo(best.reached), isComplete: false };
        for (const following of states.expand(reached, isNew)) {
          next.push(following);
          if (following.base !== null || states.isResting(following)) continue;
          const value = this.value();
          if (isBetter(value, best.value)) best = { reached: following, value };
        }
      }
      level = next;
    }
    return { moves: states.movesTo(best.reached), isComplete: true };
  }

  private prepareValues(): void {
    const { state, states } = this;
    for (const host of this.movers.hosts) {
      if (states.trees.has(host)) this.touched.push(host);
      else this.untouchedValue = state.values.combine(this.untouchedValue, state.valueOf(host));
    }
  }

  private value(): number {
    const { values } = this.state;
    const { states } = this;
    let value = this.untouchedValue;
    for (const host of this.touched) value = values.combine(value, values.of(host, states.usedColumns));
    return value + this.measure.at(states.positionsAt(states.current));
  }
}
