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
import { logWrite } from './access/auditLog.js';
import { Forbidden, READERS, type Scopes, scopesOf, wordsOf } from './access/rules.js';
import { mapValues } from '../model/collections.js';
import type { Context } from './context.js';
import ResolverPlugin from './plugin.js';

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
  };
}>({
  plugins: [ErrorsPlugin, RelayPlugin, ScopeAuthPlugin, ResolverPlugin],
  defaultFieldNullability: false,
  errors: { directResult: true },
  scopeAuth: {
    authScopes: ({ viewer }) => scopesOf(viewer),
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
