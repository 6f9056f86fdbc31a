import { treeIndexOf } from '../../engine/model/snapshot.js';
import { planDrain, type DrainMove, type DrainPlan } from '../../placement/drain.js';
import { explainCandidates } from '../../placement/explanation.js';
import { totalsOf } from '../../placement/totals.js';
import { COST_OF_PASS } from '../../placement/totals.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { ResourceAmount } from '../allocation/providerAllocation.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { costOfList } from '../cost/fieldCost.js';
import { Consumer, ProviderRef, ResourceProvider } from '../refs.js';
import { FleetTotal } from './fleetTotals.js';

const DrainConsumersInput = builder.inputType('DrainConsumersInput', {
  description: 'One consumer, or all consumers of a type.',
  isOneOf: true,
  fields: (t) => ({
    uuid: t.field({
      type: 'UUID',
      description: 'The consumer. Takes precedence over its type.',
    }),
    type: t.string({ description: 'The name of the type.' }),
  }),
});

const DrainRequestInput = builder.inputType('DrainRequestInput', {
  description: 'The request of a consumer, or of all consumers of a type.',
  fields: (t) => ({
    consumers: t.field({ type: DrainConsumersInput, required: true, description: 'The consumers.' }),
    request: t.field({
      type: AllocationCandidatesInput,
      required: true,
      description:
        'The request of each consumer, without the drained tree. Other consumers count where the plan ' +
        'moves them.',
    }),
  }),
});

const DrainMoveRef = builder.objectRef<DrainMove>('DrainMove').implement({
  description: 'The planned move of one consumer.',
  fields: (t) => ({
    consumer: t.field({
      type: Consumer,
      description: 'The consumer with its current allocations.',
      resolve: ({ consumer }, _args, { loaders }) => loaders.consumers.prime(consumer),
    }),
    allocationRequest: t.field({
      type: AllocationRequest,
      nullable: true,
      description: 'All its new allocations. Null if the consumer cannot move.',
      resolve: ({ found }) => found.candidates.map((candidate) => ({ ...candidate, found })).at(0) ?? null,
    }),
    requestIndex: t.int({
      nullable: true,
      description: 'The index of its request in `requests`. Null if it is derived.',
      resolve: ({ requested }) => requested,
    }),
    derivedResources: t.field({
      type: [ResourceAmount],
      nullable: true,
      description: 'The derived request: its allocations added up by class. Null if a request was given.',
      resolve: ({ requested, found }) => (requested === null ? found.request.groups[0].resources : null),
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description: 'Why the consumer cannot move. Null if it can.',
      resolve: ({ found: { candidates, snapshot, request } }, _args, { operation }) =>
        candidates.length > 0 ? null : explainCandidates(snapshot, request, operation),
    }),
  }),
});

const DrainPlanRef = builder.objectRef<DrainPlan>('DrainPlan').implement({
  description: 'A plan that empties a tree and reserves nothing. Each move assumes those before it.',
  fields: (t) => ({
    root: t.field({
      type: ResourceProvider,
      description: 'The root of the tree.',
      resolve: ({ root }) => new SnapshotProvider(root),
    }),
    complete: t.boolean({
      description: 'True if every consumer can move.',
      resolve: ({ moves }) => moves.every(({ found }) => found.candidates.length > 0),
    }),
    moves: t.field({
      type: [DrainMoveRef],
      complexity: costOfList(20),
      description: 'One move per consumer, the largest requests first, those that cannot move last.',
      resolve: ({ moves }) => [...moves],
    }),
    totalsBefore: t.field({
      type: [FleetTotal],
      complexity: { field: COST_OF_PASS, multiplier: 10 },
      description: 'The totals of the fleet by resource class.',
      resolve: async ({ before }, _args, { operation }) =>
        (await totalsOf(before, null, operation)).map((total) => ({ ...total, grouping: null })),
    }),
    totalsAfter: t.field({
      type: [FleetTotal],
      complexity: { field: COST_OF_PASS, multiplier: 10 },
      description: 'The totals of the fleet without the tree, after all moves.',
      resolve: async ({ root, after }, _args, { operation }) =>
        (await totalsOf(after, treeIndexOf(root), operation)).map((total) => ({ ...total, grouping: null })),
    }),
  }),
});

builder.queryField('planDrain', (t) =>
  t.field({
    authScopes: READERS,
    type: DrainPlanRef,
    nullable: true,
    complexity: { field: 100, multiplier: 1 },
    description:
      'Plans how to empty a tree, without claiming. Null if the uuid is unknown. A tree with more than 1000 ' +
      'consumers fails with INVALID_INPUT.',
    args: {
      resourceProvider: t.arg({
        type: ProviderRef,
        required: true,
        description: 'Any provider of the tree.',
      }),
      requests: t.arg({
        type: [DrainRequestInput],
        required: true,
        defaultValue: [],
        description: "Defaults to requests derived from the consumers' allocations.",
      }),
    },
    resolve: (_root, { resourceProvider, requests }, context) => {
      const stated = requests.map(({ request, consumers: { uuid, type } }) => ({
        consumer: uuid ?? null,
        consumerType: type ?? null,
        request: requestOf(request),
        seed: request.seed ?? null,
      }));
      return planDrain(context, resourceProvider, stated, context.operation);
    },
  }),
);
