import {
  getOperationAST,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FoundCandidates } from '../placement/candidateSearch.js';
import { candidatesText, PRE_SERIALIZED, selectsClaimTokens } from './candidatesText.js';
import type { Context } from '../schema/context.js';

const FIELD = 'allocationCandidates';

/**
 * Serializes candidates straight to JSON instead of resolving them field by field (ADR 6). The document is
 * executed as ever, but in a schema in which allocationCandidates is a leaf whose value is its JSON text; so
 * arguments, aliases, directives, errors and all other fields are the executor's. A document that selects
 * what needs a resolver is executed in the schema itself.
 */
export function usePreSerializedCandidates(schema: GraphQLSchema): PreSerializedCandidates {
  const leafSchema = withLeaf(schema);
  const known = new WeakMap<DocumentNode, boolean>();

  function canPreSerialize(document: DocumentNode): boolean {
    const can: boolean = known.get(document) ?? isPreSerialized(schema, document);
    known.set(document, can);
    return can;
  }

  function isServed({ document, operationName }: ExecutionArgs): boolean {
    const operation = getOperationAST(document, operationName)?.operation;
    return operation === OperationTypeNode.QUERY && canPreSerialize(document);
  }

  return {
    isServed,
    onExecute({ args, executeFn, setExecuteFn }) {
      if (!isServed(args)) return;
      const contextValue = args.contextValue as unknown as Context;
      const snapshot = begun(contextValue.snapshots);
      const { snapshots } = contextValue;
      const { speculative, fullLoads } = snapshots;
      const context: Context = {
        ...contextValue,
        snapshots: {
          current: () => snapshot,
          speculative,
          fullLoads,
          reread: (...given) => snapshots.reread(...given),
        },
      };
      setExecuteFn((given: ExecutionArgs): unknown =>
        executeFn({ ...given, schema: leafSchema, contextValue: context }),
      );
    },
  };
}

export interface PreSerializedCandidates extends Plugin {
  /** Whether the candidates of an operation are written as text. */
  isServed(args: ExecutionArgs): boolean;
}

/**
 * Asks for the current snapshot now, so that the database answers while the operation is still being
 * prepared.
 */
function begun(snapshots: Context['snapshots']): ReturnType<Context['snapshots']['current']> {
  const snapshot = snapshots.current();
  snapshot.catch(() => undefined); // whoever uses it is told; perhaps nobody does
  return snapshot;
}

/** Whether a document asks for candidates, and of them for nothing but what can be pre-serialized. */
function isPreSerialized(schema: GraphQLSchema, document: DocumentNode): boolean {
  let asks = false;
  let can = true;
  let inside = 0;
  const types = new TypeInfo(schema);
  const count = { enter: () => void inside++, leave: () => void inside-- };
  visit(
    document,
    visitWithTypeInfo(types, {
      FragmentDefinition: count,
      Field: {
        enter({ name: { value: name } }) {
          const parent = types.getParentType()?.name;
          if (inside > 0 && name !== '__typename' && !PRE_SERIALIZED.has(`${parent}.${name}`)) can = false;
          if (parent !== 'Query' || name !== FIELD) return;
          asks = true;
          inside++;
        },
        leave({ name: { value: name } }) {
          if (types.getParentType()?.name === 'Query' && name === FIELD) inside--;
        },
      },
    }),
  );
  return asks && can;
}

/** Stands for an AllocationCandidates object in a result. */
export class PreSerialized {
  constructor(
    private readonly info: GraphQLResolveInfo,
    private readonly found: FoundCandidates,
    private readonly databaseId: string,
  ) {}

  /** The JSON text of the object, in short pieces. */
  pieces(): Iterable<string> {
    return candidatesText(this.info, this.info.fieldNodes, this.found, this.databaseId);
  }
}

/** The schema with a leaf in place of AllocationCandidates. Documents are never validated against it. */
function withLeaf(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  const { fields, ...query } = schema.getQueryType()!.toConfig();
  const { resolve, ...field } = fields[FIELD];
  const type = new GraphQLScalarType({ name: 'PreSerialized', serialize: (value) => value });
  const leaf = {
    ...field,
    type,
    resolve: async (...call: Parameters<NonNullable<typeof resolve>>) => {
      const found = (await resolve!(...call)) as FoundCandidates;
      const context = call[2] as Context;
      const info = call[3];
      const id = selectsClaimTokens(info) ? await context.databaseId() : '';
      return new PreSerialized(info, found, id);
    },
  };
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...query, fields: { ...fields, [FIELD]: leaf } }),
    types: types.filter(({ name }) => name !== query.name),
  });
}
