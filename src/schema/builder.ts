import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { logWrite } from './access/auditLog.js';
import { Forbidden, type Scopes, scopesOf, wordsOf } from './access/rules.js';
import type { Context } from './context.js';
import { costOfField } from './cost/fieldCost.js';
import ListLimitPlugin from './cost/listLimit.js';
import NamesPlugin from './names/plugin.js';
import RejectedArgumentsPlugin from './rejectedArguments.js';

/** The one schema builder: every file of this folder adds its part to it when it is imported. */
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
  plugins: [
    ErrorsPlugin,
    RejectedArgumentsPlugin,
    ListLimitPlugin,
    ComplexityPlugin,
    RelayPlugin,
    ScopeAuthPlugin,
    NamesPlugin,
  ],
  defaultFieldNullability: false,
  complexity: { fieldComplexity: costOfField },
  errors: { directResult: true },
  scopeAuth: {
    authScopes: ({ viewer }) => scopesOf(viewer),
    authorizeOnSubscribe: true,
    unauthorizedError: (_parent, context, { parentType, fieldName }) => {
      if (parentType.name === 'Mutation') logWrite(fieldName, null, 'FORBIDDEN', context);
      const { authScopes } = parentType.getFields()[fieldName].extensions.pothosOptions as {
        authScopes?: unknown;
      };
      return new Forbidden(`${parentType.name}.${fieldName} takes ${wordsOf(authScopes)}`);
    },
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description: 'Anything with a global id: `node(id:)` finds it again, whatever its type.',
    },
    idFieldOptions: {
      description: 'The global id, opaque to clients and the same for as long as the object exists.',
    },
    pageInfoTypeOptions: { description: 'Where a page lies in the whole list.' },
    hasNextPageFieldOptions: { description: 'Whether more comes after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there is something before this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first edge; null when the page is empty.' },
    endCursorFieldOptions: {
      description:
        'The cursor of the last edge, for the `after` of the next page; null when the page is empty.',
    },
    nodeFieldOptions: { nullable: false, description: 'The object.' },
    cursorFieldOptions: {
      description: 'The place of this edge in the list, opaque to clients: for `after` and `before`.',
    },
  },
});

export type Types = typeof builder.$inferSchemaTypes;

builder.queryType({ description: 'What can be read. An unknown uuid, name or id gives null.' });
builder.mutationType({
  description:
    'What can be changed. Each field takes one `input`, runs in one transaction and answers with its payload ' +
    'or, changing nothing, with the error that stood in the way. Fields of one document run one after another.',
});
