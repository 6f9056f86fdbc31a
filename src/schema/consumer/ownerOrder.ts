import type { OwnerOrderField } from '../../reads/consumer/owners.js';
import { costOfPage } from '../connection.js';
import { orderInput, type OrderInput } from '../orderInput.js';

export const OwnerOrderInput = orderInput<Exclude<OwnerOrderField, 'used'>, 'used'>('OwnerOrderInput', {
  description: 'A sort key of a list of projects or users.',
  keys: {
    id: 'By `projectId` or `userId`.',
    age: 'By age, from the first consumer on.',
    consumerCount: 'By the number of consumers.',
  },
  classKeys: { used: 'By the usage of a resource class by all its consumers.' },
});

export const ORDER = 'The most significant first; ties are sorted by id.';

/** The cost of a pass over all consumers in memory. */
const COST_OF_FIGURES = 10_000;

export function costOfOwners({
  orderBy,
  ...page
}: {
  readonly orderBy: readonly OrderInput<OwnerOrderField>[];
  readonly first?: number | null;
  readonly last?: number | null;
}) {
  const figures = orderBy.filter(({ consumerCount, used }) => consumerCount != null || used != null).length;
  return { ...costOfPage(page), field: 1 + figures * COST_OF_FIGURES };
}
