import { brandWithType, type OutputType, type SchemaTypes } from '@pothos/core';
import { decodeGlobalID, resolveNodes } from '@pothos/plugin-relay';
import { GraphQLError, isObjectType, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { InvalidInput } from '../model/input.js';
import { isAscii } from '../store/sql/statements.js';
import { builder, query } from './builder.js';
import { required } from './inputFields.js';
import type { Context } from './context.js';
import { costOfList } from './cost/operationCost.js';
import { LARGEST_PAGE } from './paging/paging.js';
import { Forbidden, NODES_OF_PROJECTS, ownProject, readersAndProjects } from './access/rules.js';

const Node = builder.nodeInterfaceRef();

/** The types whose keys begin with a uuid. Their tables may lack the character sets of other keys. */
const BY_UUID = new Set(['ResourceProvider', 'Inventory', 'Aggregate', 'Consumer', 'Allocation']);

/** The cost of an id that is rejected: an error takes much longer than an object. */
const COST_OF_REJECTION = 100;

/** Decodes a global id. Returns an error instead of throwing, so that other ids still resolve. */
function decode(
  id: string,
  path: readonly string[],
  { viewer, operation }: Context,
  { schema }: GraphQLResolveInfo,
): ReturnType<typeof decodeGlobalID> | GraphQLError {
  const decoded = tryDecode(id, schema);
  if (decoded !== null && (ownProject(viewer) === null || NODES_OF_PROJECTS.has(decoded.typename)))
    return decoded;
  const rejection =
    decoded === null
      ? new InvalidInput(path, `${JSON.stringify(id.slice(0, 120))} is no id of this server`)
      : new Forbidden(`${decoded.typename}: readers of a project may not see this`, path);
  operation.charge(COST_OF_REJECTION);
  return new GraphQLError(rejection.message, { originalError: rejection });
}

function tryDecode(id: string, schema: GraphQLSchema): ReturnType<typeof decodeGlobalID> | null {
  try {
    const decoded = decodeGlobalID(id);
    const type = schema.getType(decoded.typename);
    return isObjectType(type) && type.getInterfaces().some(({ name }) => name === Node.name) ? decoded : null;
  } catch {
    return null;
  }
}

function mayExist({ typename, id }: ReturnType<typeof decodeGlobalID>): boolean {
  return !BY_UUID.has(typename) || isAscii(id);
}

async function load(ids: readonly ReturnType<typeof decode>[], context: Context, info: GraphQLResolveInfo) {
  const loading = await resolveNodes(
    builder,
    context,
    info,
    ids.map((id) => (id instanceof GraphQLError || !mayExist(id) ? null : id)),
  );
  const found = await Promise.all(loading);
  return ids.map((id, position) => {
    if (id instanceof GraphQLError) return id;
    // Pothos shares an object that another field is loading before it marks the object with its type
    brandWithType(found[position], id.typename as OutputType<SchemaTypes>);
    return found[position];
  });
}

query('node', {
  authScopes: readersAndProjects({ id: 'FREE' }),
  type: Node,
  description: 'An object by its global id. Null if it does not exist.',
  args: {
    id: required('ID', 'The global id.'),
  },
  resolve: async (_root, { id }, context, info) => {
    const [node] = await load([decode(id, ['id'], context, info)], context, info);
    return node;
  },
});

query('nodes', {
  authScopes: readersAndProjects({ ids: 'FREE' }),
  type: [Node],
  nullable: { list: true, items: true },
  complexity: ({ ids }) => costOfList(ids.length),
  description: 'Objects by their global ids, in that order. Null for each that does not exist.',
  args: { ids: required(['ID'], `Global ids, at most ${LARGEST_PAGE}.`) },
  resolve: (_root, { ids }, context, info) => {
    if (ids.length > LARGEST_PAGE)
      throw new InvalidInput(['ids'], `${ids.length} ids; at most ${LARGEST_PAGE}`);
    return load(
      ids.map((id, position) => decode(id, ['ids', String(position)], context, info)),
      context,
      info,
    ) as Promise<(object | null)[]>;
  },
});
