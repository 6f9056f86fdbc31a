import { largestFreeOf } from '../../fleet/providerIndex.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { DrainAttempt, type Drained, type Move } from './drainAttempt.js';
import { DrainRelations, type Leaving } from './drainRelations.js';

/** The maximum number of orders to try, and of moves in all of them. */
const MAX_ATTEMPTS = 8;
const MAX_MOVES_TRIED = 10_000;

/**
 * Places as many consumers as possible one after another, those that fit in the fewest trees first. If some
 * cannot be placed, it starts over with them first, several times, and returns the attempt with the most moves.
 * Returns the moves in their order, then the consumers that stay.
 */
export function* placeLeaving(
  drained: Drained,
  leaving: readonly Leaving[],
  effort: Effort,
): Generator<void, Move[]> {
  const relations = new DrainRelations(
    leaving,
    drained.snapshot,
    drained.holdings,
    drained.others,
    drained.workloads,
  );
  const first = new DrainAttempt(drained, relations, effort);
  const treesOf = yield* first.countTrees(leaving);
  let order = mostConstrainedFirst(drained.snapshot, leaving, treesOf);
  let best = yield* first.run(order);
  const attempts = Math.min(MAX_ATTEMPTS, MAX_MOVES_TRIED / leaving.length);
  let last = best;
  for (let tried = 1; tried < attempts; tried++) {
    const stuck = new Set(last.flatMap(({ found, consumer }) => (found === null ? [consumer] : [])));
    const isFirst = (each: Leaving): boolean => stuck.has(each.consumer) && treesOf.get(each)! > 0;
    const next = [...order.filter(isFirst), ...order.filter((each) => !isFirst(each))];
    if (next.every((each, at) => each === order[at])) break;
    order = next;
    last = yield* new DrainAttempt(drained, relations, effort).run(order);
    if (countMoves(last) > countMoves(best)) best = last;
  }
  return best;
}

function countMoves(moves: readonly Move[]): number {
  return moves.filter(({ found }) => found !== null).length;
}

/** Sorts by the number of trees, then by the largest ratio of an amount to the largest free one. */
function mostConstrainedFirst(
  { blocks, classes }: Snapshot,
  leaving: readonly Leaving[],
  treesOf: ReadonlyMap<Leaving, number>,
): Leaving[] {
  const largestFree = new Map<number, number>();
  const shareOf = (resourceClass: string, amount: number): number => {
    const id = classes.idOf(resourceClass);
    if (id === undefined) return Infinity;
    const free = largestFree.get(id) ?? largestFreeOf(blocks, id);
    largestFree.set(id, free);
    return amount / free;
  };
  const sized = leaving.map((each) => {
    const amounts = each.requests[0].groups.flatMap(({ resources }) => resources);
    const size = Math.max(...amounts.map(({ resourceClass, amount }) => shareOf(resourceClass, amount)));
    return { each, size, trees: treesOf.get(each)! };
  });
  const bySize = (a: number, b: number): number => (a === b ? 0 : b - a);
  return sized.sort((a, b) => a.trees - b.trees || bySize(a.size, b.size)).map(({ each }) => each);
}
