import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { builder } from '../builder.js';
import { alternatives, optionalList } from '../inputFields.js';
import { AggregateRef, ProviderRef } from '../refs.js';

export const ResourceProviderFilter = builder.inputType('ResourceProviderFilter', {
  description:
    'Which providers to list. All given conditions must hold. Traits and aggregates count where they are set ' +
    'directly: neither a root nor a sharing provider lends its own to others here. Conditions named ...InTree are about ' +
    'the tree that a provider is in.',
  fields: (t) => ({
    name: t.string({ description: 'The provider with exactly this name.' }),
    nameContains: t.string({
      description: 'Providers whose name has this text somewhere in it; case counts, as in all names.',
    }),
    nameStartsWith: t.string({ description: 'Providers whose name starts with exactly this text.' }),
    uuid: t.field({ type: 'UUID', description: 'The provider with this uuid.' }),
    uuidIn: t.field({
      type: ['UUID'],
      description: 'Providers with one of these uuids, at most 1024; an empty list finds none.',
    }),
    inTree: t.field({
      type: ProviderRef,
      description: 'Providers of the tree of this provider. An unknown uuid matches none.',
    }),
    memberOf: alternatives(
      t,
      AggregateRef,
      'Providers in at least one aggregate of each inner list. At most 100 inner lists. An unknown uuid matches no provider.',
    ),
    forbiddenAggregates: optionalList(t, AggregateRef, 'Providers in none of these aggregates.'),
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
    hasTraitInTree: alternatives(
      t,
      'String',
      'Providers in whose tree, for each of the inner lists, at most 100, some provider has at least one of its traits: ' +
        'itself, or any other one of the tree.',
    ),
    memberOfInTree: alternatives(
      t,
      AggregateRef,
      'Providers in whose tree some provider is in at least one aggregate of each inner list. At most 100 inner lists.',
    ),
    resourcesInTree: optionalList(
      t,
      ResourceAmountInput,
      'Providers in whose tree, for each of these amounts, some provider could take it now: one for all of them, or each ' +
        'another one. Each class once.',
    ),
    rootsOnly: t.boolean({ required: true, defaultValue: false, description: 'True: only roots of trees.' }),
  }),
});
