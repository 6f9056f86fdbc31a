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
import { builder, objectType, query } from '../builder.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { ResourceAmount } from '../allocation/providerAllocation.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { costOfList, COUNTED_ABOVE, BOUNDED_ABOVE } from '../cost/fieldCost.js';
import { ResourceProvider } from '../refs.js';
import { MOVED_CONSUMER } from '../sharedFields.js';
import { totalsField } from './fleetTotals.js';
import { contextWith, costOfWhatIf, TreesInput, treesOf, WHAT_IF } from './whatIf.js';

const DrainConsumersInput = builder.inputType('DrainConsumersInput', {
  description: 'One consumer, or all consumers of a type.',
  isOneOf: true,
  fields: () => ({
    uuid: optional('UUID', 'The consumer. Takes precedence over its type.'),
    type: optional('String', 'The name of the type.'),
  }),
});

export const DrainRequestInput = builder.inputType('DrainRequestInput', {
  description: 'The request of a consumer, or of all consumers of a type.',
  fields: () => ({
    consumers: required(DrainConsumersInput, 'The consumers.'),
    request: required(
      AllocationCandidatesInput,
      'The request of each consumer, outside the drained trees. Other consumers count at their planned ' +
        'positions.',
    ),
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

const DrainMoveRef = objectType<DrainMove>('DrainMove', {
  description: 'The planned move of one consumer.',
  fields: (t) => ({
    consumer: t.field(MOVED_CONSUMER),
    allocationRequest: t.expose('found', {
      type: AllocationRequest,
      nullable: true,
      description: 'All its new allocations. Null if the consumer cannot move.',
    }),
    requestIndex: t.exposeInt('requested', {
      nullable: true,
      description: 'The index of its request in `requests`. Null if it is derived.',
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

const DrainPlanRef = objectType<DrainPlan>('DrainPlan', {
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

query('planDrain', {
  type: DrainPlanRef,
  complexity: ({ whatIf }) => ({ field: 100 + costOfWhatIf(whatIf), multiplier: 1 }),
  description:
    'Plans moves that empty trees and leave whole hosts free. Claims nothing. ' +
    `More than ${MAX_CONSUMERS_OF_TREE} consumers of a tree, or ${MAX_CONSUMERS} in all, fail with ` +
    'INVALID_INPUT.',
  args: {
    from: required(TreesInput, 'The trees to empty.'),
    requests: optionalList(
      DrainRequestInput,
      'Defaults to requests derived from the allocations of each consumer: one group per provider, in the ' +
        'same subtrees.',
    ),
    keepTraits: withDefault('Boolean', false, keep('traits')),
    keepAggregates: withDefault('Boolean', false, keep('aggregates')),
    whatIf: WHAT_IF,
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
});
