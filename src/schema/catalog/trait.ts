import { TraitInUse } from '../../ledger/errors.js';
import { createTrait, deleteTrait } from '../../ledger/provider/traits.js';
import { readTraits } from '../../reads/catalog.js';
import { builder } from '../builder.js';
import { membersField } from '../connection.js';
import { costOfList } from '../cost/fieldCost.js';
import { readInPages } from '../cost/listLimit.js';
import { catalogEntry } from './catalogEntry.js';
import { Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

catalogEntry({
  type: Trait,
  description:
    'A yes-or-no quality of a resource provider, such as HW_CPU_X86_AVX2. It belongs to the provider that it is set ' +
    'on and to no other of its tree.',
  names: '1 to 255 characters',
  field: 'trait',
  noun: 'trait',
  short: 'trait',
  plural: 'traits',
  read: (database, names) => readTraits(database, { nameIn: names }),
  create: createTrait,
  delete: deleteTrait,
  inUse: TraitInUse,
  unused: 'that no provider has',
});

membersField(Trait, 'The providers that have the trait, by name.', ({ name }, page, { loaders }) =>
  loaders.providersWithTrait.page(name, page),
);

const TraitFilter = builder.inputType('TraitFilter', {
  description: 'Which traits to list. All given conditions must hold.',
  fields: (t) => ({
    nameIn: t.stringList({ description: 'Only traits with one of these names; an empty list finds none.' }),
    startsWith: t.string({ description: 'Only traits whose name starts with exactly this text.' }),
    associated: t.boolean({
      description: 'True: only traits that some provider has. False: only traits that no provider has.',
    }),
  }),
});

builder.queryField('traits', (t) =>
  t.field({
    authScopes: READERS,
    type: [Trait],
    complexity: costOfList(400),
    extensions: readInPages('traits with a filter'),
    description: 'The traits of the catalog, by name.',
    args: { filter: t.arg({ type: TraitFilter, description: 'Which traits; without it, all.' }) },
    resolve: (_root, { filter }, { database }) => readTraits(database, filter ?? {}),
  }),
);
