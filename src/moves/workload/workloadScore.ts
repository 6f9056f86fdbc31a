import type { AllocatedOverlay } from '../../search/overlay/snapshotOverlay.js';
import { valueOf } from '../../search/ordered/terms/values.js';
import type { Positions } from '../relations/relation.js';
import { placementsIn, type Step } from './steps.js';
import type { Problem } from './problem.js';

/** Sums that differ only by the rounding of their terms count as equal. */
const PRECISION = 1e9;

export const rounded = (sum: number): number => Math.round(sum * PRECISION) / PRECISION;

/**
 * Returns the score of placed members: by member and term of its order, the sum of the values of
 * the term over its consumers. Larger is better: negates terms that prefer smaller values. A free
 * share is the fraction that a consumer's providers of the class have free after the whole
 * workload.
 */
export function workloadScore(
  { members, alternatives, relations }: Problem,
  steps: readonly Step[],
  claimed: Pick<AllocatedOverlay, 'blocks'>,
): number[] {
  const placements = placementsIn(steps);
  const byConsumer = new Map(placements.map(({ consumer, allocations }) => [consumer, allocations]));
  const positions: Positions = (consumer) => byConsumer.get(consumer) ?? null;
  return [...members.keys()].flatMap((member) => {
    const own = placements.filter((one) => one.member === member);
    if (own.length === 0) return [];
    const { orderBy } = alternatives[member][own[0].alternative]!.plan;
    return orderBy.map((order) => {
      const sum = own.reduce(
        (all, { consumer, alternative, allocations }) =>
          all +
          valueOf(order, allocations, claimed) +
          relations.preferredAt(consumer, alternative, order.positions[0], positions),
        0,
      );
      return order.direction * rounded(sum);
    });
  });
}
