import { OWNER_ORDER_FIELDS, type OwnerOrder } from '../../reads/consumer/owners.js';
import { builder } from '../builder.js';
import { costOfPage } from '../connection.js';
import { directionField } from '../inputFields.js';

const MEANINGS: Readonly<Record<OwnerOrder['field'], string>> = {
  ID: 'By its projectId, or userId.',
  AGE: 'By when its first consumer came: in that order, not by the clock.',
  CONSUMER_COUNT: 'By how many consumers it has.',
  USED: 'By how much its consumers take of a resource class together.',
};

const OwnerOrderField = builder.enumType('OwnerOrderField', {
  description: 'What projects and users can be ordered by. USED takes a resource class.',
  values: Object.fromEntries(
    OWNER_ORDER_FIELDS.map((field) => [field, { description: MEANINGS[field] }]),
  ) as Record<OwnerOrder['field'], { description: string }>,
});

export const OwnerOrderInput = builder.inputType('OwnerOrderInput', {
  description: 'What comes first in a list of projects or users.',
  fields: (t) => ({
    field: t.field({ type: OwnerOrderField, required: true, description: 'By what.' }),
    direction: directionField(t),
    resourceClass: t.string({
      description: 'The name of the resource class of USED; nothing else takes one.',
    }),
  }),
});

export const WHAT_COMES_FIRST =
  'What comes first; the first entry that tells two of them apart decides, and behind them all the id. Each field of a ' +
  'class once.';

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
