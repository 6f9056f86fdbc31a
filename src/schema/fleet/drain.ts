import {
  explainStay,
  MAX_CONSUMERS,
  MAX_CONSUMERS_OF_TREE,
  movedToSharing,
  planDrain,
  sumsOf,
  type DrainMove,
  type DrainPlan,
  type DrainRequest,
} from '../../placement/drain.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { ResourceAmount } from '../allocation/providerAllocation.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { costOfList, COUNTED_ABOVE } from '../cost/fieldCost.js';
import { BOUNDED_ABOVE } from '../cost/listLimit.js';
import { Consumer, ResourceProvider } from '../refs.js';
import { totalsField } from './fleetTotals.js';
import { TreesInput, treesOf } from './treesInput.js';
import { contextWith, costOfWhatIf, WHAT_IF } from './whatIf.js';

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

export const DrainRequestInput = builder.inputType('DrainRequestInput', {
  description: 'The request of a consumer, or of all consumers of a type.',
  fields: (t) => ({
    consumers: t.field({ type: DrainConsumersInput, required: true, description: 'The consumers.' }),
    request: t.field({
      type: AllocationCandidatesInput,
      required: true,
      description:
        'The request of each consumer, outside the drained trees. Other consumers count at their planned ' +
        'positions.',
    }),
  }),
});

export function statedRequests(requests: readonly (typeof DrainRequestInput.$inferInput)[]): DrainRequest[] {
  return requests.map(({ request, consumers: { uuid, type } }) => ({
    consumer: uuid ?? null,
    consumerType: type ?? null,
    request: requestOf(request),
    seed: request.seed ?? null,
  }));
}

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
      resolve: ({ found }) => found,
    }),
    requestIndex: t.int({
      nullable: true,
      description: 'The index of its request in `requests`. Null if it is derived.',
      resolve: ({ requested }) => requested,
    }),
    derivedResources: t.field({
      type: [ResourceAmount],
      nullable: true,
      description: 'Its allocations, added up by class. Null if a request was given.',
      resolve: ({ requested, consumer }) => (requested === null ? sumsOf(consumer) : null),
    }),
    movedToSharing: t.field({
      type: [ResourceAmount],
      description:
        'The amounts that move from its host to sharing providers. A derived request moves them only if ' +
        'nothing else fits.',
      resolve: movedToSharing,
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description: 'Why the consumer cannot move, after all moves of the plan. Null if it can.',
      resolve: (move, _args, { operation }) => explainStay(move, operation),
    }),
  }),
});

const DrainPlanRef = builder.objectRef<DrainPlan>('DrainPlan').implement({
  description: 'A plan that empties trees and reserves nothing. Each move assumes those before it.',
  fields: (t) => ({
    roots: t.field({
      type: [ResourceProvider],
      complexity: COUNTED_ABOVE,
      description: 'The roots of the trees.',
      resolve: ({ roots }) => roots.map((root) => new SnapshotProvider(root)),
    }),
    complete: t.boolean({
      description: 'True if every consumer can move.',
      resolve: ({ moves }) => moves.every(({ found }) => found !== null),
    }),
    moves: t.field({
      type: [DrainMoveRef],
      complexity: costOfList(20),
      extensions: BOUNDED_ABOVE,
      description: 'One move per consumer, in the order to carry them out; those that cannot move last.',
      resolve: (plan) => plan.moves.map((move) => ({ ...move, plan })),
    }),
    totalsBefore: t.field(
      totalsField('The totals of the fleet by resource class.', ({ snapshot }: DrainPlan) => ({ snapshot })),
    ),
    totalsAfter: t.field(
      totalsField(
        'The totals of the fleet without the trees, after all moves.',
        ({ after: snapshot, trees: without }: DrainPlan) => ({ snapshot, without }),
      ),
    ),
  }),
});

const keep = (names: string): string =>
  `Whether derived requests require the ${names} that all providers of the consumer on hosts have. Defaults to false.`;

builder.queryField('planDrain', (t) =>
  t.field({
    authScopes: READERS,
    type: DrainPlanRef,
    nullable: true,
    complexity: ({ whatIf }) => ({ field: 100 + costOfWhatIf(whatIf), multiplier: 1 }),
    description:
      'Plans moves that empty trees and leave whole hosts free. Claims nothing. ' +
      `More than ${MAX_CONSUMERS_OF_TREE} consumers of a tree, or ${MAX_CONSUMERS} in all, fail with ` +
      'INVALID_INPUT.',
    args: {
      from: t.arg({ type: TreesInput, required: true, description: 'The trees to empty.' }),
      requests: t.arg({
        type: [DrainRequestInput],
        required: true,
        defaultValue: [],
        description:
          'Defaults to requests derived from the allocations of each consumer: one group per provider, in the ' +
          'same subtrees.',
      }),
      keepTraits: t.arg.boolean({ required: true, defaultValue: false, description: keep('traits') }),
      keepAggregates: t.arg.boolean({ required: true, defaultValue: false, description: keep('aggregates') }),
      whatIf: t.arg(WHAT_IF),
    },
    resolve: (_root, { from, requests, keepTraits, keepAggregates, whatIf }, context) => {
      const wishes = {
        from: treesOf(from),
        requests: statedRequests(requests),
        keepsTraits: keepTraits,
        keepsAggregates: keepAggregates,
      };
      return planDrain(contextWith(context, whatIf), wishes, context.operation);
    },
  }),
);
