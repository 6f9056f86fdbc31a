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
  description: 'A property of a provider, such as HW_CPU_X86_AVX2. Trees do not inherit it.',
  names: '1 to 255 characters',
  field: 'trait',
  noun: 'trait',
  short: 'trait',
  table: 'traits',
  create: createTrait,
  delete: deleteTrait,
  inUse: TraitInUse,
  usedIf: 'any provider has it',
});

membersField(Trait, 'The providers with the trait, by name.', ({ name }, page, { loaders }) =>
  loaders.providersWithTrait.page(name, page),
);

const TraitFilter = builder.inputType('TraitFilter', {
  description: 'Conditions on traits. All must hold.',
  fields: (t) => ({
    nameIn: t.stringList({ description: 'Traits with one of these names.' }),
    startsWith: t.string({ description: 'Traits whose names start with this text.' }),
    associated: t.boolean({
      description: 'True: traits of any provider. False: traits of no provider.',
    }),
  }),
});

builder.queryField('traits', (t) =>
  t.field({
    authScopes: READERS,
    type: [Trait],
    nullable: true,
    complexity: costOfList(400),
    extensions: readInPages('traits with a filter'),
    description: 'Traits, by name.',
    args: { filter: t.arg({ type: TraitFilter, description: 'Defaults to all traits.' }) },
    resolve: (_root, { filter }, { database }) => readTraits(database, filter ?? {}),
  }),
);
