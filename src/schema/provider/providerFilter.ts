import { InvalidInput } from '../../domain/invalidInput.js';
import {
  validateAlternatives,
  validateList,
  validateResources,
  validateTraits,
} from '../../domain/providerConditions.js';
import type { FilterNames, ProviderFilter } from '../../reads/provider/providerList.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';

export const ResourceProviderFilter = builder.inputType('ResourceProviderFilter', {
  description:
    'Which providers to list. All given conditions must hold. Traits and aggregates count where they are set ' +
    'directly: neither a root nor a sharing provider lends its own to others here.',
  fields: (t) => ({
    name: t.string({ description: 'The provider with exactly this name.' }),
    uuid: t.field({ type: 'UUID', description: 'The provider with this uuid.' }),
    inTree: t.field({
      type: 'UUID',
      description:
        'Providers of the tree that this provider, any of its members, is in. An unknown uuid finds none.',
    }),
    memberOf: alternatives(
      t,
      'UUID',
      'Providers that are, for each of the inner lists, at most 100, in at least one of its aggregates. Unknown ' +
        'aggregates have no members.',
    ),
    forbiddenAggregates: optionalList(t, 'UUID', 'Providers that are in none of these aggregates.'),
    requiredTraits: alternatives(
      t,
      'String',
      'Providers that have, for each of the inner lists, at most 100, at least one of its traits.',
    ),
    forbiddenTraits: optionalList(t, 'String', 'Providers that have none of these traits.'),
    resources: optionalList(
      t,
      ResourceAmountInput,
      'Providers that could take all these amounts now, each alone: within what is free, between minUnit and ' +
        'maxUnit, and a multiple of stepSize or exactly minUnit. Each class once.',
    ),
    rootsOnly: t.boolean({ required: true, defaultValue: false, description: 'True: only roots of trees.' }),
  }),
});

/** More alternatives than this would keep the database busy for seconds. */
const MOST_ALTERNATIVES = 100;

/** Throws InvalidInput for what rules 55 and 56 and decisions D7 and D12 reject. */
export function validateFilter(filter: ProviderFilter, { traits, classes }: FilterNames): void {
  const { requiredTraits = [], forbiddenTraits = [], resources = [] } = filter;
  const { memberOf = [], forbiddenAggregates = [] } = filter;
  for (const [name, { length }] of Object.entries({ requiredTraits, memberOf })) {
    if (length > MOST_ALTERNATIVES)
      throw new InvalidInput(['filter', name], `${length} lists: at most ${MOST_ALTERNATIVES} are allowed`);
  }
  const known = {
    hasTrait: (name: string) => traits.has(name),
    hasClass: (name: string) => classes.has(name),
  };
  validateTraits(
    { required: requiredTraits, forbidden: forbiddenTraits },
    { required: ['filter', 'requiredTraits'], forbidden: ['filter', 'forbiddenTraits'] },
    known,
  );
  validateAlternatives(memberOf, ['filter', 'memberOf']);
  validateList(forbiddenAggregates, ['filter', 'forbiddenAggregates'], 'aggregate');
  validateResources(resources, ['filter', 'resources'], known);
}
