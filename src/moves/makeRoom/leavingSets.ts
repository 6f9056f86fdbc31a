import type { Effort } from '../../model/operation/waiting.js';

/** The work (Effort.spent) of all decisions. The sets that are left count as sufficient. */
const MAX_WORK = 2_000_000;

/**
 * The sets of movers whose moves suffice if their order and the amounts on the way do not matter: lower bounds of the
 * moves. A set is a number with a bit for each mover.
 */
export class LeavingSets {
  /** The smallest sufficient sets: each set with one of them suffices, too. */
  private readonly smallest: number[] = [];
  /** All sets with so many movers count as sufficient. */
  private decidedBelow = 1;

  /**
   * Decides the sets with up to `most` of the movers.
   *
   * @param decide returns whether the workload fits if only the movers of a set leave; undefined: unknown
   */
  *read(
    movers: readonly number[],
    most: number,
    effort: Effort,
    decide: (set: readonly number[]) => Generator<void, boolean | undefined>,
  ): Generator<void> {
    const end = effort.spent + MAX_WORK;
    for (let size = 1; size <= Math.min(most, movers.length); size++) {
      for (const set of setsOf(movers, size)) {
        const bits = set.reduce((sum, mover) => sum | (1 << mover), 0);
        if (this.smallest.some((one) => (one & bits) === one)) continue;
        if (effort.spent > end) return;
        if ((yield* decide(set)) !== false) this.smallest.push(bits);
      }
      this.decidedBelow = size + 1;
    }
    this.decidedBelow = Infinity;
  }

  /** Returns a number of movers that must still leave if those of a set have left; Infinity: no moves suffice. */
  missing(left: number): number {
    let least = Infinity;
    for (const one of this.smallest) least = Math.min(least, bitsIn(one & ~left));
    if (this.decidedBelow < Infinity) least = Math.min(least, Math.max(0, this.decidedBelow - bitsIn(left)));
    return least;
  }
}

function bitsIn(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Yields all sets of some movers with this size. */
function* setsOf(movers: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at <= movers.length - size; at++)
    for (const rest of setsOf(movers, size - 1, at + 1)) yield [movers[at], ...rest];
}
