import type { Effort } from '../../model/operation/waiting.js';
import { usedIn } from '../rebalance/values.js';
import type { FleetState } from '../rebalance/fleetState.js';
import { fewestCovering, type Leaver } from './covering.js';
import { sumsIn, type Needs } from './needs.js';

/** Consumers that may leave a tree together, so that the tree takes one more consumer. */
export interface Opening {
  readonly tree: number;
  readonly leavers: readonly Leaver[];
}

/** Finds the trees that fewest and smallest consumers have to leave. `isStuck` excludes consumers that cannot. */
export function* openings(
  state: FleetState,
  needs: Needs,
  effort: Effort,
  { most, isStuck }: { readonly most: number; readonly isStuck: (consumer: number) => boolean },
): Generator<void, Opening[]> {
  const found = new Map<number, Opening>();
  const usage = { used: usedIn(state.overlay), moversOn: () => [] };
  for (const { tree, missing } of needs.deficits(usage)) {
    effort.otherWork += 4;
    if (effort.isUsedUp) yield;
    const leavers = leaversOn(state, tree, isStuck, (consumer) =>
      sumsIn(tree, state.allocationsOf(consumer)),
    );
    const chosen = leavers.length === 0 ? null : fewestCovering(missing, leavers, most);
    effort.otherWork += leavers.length;
    const known = found.get(tree);
    if (chosen !== null && (known === undefined || chosen.length < known.leavers.length))
      found.set(tree, { tree, leavers: chosen });
  }
  const shareOf = ({ leavers }: Opening): number => leavers.reduce((sum, { share }) => sum + share, 0);
  return [...found.values()].sort((a, b) => a.leavers.length - b.leavers.length || shareOf(a) - shareOf(b));
}

/** Returns the consumers of a tree that may leave it, each with what it frees. */
export function leaversOn(
  state: FleetState,
  tree: number,
  isStuck: (consumer: number) => boolean,
  amountsOf: (consumer: number) => ReadonlyMap<number, number>,
): Leaver[] {
  return Array.from(state.consumersOn(tree))
    .filter((consumer) => state.canMove(consumer) && !isStuck(consumer))
    .map((consumer) => ({ ...state.sized(consumer), amounts: amountsOf(consumer) }));
}
