import { builder } from '../builder.js';
import { AFTER, connectionType, costOfPage, FIRST, membersField } from '../connection.js';
import type { Context } from '../context.js';
import { namePage, pageRequest } from '../../reads/paging/paging.js';
import { Aggregate } from '../refs.js';

builder.node(Aggregate, {
  name: 'Aggregate',
  description:
    'A group of resource providers, such as a rack or an availability zone: only a uuid. It comes into being when a ' +
    'provider is first put into it and stays, even empty.',
  id: { resolve: ({ uuid }) => uuid },
  loadMany: async (uuids, context) => {
    const known = new Set(await readUuids(uuids, context));
    return uuids.map((uuid) => (known.has(uuid) ? { uuid } : null));
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
    type: Aggregate,
    nullable: true,
    description: 'The aggregate with this uuid; null when no provider was ever put into it.',
    args: { uuid: t.arg({ type: 'UUID', required: true, description: 'Its uuid.' }) },
    resolve: async (_root, { uuid }, context) =>
      (await readUuids([uuid], context)).length > 0 ? { uuid } : null,
  }),
);

const AggregateConnection = connectionType(Aggregate, {
  name: 'Aggregate',
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
    type: AggregateConnection,
    nullable: true,
    complexity: costOfPage,
    description:
      'Aggregates by uuid, page by page. A page that is too large, or a bad cursor, is INVALID_INPUT.',
    args: {
      filter: t.arg({ type: AggregateFilter, description: 'Which aggregates; without it, all.' }),
      first: t.arg.int({ description: FIRST }),
      after: t.arg.string({ description: AFTER }),
    },
    resolve: async (_root, { filter, ...args }, { database: { pool } }) => {
      const page = pageRequest(args);
      const anyMember = 'EXISTS (SELECT 1 FROM resource_provider_aggregates m WHERE m.aggregate_id = o.id)';
      const { associated } = filter ?? {};
      const where = associated == null ? 'TRUE' : associated ? anyMember : `NOT ${anyMember}`;
      const found = await pool.query<{ uuid: string }[]>(
        `SELECT o.uuid FROM placement_aggregates o WHERE o.uuid > ? AND ${where} ORDER BY o.uuid LIMIT ?`,
        [page.after ?? '', page.size + 1],
      );
      return namePage(
        page,
        found,
        ({ uuid }) => uuid,
        async () => {
          const [{ aggregates }] = await pool.query<{ aggregates: number }[]>(
            `SELECT COUNT(*) AS aggregates FROM placement_aggregates o WHERE o.uuid IS NOT NULL AND ${where}`,
          );
          return aggregates;
        },
      );
    },
  }),
);

async function readUuids(uuids: readonly string[], { database }: Context): Promise<(string | null)[]> {
  const rows = await database.prisma.aggregate.findMany({
    where: { uuid: { in: [...uuids] } },
    select: { uuid: true },
  });
  return rows.map((row) => row.uuid);
}
