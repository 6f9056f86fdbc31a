import { excludedRootsOf } from '../../search/plan.js';
import { randomInt } from 'node:crypto';
import {
  allocationsOf,
  mappingsOf,
  type Candidate,
  type CandidateMapping,
  providersOfTrees,
  summarizedTrees,
} from '../../search/candidate.js';
import { scoreByTerm } from '../../search/ordered/terms/values.js';
import { InvalidInput } from '../../model/invalidInput.js';
import type { ProviderRef } from '../../fleet/snapshot.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { objectType, query } from '../builder.js';
import { optional, required } from '../inputFields.js';
import { AllocationCandidatesInput, requestOf } from './candidateRequest.js';
import { claimToken } from '../../moves/claim/claimToken.js';
import { findCurrentCandidates, type Found, type FoundCandidates } from '../../search/candidateSearch.js';
import { OPERATION_LIMITS } from '../../model/operation/operationLimits.js';
import { withHoldings } from '../../moves/heldConsumers.js';
import { explainCandidates } from '../../search/explanation/explainRequest.js';
import { CandidateExplanationRef, EXCLUDED_ROOTS } from './explanation.js';
import type { Context } from '../context.js';
import { costOfEntries, COUNTED_ABOVE, LONG_SCALAR } from '../cost/fieldCost.js';
import { SIZES_LISTS } from '../cost/operationCost.js';
import { contextWith, costOfWhatIf, WHAT_IF } from '../fleet/whatIf.js';
import { selects } from '../selection.js';
import { afterClaim, candidateProvider, partsOf, SnapshotProvider } from './snapshotProvider.js';
import { CLASS_BY_NAME, ResourceProvider } from '../refs.js';

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

const TYPE = 'AllocationCandidates';

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
export function expectedCandidates(
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
