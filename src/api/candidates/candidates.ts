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
import type { Plugin } from 'graphql-yoga';
import { excludedRootsOf } from '../../search/plan.js';
import {
  allocationsOf,
  mappingsOf,
  type Candidate,
  type CandidateMapping,
  providersOfTrees,
  summarizedTrees,
} from '../../search/anchor.js';
import { scoreByTerm } from '../../search/ordered/terms/values.js';
import { InvalidInput } from '../../model/input.js';
import type { ProviderRef } from '../../fleet/snapshot.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { objectType, query } from '../builder.js';
import { amountsOf, fitOf, QuotaFitRef } from '../quota/quotaFit.js';
import { optional, required } from '../inputFields.js';
import {
  AllocationCandidatesInput,
  requestOf,
  contextWith,
  costOfWhatIf,
  WHAT_IF,
} from './candidateRequest.js';
import { claimToken } from '../../moves/claim/claimToken.js';
import { findCurrentCandidates, type Found, type FoundCandidates } from '../../search/candidateSearch.js';
import { OPERATION_LIMITS } from '../../model/operation/admission.js';
import { withHoldings } from '../../moves/heldConsumers.js';
import { explainCandidates } from '../../search/explanation/explainRequest.js';
import { CandidateExplanationRef, EXCLUDED_ROOTS } from './explanation.js';
import type { Context } from '../context.js';
import {
  costOfEntries,
  costOfList,
  COUNTED_ABOVE,
  LONG_SCALAR,
  SIZES_LISTS,
  costOfText,
} from '../cost/operationCost.js';
import { selects } from '../selection.js';
import { afterClaim, candidateProvider, partsOf, SnapshotProvider } from './snapshotProvider.js';
import { CLASS_BY_NAME, ResourceProvider } from '../refs.js';
import {
  candidatesText,
  lengthsOf,
  PRE_SERIALIZED,
  selectsClaimTokens,
  summarizedIn,
  TYPE,
  type CandidatesAnswer,
} from './candidatesText.js';
import type { Piece } from './treeTexts.js';

/** A candidate, the search that found it, and whether it has been claimed since. */
type FoundCandidate = Found<Candidate> & { readonly isClaimed?: boolean };

const RequestGroupMapping = objectType<CandidateMapping & { isClaimed: boolean }>('RequestGroupMapping', {
  description: 'The providers that serve a group of the request.',
  fields: (t) => ({
    suffix: t.exposeString('suffix', { description: 'The suffix of the group; "": the unsuffixed group.' }),
    resourceProviders: t.field({
      type: [ResourceProvider],
      description: 'The providers: one for a granular group, in no order for the unsuffixed group.',
      resolve: ({ providers, isClaimed }, _args, context, info) =>
        providers.map((each) => afterClaim(candidateProvider(each, isClaimed), context, info)),
    }),
  }),
});

export const AllocationRequest = objectType<FoundCandidate>('AllocationRequest', {
  description: 'A candidate: one way to meet the request. It reserves nothing.',
  fields: (t) => ({
    allocations: t.field({
      type: [ProviderAllocation],
      description: 'The resources to allocate from each provider.',
      resolve: ({ found, assignments, isClaimed }) =>
        partsOf(allocationsOf(found.plan!, { assignments }), found.snapshot.classes, isClaimed),
    }),
    claimToken: t.id({
      complexity: LONG_SCALAR,
      description: 'Stands for the allocations in `AllocationsInput`. It has no generations.',
      resolve: async ({ found, assignments }, _args, { databaseId }) => {
        const allocations = allocationsOf(found.plan!, { assignments });
        return claimToken(await databaseId(), found.snapshot.classes, allocations);
      },
    }),
    mappings: t.field({
      type: [RequestGroupMapping],
      description: 'The providers of each group, in the order of the request.',
      resolve: ({ found, assignments, isClaimed = false }) =>
        mappingsOf(found.plan!, { assignments }).map((mapping) => ({ ...mapping, isClaimed })),
    }),
    score: t.floatList({
      description:
        'By term of `orderBy`: the free share (0 to below 1), number of providers, sum of weights or ' +
        'number of consumers.',
      resolve: (candidate) => scoreByTerm(candidate.found.plan!, candidate),
    }),
  }),
});

interface ClassUsage {
  readonly resourceClass: string;
  readonly capacity: number;
  readonly used: number;
}

const ProviderSummaryResource = objectType<ClassUsage>('ProviderSummaryResource', {
  description: 'Capacity and usage of one resource class of a provider.',
  fields: (t) => ({
    resourceClass: t.field(CLASS_BY_NAME),
    capacity: t.expose('capacity', {
      type: 'SafeInt',
      description: '(total - reserved) * allocationRatio, rounded down.',
    }),
    used: t.expose('used', { type: 'SafeInt', description: 'The sum of all allocations.' }),
  }),
});

const ProviderSummary = objectType<Found<{ provider: ProviderRef }>>('ProviderSummary', {
  description: "The inventories and traits of a provider of a candidate's tree.",
  fields: (t) => ({
    resourceProvider: t.field({
      type: ResourceProvider,
      description: 'The provider.',
      resolve: ({ provider }) => new SnapshotProvider(provider),
    }),
    resources: t.field({
      type: [ProviderSummaryResource],
      description: 'All inventories of the provider.',
      resolve: ({ found, provider: { block, row } }) => {
        const start = block.inventoryStarts[row];
        return Array.from(
          block.classes.subarray(start, block.inventoryStarts[row + 1]),
          (resourceClass, offset) => ({
            resourceClass: found.snapshot.classes.nameOf(resourceClass),
            capacity: block.capacities[start + offset],
            used: block.used[start + offset],
          }),
        );
      },
    }),
    traitNames: t.stringList({
      description: 'The names of all traits of the provider, sorted.',
      resolve: ({ found, provider: { block, row } }) => {
        const traits = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
        return Array.from(traits, (trait) => found.snapshot.traits.nameOf(trait)).sort();
      },
    }),
  }),
});

const AllocationCandidates = objectType<FoundCandidates>(TYPE, {
  description: 'The candidates of a request.',
  fields: (t) => ({
    allocationRequests: t.field({
      type: [AllocationRequest],
      complexity: COUNTED_ABOVE,
      description:
        'The best first with `orderBy`, otherwise in a seeded order that alternates between trees.',
      resolve: (found) => found.candidates.map((candidate) => ({ ...candidate, found })),
    }),
    providerSummaries: t.field({
      type: [ProviderSummary],
      complexity: COUNTED_ABOVE,
      description: 'All providers of the trees of the allocation requests.',
      resolve(found) {
        const { snapshot, plan, candidates } = found;
        const trees = plan === null ? [] : summarizedTrees(snapshot, plan, candidates);
        return Array.from(providersOfTrees(trees), (provider) => ({ provider, found }));
      },
    }),
    complete: t.exposeBoolean('complete', {
      description: 'False if there are more candidates than the limit.',
    }),
    seed: t.exposeInt('seed', { description: 'The seed that repeats the order.' }),
    excludedRoots: t.int({
      description: EXCLUDED_ROOTS,
      resolve: ({ snapshot, request }) => excludedRootsOf(snapshot, request).size,
    }),
    quota: t.field({
      type: QuotaFitRef,
      complexity: costOfList(5),
      args: { projectId: required('String', 'The project of the consumer.') },
      description: 'Whether the quotas of a project allow the request, whatever the candidates.',
      resolve: ({ request }, { projectId }, context) => fitOf(context, projectId, amountsOf(request)),
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description: 'Why there are no more candidates. Visits every provider, if selected.',
      resolve: ({ snapshot, request }, _, { operation }) => explainCandidates(snapshot, request, operation),
    }),
  }),
});

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
    return findCurrentCandidates(snapshots, stated, {
      limit: limitOf(limit, operation),
      seed: request.seed ?? randomInt(2 ** 31),
      wantsCandidates: LISTS.some((list) => selects(info, TYPE, list)),
      wantsComplete: selects(info, TYPE, 'complete'),
      operation,
    });
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
