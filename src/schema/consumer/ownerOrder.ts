import { OWNER_ORDER_FIELDS, type OwnerOrder } from '../../reads/consumer/owners.js';
import { builder } from '../builder.js';
import { costOfPage } from '../connection.js';
import { directionField } from '../inputFields.js';

const MEANINGS: Readonly<Record<OwnerOrder['field'], string>> = {
  ID: 'By `projectId` or `userId`.',
  AGE: 'By age, from the first consumer on.',
  CONSUMER_COUNT: 'By the number of consumers.',
  USED: 'By the usage of a resource class by all its consumers.',
};

const OwnerOrderField = builder.enumType('OwnerOrderField', {
  description: 'The sort keys of projects and users.',
  values: Object.fromEntries(
    OWNER_ORDER_FIELDS.map((field) => [field, { description: MEANINGS[field] }]),
  ) as Record<OwnerOrder['field'], { description: string }>,
});

export const OwnerOrderInput = builder.inputType('OwnerOrderInput', {
  description: 'A sort key of a list of projects or users.',
  fields: (t) => ({
    field: t.field({ type: OwnerOrderField, required: true, description: 'The sort key.' }),
    direction: directionField(t),
    resourceClass: t.string({ description: 'The resource class of USED; INVALID_INPUT with other keys.' }),
  }),
});

export const ORDER = 'The most significant first; ties are sorted by id.';

/** A pass over all consumers in memory. */
const COST_OF_FIGURES = 10_000;

export function costOfOwners({
  orderBy,
  ...page
}: {
  readonly orderBy: readonly OwnerOrder[];
  readonly first?: number | null;
  readonly last?: number | null;
}) {
  const figures = orderBy.filter(({ field }) => field === 'CONSUMER_COUNT' || field === 'USED').length;
  return { ...costOfPage(page), field: 1 + figures * COST_OF_FIGURES };
}
