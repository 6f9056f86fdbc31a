import { builder, query } from '../builder.js';
import { costOfList } from '../cost/operationCost.js';
import { readConsumerTypes } from '../loaders/catalog.js';
import { consumersField } from './consumer.js';
import { ConsumerType } from '../refs.js';
import { hiddenFromProjects } from '../access/rules.js';

builder.node(ConsumerType, {
  name: 'ConsumerType',
  description: 'A type of consumers, such as INSTANCE. Exists from its first use on.',
  id: { resolve: ({ name }) => name },
  loadMany: (names, { loaders }) => Promise.all(names.map((name) => loaders.consumerTypes.load(name))),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The unique name: 1 to 255 of A-Z, 0-9 and _.' }),
    consumerCount: t.int({
      ...hiddenFromProjects,
      description: 'The number of its consumers. Null for readers of a project.',
      resolve: async ({ name }, _args, { loaders }) => {
        const type = await loaders.consumerTypes.load(name);
        return type && loaders.consumerCounts('consumer_type_id').load(type.id);
      },
    }),
  }),
});

consumersField(
  ConsumerType,
  'consumerType',
  async ({ name }, { loaders }) => (await loaders.consumerTypes.load(name))!,
);

query('consumerTypes', {
  type: [ConsumerType],
  complexity: costOfList(10),
  description: 'All consumer types, by name.',
  async resolve(_root, _args, { database, loaders }) {
    const types = await readConsumerTypes(database);
    for (const type of types) loaders.consumerTypes.prime(type.name, type);
    return types;
  },
});
