import type { Sorting } from '../../components/dataTable';
import type { ConsumerOrderInput } from '../../generated/consumers/operations';
import { directionOf } from './paging';

/** The latest consumers first. */
export const STANDARD_ORDER = '-age';

/**
 * Returns the order of consumers by a column. Amounts are comparable only within one class, so
 * without a class the order by amounts is empty.
 */
export function consumerOrder(sorting: Sorting, resourceClass?: string): ConsumerOrderInput[] {
  const { key } = sorting;
  const direction = directionOf(sorting);
  if (key === 'used') return resourceClass === undefined ? [] : [{ used: { direction, resourceClass } }];
  const orders: Readonly<Record<string, ConsumerOrderInput>> = {
    projectId: { projectId: direction },
    type: { type: direction },
    updatedAt: { updatedAt: direction },
    userId: { userId: direction },
  };
  return [orders[key] ?? { age: direction }];
}
