import type { PlannedPreference } from '../../model/plan.js';
import { rootRow, type Block, type ProviderRef } from '../../model/snapshot.js';

/** Returns the positions of the listed ids that a provider or the root of its tree has; may repeat some. */
export function preferredIds(order: PlannedPreference, { block, row }: ProviderRef): number[] {
  const root = rootRow(block, row);
  const own = idsOfRow(order, block, row);
  return root === row ? own : [...own, ...idsOfRow(order, block, root)];
}

export function idsOfRow({ kind, ids }: PlannedPreference, block: Block, row: number): number[] {
  const [starts, column] =
    kind === 'TRAITS' ? [block.traitStarts, block.traits] : [block.aggregateStarts, block.aggregates];
  const found: number[] = [];
  for (let at = starts[row]; at < starts[row + 1]; at++) {
    const position = ids.indexOf(column[at]);
    if (position >= 0) found.push(position);
  }
  return found;
}

export function sumOfWeights({ weights }: PlannedPreference, positions: Iterable<number>): number {
  let sum = 0;
  for (const position of positions) sum += weights[position];
  return sum;
}
