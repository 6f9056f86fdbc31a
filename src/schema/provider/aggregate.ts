import { nameAggregate } from '../../ledger/provider/aggregates.js';
import { pageOf } from '../../reads/paging/paging.js';
import { listAggregates, ORDER_OF_AGGREGATES, readAggregates } from '../../reads/provider/aggregates.js';
import { builder, objectType, query } from '../builder.js';
import type { Context } from '../context.js';
import { optional, required } from '../inputFields.js';
import { connectionType, costOfPage, membersField, PAGE_ARGUMENTS } from '../connection.js';
import { mutation } from '../mutation.js';
import { Aggregate, AggregateLookUp, AggregateRef } from '../refs.js';

async function nameOf({ uuid }: typeof Aggregate.$inferType, _args: object, { loaders }: Context) {
  return (await loaders.namedAggregates('uuid').load(uuid))?.name;
}

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
      resolve: nameOf,
    }),
    label: t.string({
      description: 'The name, or else the uuid.',
      resolve: async (source, args, context) => (await nameOf(source, args, context)) ?? source.uuid,
    }),
  }),
});

membersField(Aggregate, 'The providers in the aggregate, by name.', ({ uuid }, page, { loaders }) =>
  loaders.providersInAggregate.page(uuid, page),
);

query('aggregate', {
  type: Aggregate,
  description: 'An aggregate by its uuid or its name. Null if it does not exist.',
  args: { by: required(AggregateLookUp, 'The aggregate.') },
  resolve: async (_root, { by }, { database, loaders }) => {
    const wanted = by.uuid ?? (await loaders.namedAggregates('name').load(by.name!))?.uuid;
    const [found] = wanted === undefined ? [] : await readAggregates(database, [wanted]);
    return found ?? null;
  },
});

const AggregateConnection = connectionType(Aggregate, {
  one: 'An aggregate',
  many: 'aggregates',
  order: 'uuid',
});

const AggregateFilter = builder.inputType('AggregateFilter', {
  description: 'A condition on aggregates.',
  fields: () => ({
    associated: optional('Boolean', 'True: aggregates with providers. False: empty aggregates.'),
  }),
});

query('aggregates', {
  type: AggregateConnection,
  complexity: costOfPage,
  description: 'Aggregates, by uuid.',
  args: {
    filter: optional(AggregateFilter, 'Defaults to all aggregates.'),
    ...PAGE_ARGUMENTS,
  },
  resolve: (_root, { filter, ...args }, { database }) =>
    listAggregates(database, filter ?? {}, pageOf(ORDER_OF_AGGREGATES, args)),
});

const NameAggregateInput = builder.inputType('NameAggregateInput', {
  description: 'An aggregate and its new name.',
  fields: () => ({
    aggregate: required(AggregateRef, 'The aggregate.'),
    name: optional(
      'String',
      'The unique name: 1 to 200 characters, no trailing space. Null or omitted: none.',
    ),
  }),
});

const NameAggregatePayload = objectType<typeof Aggregate.$inferType>('NameAggregatePayload', {
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
  errors: ['INVALID_INPUT', 'NOT_FOUND', 'DUPLICATE_NAME'],
  resolve: (input, { ledger }) => nameAggregate(ledger, input),
});
