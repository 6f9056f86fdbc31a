import type { Effort } from '../../model/operation/waiting.js';
import type { MoveStates } from '../rebalance/moveStates.js';
import { isBroken } from '../relations/relation.js';
import type { Relations } from '../relations/relations.js';

/** The maximum number of partial states, about a second of work, and of possible final states. */
const MAX_PARTIAL = 2_000_000;
const MAX_FINAL = 2_000;

/**
 * The states in which a workload may fit, whether or not moves reach them. A move changes one place, so no fewer moves
 * than places that differ reach one of them.
 */
export class FinalStates {
  private readonly byText: Map<string, Uint8Array>;

  private constructor(
    states: readonly Uint8Array[],
    private readonly effort: Effort,
  ) {
    this.byText = new Map(states.map((places) => [places.join(), places]));
  }

  /**
   * Enumerates the states in which the relations of the present state hold, and the capacities of all places but present
   * ones.
   *
   * @param mayFit whether the workload may fit in the current state of `states`
   * @returns null if there are too many
   */
  static *of(
    states: MoveStates,
    relations: Relations,
    { maxMoves, mayFit }: { readonly maxMoves: number; readonly mayFit: () => boolean },
    effort: Effort,
  ): Generator<void, FinalStates | null> {
    const present = states.positionsAt(states.start.places);
    const holding = states.movable
      .flatMap((consumer) => [...relations.relationsOf(consumer)])
      .filter((relation) => !isBroken(relation, present));
    const found: Uint8Array[] = [];
    let partial = 0;
    for (const places of states.fitting(maxMoves)) {
      if (effort.isUsedUp) yield;
      if (++partial > MAX_PARTIAL || found.length > MAX_FINAL) return null;
      if (places === null || !mayFit()) continue;
      const positions = states.positionsAt(places);
      if (!holding.some((relation) => isBroken(relation, positions))) found.push(places);
    }
    return new FinalStates(found, effort);
  }

  /** Returns a number of moves without which a state does not become one of these. Infinity: it never does. */
  leastMoves(places: Uint8Array): number {
    let least = Infinity;
    for (const state of this.byText.values()) {
      let moves = 0;
      for (let mover = 0; mover < places.length; mover++) if (state[mover] !== places[mover]) moves++;
      if (moves < least) least = moves;
    }
    this.effort.otherWork += Math.ceil((this.byText.size * places.length) / 1_000);
    return least;
  }

  get remaining(): Uint8Array[] {
    return [...this.byText.values()];
  }

  /** Excludes a state, in which the workload does not fit, but none that differs by an exchange of equal consumers. */
  exclude(places: Uint8Array): void {
    this.byText.delete(places.join());
  }
}
