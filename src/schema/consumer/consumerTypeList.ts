import { builder } from '../builder.js';
import { costOfList } from '../cost/fieldCost.js';
import { readConsumerTypes, type CatalogEntry } from '../../reads/catalog.js';
import { READERS } from '../access/rules.js';

const ConsumerType = builder.objectRef<CatalogEntry>('ConsumerType');

builder.node(ConsumerType, {
  name: 'ConsumerType',
  description: 'A kind of consumers, such as INSTANCE. It comes into being with its first use and stays.',
  id: { resolve: ({ name }) => name },
  loadMany: async (names, { database }) => {
    const known = new Map((await readConsumerTypes(database)).map((found) => [found.name, found]));
    return names.map((name) => known.get(name) ?? null);
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, 1 to 255 of A-Z, 0-9 and _. Unique.' }),
    consumerCount: t.int({
      description: 'How many consumers are of this type.',
      resolve: ({ id }, _args, { loaders }) => loaders.consumerCountOfType.load(id),
    }),
  }),
});

builder.queryField('consumerTypes', (t) =>
  t.field({
    authScopes: READERS,
    type: [ConsumerType],
    complexity: costOfList(10),
    description: 'Every consumer type that was ever used, by name.',
    resolve: (_root, _args, { database }) => readConsumerTypes(database),
  }),
);
