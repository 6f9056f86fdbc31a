import { randomInt } from 'node:crypto';
import {
  allocationsOf,
  mappingsOf,
  summarizedProviders,
  type Candidate,
  type CandidateMapping,
} from '../../engine/model/candidate.js';
import { shareLeftFree } from '../../engine/ordered/ranking.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import type { ProviderRef } from '../../engine/model/snapshot.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from './candidateRequest.js';
import { findCurrentCandidates, type Found, type FoundCandidates } from '../../placement/candidateSearch.js';
import { OPERATION_LIMITS } from '../../runtime/operationLimits.js';
import { withHoldings } from '../../placement/heldConsumers.js';
import { explainCandidates } from '../../placement/explanation.js';
import { CandidateExplanationRef } from './explanation.js';
import type { Context } from '../context.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { SIZES_LISTS } from '../cost/operationCost.js';
import { selects } from '../selection.js';
import { SnapshotProvider } from './snapshotProvider.js';
import { ResourceClass, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

const RequestGroupMapping = builder.objectRef<CandidateMapping>('RequestGroupMapping').implement({
  description: 'Which providers serve a group of the request.',
  fields: (t) => ({
    suffix: t.exposeString('suffix', { description: 'The suffix of the group; "" for the unsuffixed one.' }),
    resourceProviders: t.field({
      type: [ResourceProvider],
      description:
        'One provider for a granular group; all contributing ones, in no order, for the unsuffixed group.',
      resolve: ({ providers }) => providers.map((provider) => new SnapshotProvider(provider)),
    }),
  }),
});

export const AllocationRequest = builder.objectRef<Found<Candidate>>('AllocationRequest').implement({
  description:
    'One way to meet the request: a claim ready to send. It is no reservation: nothing is held until it is claimed.',
  fields: (t) => ({
    allocations: t.field({
      type: [ProviderAllocation],
      description: 'What to take from which provider.',
      resolve: ({ found, assignments }) =>
        allocationsOf(found.plan!, { assignments }).map(({ provider, resources }) => ({
          resourceProvider: new SnapshotProvider(provider),
          resources: resources.map(({ resourceClass, amount }) => ({
            resourceClass: found.snapshot.classes.nameOf(resourceClass),
            amount,
          })),
        })),
    }),
    mappings: t.field({
      type: [RequestGroupMapping],
      description: 'Which providers serve which group, in the order of the groups in the request.',
      resolve: ({ found, assignments }) => mappingsOf(found.plan!, { assignments }),
    }),
    score: t.float({
      nullable: true,
      description:
        'By the first entry of `orderBy`: of the providers that it draws that class from, what is free after the claim, all ' +
        'together, as a share of what these providers can hold of it, all together. From 0, nothing is left free, to below 1. ' +
        'SPREAD gives the largest first, PACK the smallest; further entries tell equal ones apart. Null without `orderBy`.',
      resolve: (candidate) => shareLeftFree(candidate.found.plan!, candidate),
    }),
  }),
});

const ProviderSummaryResource = builder
  .objectRef<{ resourceClass: string; capacity: number; used: number }>('ProviderSummaryResource')
  .implement({
    description: 'Capacity and use of one resource class of a provider.',
    fields: (t) => ({
      resourceClass: t.field({
        type: ResourceClass,
        description: 'The resource class.',
        resolve: ({ resourceClass }) => ({ name: resourceClass }),
      }),
      capacity: t.expose('capacity', {
        type: 'SafeInt',
        description: 'floor((total - reserved) * allocationRatio), at most 2^53-1.',
      }),
      used: t.expose('used', { type: 'SafeInt', description: 'The sum of all allocations.' }),
    }),
  });

const ProviderSummary = builder.objectRef<Found<{ provider: ProviderRef }>>('ProviderSummary').implement({
  description: 'What a provider of a tree in use offers, whether the request asks for it or not.',
  fields: (t) => ({
    resourceProvider: t.field({
      type: ResourceProvider,
      description:
        'The provider. Its id, uuid, name, generation, parent.uuid and root.uuid cost no database read here.',
      resolve: ({ provider }) => new SnapshotProvider(provider),
    }),
    resources: t.field({
      type: [ProviderSummaryResource],
      description: 'Every resource class that the provider has an inventory of.',
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
      description: 'The names of all its traits, sorted.',
      resolve: ({ found, provider: { block, row } }) => {
        const traits = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
        return Array.from(traits, (trait) => found.snapshot.traits.nameOf(trait)).sort();
      },
    }),
  }),
});

const TYPE = 'AllocationCandidates';

const AllocationCandidates = builder.objectRef<FoundCandidates>(TYPE).implement({
  description: 'Where a request could go.',
  fields: (t) => ({
    allocationRequests: t.field({
      type: [AllocationRequest],
      complexity: COUNTED_ABOVE,
      description:
        'The ways to meet the request, no two of them equal, in a seeded order that favours no tree: trees take turns, one ' +
        'allocation request each. With `orderBy` the best come first, and the limit gives the best. Empty when nothing fits.',
      resolve: (found) => found.candidates.map((candidate) => ({ ...candidate, found })),
    }),
    providerSummaries: t.field({
      type: [ProviderSummary],
      complexity: COUNTED_ABOVE,
      description: 'Every provider of every tree that an allocation request takes resources from.',
      resolve(found) {
        const { snapshot, plan, candidates } = found;
        const providers = plan === null ? [] : [...summarizedProviders(snapshot, plan, candidates)];
        return providers.map((provider) => ({ provider, found }));
      },
    }),
    complete: t.exposeBoolean('complete', {
      description: 'False when there are more: the limit cut the list.',
    }),
    seed: t.exposeInt('seed', { description: 'The seed of the order: give it to get the same order again.' }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description:
        'Why there are not more. Worked out only when it is asked for: that visits every provider of the fleet.',
      resolve: ({ snapshot, request }, _, { operation }) => explainCandidates(snapshot, request, operation),
    }),
  }),
});

const COST_OF_SEARCH = 100;

/** The number of allocation requests that a search returns at most. */
function limitOf(limit: number | null | undefined, { limits }: Context['operation']): number {
  return Math.min(limit ?? Infinity, limits.candidates);
}

builder.queryField('allocationCandidates', (t) =>
  t.field({
    authScopes: READERS,
    type: AllocationCandidates,
    nullable: true,
    description:
      'Where a request could go, given what is free now: every transaction committed before the query began counts. ' +
      'A request that is malformed, or names an unknown trait or resource class, is an error with the code INVALID_INPUT.',
    args: {
      request: t.arg({
        type: AllocationCandidatesInput,
        required: true,
        description: 'What is to be placed.',
      }),
      limit: t.arg({
        type: 'Int',
        description:
          `The maximum number of allocation requests, at least 1. Defaults to ${OPERATION_LIMITS.candidates}, ` +
          'which is also the largest value unless the operator sets another limit.',
      }),
    },
    extensions: SIZES_LISTS,
    complexity: ({ limit }, { operation }) => ({
      field: COST_OF_SEARCH,
      multiplier: limitOf(limit, operation),
    }),
    resolve: async (_, { request, limit }, { snapshots, database, operation }, info) => {
      if (typeof limit === 'number' && limit < 1)
        throw new InvalidInput(['limit'], `limit ${limit} is not at least 1`);
      return findCurrentCandidates(snapshots, await withHoldings(database.pool, requestOf(request)), {
        limit: limitOf(limit, operation),
        seed: request.seed ?? randomInt(2 ** 31),
        wantsComplete: selects(info, TYPE, 'complete'),
        operation,
      });
    },
  }),
);
