import { randomInt } from 'node:crypto';
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
import type { ObjectRef } from '@pothos/core';
import type { Plugin } from 'graphql-yoga';
import type { ProviderRef } from '../../fleet/snapshot.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import { InvalidInput } from '../../model/input.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { builder, objectType, query, type Types } from '../builder.js';
import { amountsOf, fitOf, QuotaFitRef } from '../quota/quotaFit.js';
import { optional, required } from '../inputFields.js';
import {
  AllocationCandidatesInput,
  requestOf,
  contextWith,
  costOfWhatIf,
  WHAT_IF,
} from './candidateRequest.js';
import { findCurrentCandidates, type Found, type FoundCandidates } from '../../search/candidateSearch.js';
import { OPERATION_LIMITS } from '../../model/operation/admission.js';
import { withHoldings } from '../../moves/heldConsumers.js';
import { explainCandidates } from '../../search/explanation/explainRequest.js';
import { CandidateExplanationRef } from './explanation.js';
import type { Context } from '../context.js';
import { costOfEntries, costOfList, SIZES_LISTS, costOfText } from '../cost/operationCost.js';
import { selectedFields, selects } from '../selection.js';
import { afterClaim, candidateProvider, partsOf } from './snapshotProvider.js';
import { ResourceClass, ResourceProvider } from '../refs.js';
import { mapValues } from '../../model/collections.js';
import {
  CANDIDATE_FIELDS,
  candidatesText,
  lengthsOf,
  PRE_SERIALIZED,
  summarizedIn,
  objectTypeOf,
  TYPE,
  type CandidatesAnswer,
  type CandidateType,
  type Field,
  type SourceByType,
  type TypeName,
} from './candidatesText.js';
import type { Piece } from './treeTexts.js';

/** An object of a search result, the result, and whether its candidate has been claimed since. */
type InResult<T> = Found<T> & { readonly isClaimed?: boolean };

const REFS: { [Type in TypeName]?: ObjectRef<Types, unknown> } = {
  ResourceProvider,
  ResourceClass,
  ProviderAllocation,
};

/** Converts an object to the source of the resolvers of its type. */
function sourceOf(
  type: TypeName,
  object: unknown,
  { found, isClaimed }: InResult<unknown>,
  context: Context,
  info: GraphQLResolveInfo,
): unknown {
  const { classes } = found.snapshot;
  if (type === 'ResourceClass') return { name: classes.nameOf(object as number) };
  if (type === 'ProviderAllocation') return partsOf([object as CandidateAllocation], classes, isClaimed)[0];
  if (type === 'ResourceProvider')
    return afterClaim(candidateProvider(object as ProviderRef, isClaimed === true), context, info);
  return { ...(object as object), found, isClaimed };
}

/** Defines a type by its fields in CANDIDATE_FIELDS. */
function candidateType<Type extends CandidateType>(name: Type, description: string) {
  const ref = objectType<InResult<SourceByType[Type]>>(name, {
    description,
    fields: (t) =>
      mapValues<string, Field<never>, unknown>(CANDIDATE_FIELDS[name], ({ type, get, ...stated }) => {
        const objects = objectTypeOf(type);
        const each = (objects === null ? type : REFS[objects]) as 'String';
        return t.field({
          ...stated,
          type: objects !== null && typeof type !== 'string' ? [each] : each,
          resolve: (source, _args, context, info) => {
            const read = (databaseId = '') => get(source as never, source.found, databaseId) as never;
            if (type === 'ID') return context.databaseId().then(read); // a claim token
            const value: unknown = read();
            if (objects === null) return value as never;
            const of = (object: unknown) => sourceOf(objects, object, source, context, info);
            return (Array.isArray(value) ? value.map(of) : of(value)) as never;
          },
        });
      }) as never,
  });
  REFS[name] = ref;
  return ref;
}

candidateType('RequestGroupMapping', 'The providers that serve a group of the request.');
export const AllocationRequest = candidateType(
  'AllocationRequest',
  'A candidate: one way to meet the request. It reserves nothing.',
);
candidateType('ProviderSummaryResource', 'Capacity and usage of one resource class of a provider.');
candidateType('ProviderSummary', "The inventories and traits of a provider of a candidate's tree.");
const AllocationCandidates = candidateType(TYPE, 'The candidates of a request.');

builder.objectFields(AllocationCandidates, (t) => ({
  quota: t.field({
    type: QuotaFitRef,
    complexity: costOfList(5),
    args: { projectId: required('String', 'The project of the consumer.') },
    description: 'Whether the quotas of a project allow the request, whatever the candidates.',
    resolve: ({ request }, { projectId }, context) => fitOf(context, projectId, amountsOf(request)),
  }),
}));

builder.objectField(AllocationCandidates, 'explanation', (t) =>
  t.field({
    type: CandidateExplanationRef,
    nullable: true,
    complexity: { field: 1000, multiplier: 1 },
    description: 'Why there are no more candidates. Visits every provider, if selected.',
    resolve: ({ snapshot, request }, _, { operation }) => explainCandidates(snapshot, request, operation),
  }),
);

/** The fields that need the candidates. */
const LISTS = ['allocationRequests', 'providerSummaries'];

const COST_OF_SEARCH = 100;

/** The number of candidates to find that cost as much as one object of an answer. */
const FOUND_PER_COST = 10;

/** Returns the maximum number of allocation requests of a search. */
function limitOf(limit: number | null | undefined, { limits }: Context['operation']): number {
  return Math.min(limit ?? Infinity, limits.candidates);
}

/** Returns the number of allocation requests that the estimated cost of a search assumes. More are charged when found. */
function expectedCandidates(
  { limit }: { readonly limit?: number | null },
  operation: Context['operation'],
): number {
  return limitOf(limit ?? OPERATION_LIMITS.candidates, operation);
}

query('allocationCandidates', {
  type: AllocationCandidates,
  description:
    'Finds candidates in the state of all transactions committed before. Fails with INVALID_INPUT.',
  args: {
    request: required(AllocationCandidatesInput, 'The request.'),
    limit: optional(
      'Int',
      `The maximum number of candidates. Defaults to ${OPERATION_LIMITS.candidates}, the maximum.`,
    ),
    whatIf: WHAT_IF,
  },
  extensions: SIZES_LISTS,
  complexity: ({ request, limit, whatIf }, context) => {
    const expected = expectedCandidates({ limit }, context.operation);
    const search = COST_OF_SEARCH + Math.ceil(expected / FOUND_PER_COST);
    return { field: search + costOfEntries(request) + costOfWhatIf(whatIf), multiplier: expected };
  },
  resolve: async (_, { request, limit, whatIf }, context, info) => {
    const { snapshots, database, operation } = contextWith(context, whatIf);
    if (typeof limit === 'number' && limit < 1)
      throw new InvalidInput(['limit'], `limit ${limit} is not at least 1`);
    const stated = await withHoldings(database, requestOf(request, context));
    const found = await findCurrentCandidates(snapshots, stated, {
      limit: limitOf(limit, operation),
      seed: request.seed ?? randomInt(2 ** 31),
      wantsCandidates: LISTS.some((list) => selects(info, TYPE, list)),
      wantsComplete: selects(info, TYPE, 'complete'),
      operation,
    });
    return { ...found, found };
  },
});

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

function selectsClaimTokens(info: GraphQLResolveInfo): boolean {
  const requests = selectedFields(info, TYPE, info.fieldNodes).filter(
    ({ name }) => name === 'allocationRequests',
  );
  return requests.some(({ nodes }) =>
    selectedFields(info, 'AllocationRequest', nodes).some(({ name }) => name === 'claimToken'),
  );
}
