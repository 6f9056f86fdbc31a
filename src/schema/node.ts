import { decodeGlobalID, resolveNodes } from '@pothos/plugin-relay';
import { GraphQLError, isObjectType, type GraphQLResolveInfo } from 'graphql';
import { InvalidInput } from '../domain/invalidInput.js';
import { builder } from './builder.js';
import type { Context } from './context.js';
import { costOfList } from './cost/fieldCost.js';
import { LARGEST_PAGE } from '../reads/paging/paging.js';

const Node = builder.nodeInterfaceRef();

/** The error is returned and not thrown, so that one bad id does not empty a list of good ones. */
function decode(id: string, path: readonly string[], { schema }: GraphQLResolveInfo) {
  try {
    const decoded = decodeGlobalID(id);
    const type = schema.getType(decoded.typename);
    if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === Node.name)) return decoded;
  } catch {
    // rejected below
  }
  const rejection = new InvalidInput(path, `${JSON.stringify(id.slice(0, 120))} is no id of this server`);
  return new GraphQLError(rejection.message, { originalError: rejection });
}

async function load(ids: readonly ReturnType<typeof decode>[], context: Context, info: GraphQLResolveInfo) {
  const found = await resolveNodes(
    builder,
    context,
    info,
    ids.map((id) => (id instanceof GraphQLError ? null : id)),
  );
  return ids.map((id, position) => (id instanceof GraphQLError ? id : found[position]));
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: 'The object with this global id; null when there is none (any more).',
    args: {
      id: t.arg.id({ required: true, description: 'A global id, as the field `id` of any object gives it.' }),
    },
    resolve: async (_root, { id }, context, info) => {
      const [node] = await load([decode(id, ['id'], info)], context, info);
      return node;
    },
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    complexity: ({ ids }) => costOfList(ids.length),
    description:
      'The objects with these global ids, in the order of the ids; null where there is none (any more). An id that ' +
      'this server never gave is null as well, with an INVALID_INPUT in `errors`.',
    args: { ids: t.arg.idList({ required: true, description: `Global ids, at most ${LARGEST_PAGE}.` }) },
    resolve: (_root, { ids }, context, info) => {
      if (ids.length > LARGEST_PAGE)
        throw new InvalidInput(['ids'], `${ids.length} ids; at most ${LARGEST_PAGE}`);
      return load(
        ids.map((id, position) => decode(id, ['ids', String(position)], info)),
        context,
        info,
      ) as Promise<(object | null)[]>;
    },
  }),
}));
