import type { Sorting } from '../../components/dataTable';
import type { ConsumerOrderInput } from '../../generated/consumers/operations';
import { directionOf } from './paging';

/** The latest first. */
export const STANDARD_ORDER = '-age';

/** The order of consumers by a column; by amounts only where they are of one class. */
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
