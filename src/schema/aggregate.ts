import { builder } from './builder.js';
import { membersField } from './connection.js';
import type { Context } from './context.js';
import { Aggregate } from './refs.js';

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

async function readUuids(uuids: readonly string[], { database }: Context): Promise<(string | null)[]> {
  const rows = await database.prisma.aggregate.findMany({
    where: { uuid: { in: [...uuids] } },
    select: { uuid: true },
  });
  return rows.map((row) => row.uuid);
}
