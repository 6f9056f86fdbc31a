import type { Sorting } from '../../components/dataTable';
import type { ConsumerOrderField, ConsumerOrderInput } from '../../generated/consumers/operations';
import { directionOf } from './paging';

/** The columns that sort. */
const FIELDS: readonly ConsumerOrderField[] = [
  'AGE',
  'CONSUMER_TYPE',
  'PROJECT_ID',
  'UPDATED_AT',
  'USED',
  'USER_ID',
];

/** The latest first. */
export const STANDARD_ORDER = '-AGE';

/** The order of consumers by a column; by amounts only where they are of one class. */
export function consumerOrder(sorting: Sorting, resourceClass?: string): ConsumerOrderInput[] {
  const field = FIELDS.find((one) => one === sorting.key) ?? 'AGE';
  const direction = directionOf(sorting);
  if (field !== 'USED') return [{ field, direction }];
  return resourceClass === undefined ? [] : [{ field, direction, resourceClass }];
}
