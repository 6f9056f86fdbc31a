import { pageOf } from '../../reads/paging/paging.js';
import { listAggregates, ORDER_OF_AGGREGATES, readAggregates } from '../../reads/provider/aggregates.js';
import { builder } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, membersField } from '../connection.js';
import { Aggregate } from '../refs.js';
import { READERS } from '../access/rules.js';

builder.node(Aggregate, {
  name: 'Aggregate',
  description:
    'A group of resource providers, such as a rack or an availability zone: only a uuid. It comes into being when a ' +
    'provider is first put into it and stays, even empty.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: async (uuids, { database }) => {
    const known = new Map((await readAggregates(database, uuids)).map((found) => [found.uuid, found]));
    return uuids.map((uuid) => known.get(uuid) ?? null);
  },
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'Its uuid.' }) }),
});

membersField(
  Aggregate,
  'The providers that are directly in the aggregate, by name.',
  ({ uuid }, page, { loaders }) => loaders.providersInAggregate.page(uuid, page),
);

builder.queryField('aggregate', (t) =>
  t.field({
    authScopes: READERS,
    type: Aggregate,
    nullable: true,
    description: 'The aggregate with this uuid; null when no provider was ever put into it.',
    args: { uuid: t.arg({ type: 'UUID', required: true, description: 'Its uuid.' }) },
    resolve: async (_root, { uuid }, { database }) => {
      const [found] = await readAggregates(database, [uuid]);
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
  description: 'Which aggregates to list.',
  fields: (t) => ({
    associated: t.boolean({
      description: 'True: only aggregates with providers in them. False: only empty ones.',
    }),
  }),
});

builder.queryField('aggregates', (t) =>
  t.field({
    authScopes: READERS,
    type: AggregateConnection,
    nullable: true,
    complexity: costOfPage,
    description:
      'Aggregates by uuid, page by page. A page that is too large, or a bad cursor, is INVALID_INPUT.',
    args: {
      filter: t.arg({ type: AggregateFilter, description: 'Which aggregates; without it, all.' }),
      ...PAGE_ARGUMENTS,
    },
    resolve: (_root, { filter, ...args }, { database }) =>
      listAggregates(database, filter ?? {}, pageOf(ORDER_OF_AGGREGATES, args)),
  }),
);
