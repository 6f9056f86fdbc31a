import SchemaBuilder, {
  type FieldNullability,
  type FieldOptionsFromKind,
  type InputFieldMap,
  type ObjectFieldsShape,
  type ObjectRef,
  type TypeParam,
} from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError, GraphQLScalarType, Kind, print, type ValueNode } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLSafeInt } from 'graphql-scalars';
import { logWrite, Forbidden, READERS, type Scopes, scopesOfContext, wordsOf } from './access/rules.js';
import { mapValues } from '../model/collections.js';
import type { Context } from './context.js';
import ResolverPlugin from './plugin.js';
import { isConsumerKey, normalizeUuid } from '../model/input.js';

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** The only schema builder. Each file of this folder adds its types and fields on import. */
export const builder = new SchemaBuilder<{
  Context: Context;
  AuthScopes: Scopes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    UUID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    SafeInt: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [ErrorsPlugin, RelayPlugin, ScopeAuthPlugin, ResolverPlugin],
  defaultFieldNullability: false,
  errors: { directResult: true },
  scopeAuth: {
    authScopes: scopesOfContext,
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, context, { parentType, fieldName }) => {
      if (parentType.name === 'Mutation') logWrite(fieldName, null, 'FORBIDDEN', context);
      const { authScopes } = parentType.getFields()[fieldName].extensions.pothosOptions as {
        authScopes?: unknown;
      };
      const field = ROOTS.includes(parentType.name) ? fieldName : `${parentType.name}.${fieldName}`;
      return new Forbidden(`${field} requires ${wordsOf(authScopes)}`);
    },
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description: 'An object with a global id.',
    },
    idFieldOptions: {
      description: 'The global id, opaque and stable.',
    },
    pageInfoTypeOptions: { description: 'The position of a page.' },
    hasNextPageFieldOptions: { description: 'Whether entries follow the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether entries precede the page.' },
    startCursorFieldOptions: { description: 'The cursor of the first edge. Null if the page is empty.' },
    endCursorFieldOptions: {
      description: 'The cursor of the last edge, for `after`. Null if the page is empty.',
    },
    nodeFieldOptions: { nullable: false, description: 'The object.' },
    cursorFieldOptions: {
      description: 'The cursor, for `after` and `before`.',
    },
  },
});

export type Types = typeof builder.$inferSchemaTypes;

/** Defines an object type. Its resolvers receive a `Source`. */
export function objectType<Source>(
  name: string,
  options: { readonly description: string; readonly fields: ObjectFieldsShape<Types, Source> },
): ObjectRef<Types, Source> {
  return builder.objectRef<Source>(name).implement(options);
}

/** Adds a field of Query: nullable, and for readers unless `authScopes` states another rule. */
export function query<
  Type extends TypeParam<Types>,
  Returned,
  Nullable extends FieldNullability<Type> = true,
  Args extends InputFieldMap = Record<never, never>,
>(
  name: string,
  options: FieldOptionsFromKind<Types, Types['Root'], Type, Nullable, Args, 'Query', unknown, Returned>,
): void {
  builder.queryField(name, (t) =>
    t.field({ authScopes: READERS, nullable: true, ...options } as typeof options),
  );
}

/** The values of an enum with their descriptions. */
export function meanings<Value extends string>(descriptions: Readonly<Record<Value, string>>) {
  return mapValues(descriptions, (description) => ({ description }));
}

builder.queryType({
  description:
    'Reads. A rejected or forbidden field is null, with an entry in `errors` that has `code` and `path`.',
});
builder.mutationType({
  description:
    'Writes. Each field is one transaction: it returns its payload, or an error if it changed nothing.',
});

/** The maximum length of a value in an error message (characters). */
const SHOWN = 60;

/** @param nodes the place of an inline value, for the error */
function parseUuid(value: unknown, nodes?: ValueNode): string {
  const uuid = typeof value === 'string' ? normalizeUuid(value) : undefined;
  if (uuid !== undefined) return uuid;
  // a consumer that OpenStack Placement stores under such a key must be readable and removable
  if (typeof value === 'string' && isConsumerKey(value)) return value;
  const shown = JSON.stringify(value)?.slice(0, SHOWN) ?? String(value);
  throw new GraphQLError(
    `${shown} is no UUID: 32 hexadecimal digits, such as 0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11`,
    { nodes },
  );
}

function parseUuidLiteral(node: ValueNode): string {
  if (node.kind === Kind.STRING) return parseUuid(node.value, node);
  throw new GraphQLError(`${print(node).slice(0, SHOWN)} is no UUID: it must be a string`, { nodes: node });
}

builder.addScalarType(
  'UUID',
  new GraphQLScalarType<string, string>({
    name: 'UUID',
    description:
      'A UUID, in lower case with dashes. Input may be upper case, without dashes, in braces or a ' +
      '`urn:uuid:`. Some consumers of other programs have a key of 36 hexadecimal digits and dashes instead.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
    serialize: String,
    parseValue: (value) => parseUuid(value),
    parseLiteral: parseUuidLiteral,
  }),
);

builder.addScalarType(
  'DateTime',
  new GraphQLScalarType({
    ...GraphQLDateTime.toConfig(),
    description: 'A moment in UTC, such as `2026-03-01T12:30:00.000Z`. A string for clients.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  }),
);

builder.addScalarType(
  'SafeInt',
  new GraphQLScalarType({
    ...GraphQLSafeInt.toConfig(),
    description: 'An integer as a JSON number. Larger ones are reported as 2^53-1 (9007199254740991).',
  }),
);

builder.addScalarType(
  'JSON',
  new GraphQLScalarType({
    ...GraphQLJSON.toConfig(),
    description: 'A JSON value.',
  }),
);
