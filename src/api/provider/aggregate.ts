import {
  deleteAggregates,
  MAX_MEMBERS,
  updateAggregateMembers,
} from '../../store/ledger/provider/aggregateMembers.js';
import { nameAggregate } from '../../store/ledger/provider/aggregates.js';
import { pageOf } from '../paging/paging.js';
import { listAggregates, ORDER_OF_AGGREGATES, readAggregates } from './aggregateLists.js';
import { builder, objectType, query } from '../builder.js';
import type { Context } from '../context.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { optional, optionalList, required } from '../inputFields.js';
import { connectionType, costOfPage, membersField, PAGE_ARGUMENTS } from '../connection.js';
import { idsOf, mutation, writtenProvider } from '../mutation.js';
import { Aggregate, AggregateLookUp, AggregateRef, ProviderRef, ResourceProvider } from '../refs.js';

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
  written: ({ uuid }) => idsOf(Aggregate, [uuid]),
});

const PROVIDERS = `Together at most ${MAX_MEMBERS}, each once.`;

const UpdateAggregateMembersInput = builder.inputType('UpdateAggregateMembersInput', {
  description: 'An aggregate, and providers to add or to remove. An empty edit is INVALID_INPUT.',
  fields: () => ({
    aggregate: required(AggregateRef, 'The aggregate. An unknown uuid is created if providers are added.'),
    add: optionalList(ProviderRef, `The providers to add. ${PROVIDERS}`),
    remove: optionalList(ProviderRef, `The providers to remove. ${PROVIDERS}`),
  }),
});

interface UpdatedMembers {
  readonly aggregate: typeof Aggregate.$inferType;
  readonly uuids: readonly string[];
}

const UpdateAggregateMembersPayload = objectType<UpdatedMembers>('UpdateAggregateMembersPayload', {
  description: 'The providers are or are not in the aggregate.',
  fields: (t) => ({
    aggregate: t.expose('aggregate', { type: Aggregate, description: 'The aggregate after the change.' }),
    resourceProviders: t.field({
      type: [ResourceProvider],
      complexity: COUNTED_ABOVE,
      description: 'The providers of the input after the change, in its order.',
      resolve: ({ uuids }, _args, { loaders }) =>
        Promise.all(uuids.map((uuid) => writtenProvider(loaders, uuid))),
    }),
  }),
});

mutation('updateAggregateMembers', {
  payload: UpdateAggregateMembersPayload,
  description:
    'Adds providers to an aggregate and removes providers, all or none. Increments the generation of each ' +
    'provider that changes.',
  input: [UpdateAggregateMembersInput, 'The aggregate and the providers.'],
  listLength: ({ add, remove }) => add.length + remove.length,
  errors: ['INVALID_INPUT', 'NOT_FOUND'],
  resolve: async (input, { ledger }) => {
    const uuids = await updateAggregateMembers(ledger, input);
    return { aggregate: { uuid: input.aggregate }, uuids };
  },
  written: ({ aggregate, uuids }) => [
    ...idsOf(Aggregate, [aggregate.uuid]),
    ...idsOf(ResourceProvider, uuids),
  ],
});

const DeleteAggregatesInput = builder.inputType('DeleteAggregatesInput', {
  description: 'The aggregates to delete.',
  fields: () => ({
    aggregates: required([AggregateRef], `Aggregates without providers, 1 to ${MAX_MEMBERS}, each once.`),
  }),
});

const DeleteAggregatesPayload = objectType<readonly string[]>('DeleteAggregatesPayload', {
  description: 'The aggregates were deleted.',
  fields: (t) => ({
    deletedAggregateIds: t.idList({
      description: 'Their former global ids, for client caches, in the order of the input.',
      resolve: (uuids) => idsOf(Aggregate, uuids),
    }),
    uuids: t.field({ type: ['UUID'], description: 'Their former uuids.', resolve: (uuids) => [...uuids] }),
  }),
});

mutation('deleteAggregates', {
  payload: DeleteAggregatesPayload,
  description: 'Deletes aggregates without providers, with their names, all or none.',
  input: [DeleteAggregatesInput, 'The aggregates.'],
  errors: ['INVALID_INPUT', 'NOT_FOUND', 'AGGREGATE_IN_USE'],
  resolve: ({ aggregates }, { ledger }) => deleteAggregates(ledger, aggregates),
  written: (uuids) => idsOf(Aggregate, uuids),
});
