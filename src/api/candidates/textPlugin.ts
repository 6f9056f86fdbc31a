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
import type { FoundCandidates } from '../../search/candidateSearch.js';
import { expectedCandidates } from './candidates.js';
import { costOfText } from '../cost/operationCost.js';
import {
  candidatesText,
  lengthsOf,
  PRE_SERIALIZED,
  selectsClaimTokens,
  summarizedIn,
  TYPE,
  type CandidatesAnswer,
} from './candidatesText.js';
import type { Piece } from './jsonText.js';
import type { Context } from '../context.js';

const FIELD = 'allocationCandidates';

/**
 * Serializes candidates directly to JSON instead of resolving each field (ADR 6). The executor runs
 * the document in a second schema, where allocationCandidates is a leaf with its JSON text as
 * value. So the executor still handles arguments, aliases, directives, errors and all other fields.
 * A document that selects fields of candidates with other resolvers runs in the original schema.
 */
export function usePreSerializedCandidates(schema: GraphQLSchema): PreSerializedCandidates {
  const leafSchema = withLeaf(schema);
  const known = new WeakMap<DocumentNode, boolean>();

  function isServed({ document, operationName }: ExecutionArgs): boolean {
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return false;
    const can = known.get(document) ?? isPreSerialized(schema, document);
    known.set(document, can);
    return can;
  }

  return {
    isServed,
    onExecute({ args, executeFn, setExecuteFn }) {
      if (!isServed(args)) return;
      const contextValue = args.contextValue as unknown as Context;
      const { snapshots } = contextValue;
      const snapshot = snapshots.current(); // so that the database answers while the server prepares the operation
      snapshot.catch(() => undefined); // avoids an unhandled rejection if no field awaits the snapshot
      const { speculative, fullLoads } = snapshots;
      const context: Context = {
        ...contextValue,
        snapshots: {
          current: () => snapshot,
          speculative,
          fullLoads,
          recheck: (ids) => snapshots.recheck(ids),
        },
      };
      setExecuteFn((given: ExecutionArgs): unknown =>
        executeFn({ ...given, schema: leafSchema, contextValue: context }),
      );
    },
  };
}

export interface PreSerializedCandidates extends Plugin {
  /** Returns true if this plugin serializes the candidates of an operation. */
  isServed(args: ExecutionArgs): boolean;
}

/** Returns true if a document selects candidates, and only pre-serialized fields of them. */
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
      Argument: () => false, // it may have thousands of values
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

/** Represents an AllocationCandidates object in a result. */
export class PreSerialized {
  /** @param pieces returns the JSON text of the object in short pieces */
  constructor(readonly pieces: () => Iterable<Piece>) {}

  static of(info: GraphQLResolveInfo, answer: CandidatesAnswer): PreSerialized {
    const pieces = (): Iterable<Piece> => candidatesText(info, info.fieldNodes, answer);
    if (lengthsOf(info, answer).length > 0) return new PreSerialized(pieces);
    const text = [...pieces()].map(String).join(''); // so that the search is released before the document ends
    return new PreSerialized(() => [text]);
  }
}

/** Charges the objects of an answer beyond the number that the estimated cost assumes. @throws CostExceeded */
function chargeRest(info: GraphQLResolveInfo, context: Context, answer: CandidatesAnswer, expected: number) {
  for (const { field, length } of lengthsOf(info, answer))
    if (length > expected)
      context.operation.charge(costOfText(info, context, TYPE, field, length - expected));
}

/** Returns the schema with a leaf as AllocationCandidates. It never validates documents. */
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
      const summarized = summarizedIn(info, found);
      const databaseId = selectsClaimTokens(info) ? await context.databaseId() : '';
      const answer = { found, summarized, databaseId };
      chargeRest(
        info,
        context,
        answer,
        expectedCandidates(call[1] as { limit?: number | null }, context.operation),
      );
      return PreSerialized.of(info, answer);
    },
  };
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...query, fields: { ...fields, [FIELD]: leaf } }),
    types: types.filter(({ name }) => name !== query.name),
  });
}
