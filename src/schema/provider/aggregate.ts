import { InvalidInput } from '../../domain/invalidInput.js';
import { ConcurrentUpdate, DuplicateName, NotFound } from '../../ledger/errors.js';
import { nameAggregate } from '../../ledger/provider/aggregates.js';
import { pageOf } from '../../reads/paging/paging.js';
import { listAggregates, ORDER_OF_AGGREGATES, readAggregates } from '../../reads/provider/aggregates.js';
import { builder } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, membersField } from '../connection.js';
import { mutation, resetLoaders } from '../mutation.js';
import { Aggregate, AggregateLookUp, AggregateRef } from '../refs.js';
import { READERS } from '../access/rules.js';

builder.node(Aggregate, {
  name: 'Aggregate',
  description:
    'A group of providers, such as a rack or availability zone. Exists from its first provider on.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: async (uuids, { database }) => {
    const known = new Map((await readAggregates(database, uuids)).map((found) => [found.uuid, found]));
    return uuids.map((uuid) => known.get(uuid) ?? null);
  },
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'The uuid.' }),
    name: t.string({
      nullable: true,
      description: 'The unique name. Null unless nameAggregate set one.',
      resolve: ({ uuid }, _args, { loaders }) => loaders.aggregateNames.load(uuid),
    }),
  }),
});

membersField(Aggregate, 'The providers in the aggregate, by name.', ({ uuid }, page, { loaders }) =>
  loaders.providersInAggregate.page(uuid, page),
);

builder.queryField('aggregate', (t) =>
  t.field({
    authScopes: READERS,
    type: Aggregate,
    nullable: true,
    description: 'An aggregate by its uuid or its name. Null if it does not exist.',
    args: { by: t.arg({ type: AggregateLookUp, required: true, description: 'The aggregate.' }) },
    resolve: async (_root, { by }, { database, loaders }) => {
      const wanted = by.uuid ?? (await loaders.aggregatesByName.load(by.name!));
      const [found] = wanted === null ? [] : await readAggregates(database, [wanted]);
      return found ?? null;
    },
  }),
);

const AggregateConnection = connectionType(Aggregate, {
  one: 'An aggregate',
  many: 'aggregates',
  order: 'uuid',
});

const AggregateFilter = builder.inputType('AggregateFilter', {
  description: 'A condition on aggregates.',
  fields: (t) => ({
    associated: t.boolean({
      description: 'True: aggregates with providers. False: empty aggregates.',
    }),
  }),
});

builder.queryField('aggregates', (t) =>
  t.field({
    authScopes: READERS,
    type: AggregateConnection,
    nullable: true,
    complexity: costOfPage,
    description: 'Aggregates, by uuid.',
    args: {
      filter: t.arg({ type: AggregateFilter, description: 'Defaults to all aggregates.' }),
      ...PAGE_ARGUMENTS,
    },
    resolve: (_root, { filter, ...args }, { database }) =>
      listAggregates(database, filter ?? {}, pageOf(ORDER_OF_AGGREGATES, args)),
  }),
);

const NameAggregateInput = builder.inputType('NameAggregateInput', {
  description: 'An aggregate and its new name.',
  fields: (t) => ({
    aggregate: t.field({ type: AggregateRef, required: true, description: 'The aggregate.' }),
    name: t.string({
      description: 'The unique name: 1 to 200 characters, no trailing space. Null or omitted: none.',
    }),
  }),
});

const NameAggregatePayload = builder
  .objectRef<typeof Aggregate.$inferType>('NameAggregatePayload')
  .implement({
    description: 'The aggregate has the name.',
    fields: (t) => ({
      aggregate: t.field({
        type: Aggregate,
        description: 'The aggregate after the change.',
        resolve: (source) => source,
      }),
    }),
  });

mutation('nameAggregate', {
  payload: NameAggregatePayload,
  description: 'Sets, changes or removes the name of an aggregate.',
  input: [NameAggregateInput, 'The aggregate and its new name.'],
  errors: [InvalidInput, NotFound, DuplicateName, ConcurrentUpdate],
  resolve: async (input, context) => {
    const named = await nameAggregate(context.ledger, input);
    resetLoaders(context);
    return named;
  },
});
