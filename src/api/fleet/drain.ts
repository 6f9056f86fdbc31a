import {
  explainStay,
  planDrain,
  stayCodeOf,
  sumsOf,
  traitsLostBy,
  type DrainMove,
  type DrainPlan,
  type StayCode,
  withoutStuck,
} from '../../moves/drain/drain.js';
import type { RequestSource as Source } from '../../moves/rememberedRequests.js';
import type { StatedRequest } from '../../moves/statedRequests.js';
import { MAX_IN_PART } from '../../moves/drain/drainParts.js';
import { movedStorage } from '../../moves/drain/movedStorage.js';
import { builder, meanings, objectType, query } from '../builder.js';
import type { Context } from '../context.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import {
  AllocationCandidatesInput,
  requestsIn,
  contextWith,
  costOfWhatIf,
  TreesInput,
  treesOf,
  WHAT_IF,
} from '../candidates/candidateRequest.js';
import { ResourceAmount } from '../allocation/providerAllocation.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { costOfEntries, costOfList, COUNTED_ABOVE } from '../cost/operationCost.js';
import { ResourceProvider } from '../refs.js';
import { MOVED_CONSUMER, traitsLostField } from '../sharedFields.js';
import { totalsField } from './fleetTotals.js';

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

export function statedRequests(
  requests: readonly (typeof DrainRequestInput.$inferInput)[],
  context: Pick<Context, 'excludedRootTraits'>,
): StatedRequest[] {
  const requestOf = requestsIn(context);
  return requests.map(({ request, consumers: { uuid, type } }) => ({
    consumer: uuid ?? null,
    consumerType: type ?? null,
    request: requestOf(request),
    seed: request.seed ?? null,
  }));
}

export const RequestSource = builder.enumType('RequestSource', {
  description: 'Where the request of a planned move is from.',
  values: meanings<Source>({
    STATED: 'The argument `requests`.',
    REMEMBERED: 'The request by which the consumer was placed.',
    OUTDATED: 'The conditions of that request, and the amounts of the allocations, which differ from it.',
    DERIVED: 'The allocations: the consumer has no remembered request.',
  }),
});

export const REQUEST_SOURCE = 'Where its request is from. DERIVED: conditions of its claim are unknown.';

const DrainMoveCode = builder.enumType('DrainMoveCode', {
  description: 'Why a drain plans no move of a consumer that may fit elsewhere.',
  values: meanings<StayCode>({
    SEVERAL_ROWS: 'It is stored in several spellings of its uuid. It can only be deleted.',
    SEVERAL_TREES: 'It has allocations in several trees, sharing providers apart.',
    KEPT: 'It holds the former allocations of a move (`keepOldAs`) until the client deletes it.',
  }),
});

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
      description: 'The index of its request in `requests`. Null if it is remembered or derived.',
    }),
    requestSource: t.expose('source', { type: RequestSource, description: REQUEST_SOURCE }),
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
      resolve: (move) => movedStorage(move.plan.snapshot, move, 'TO'),
    }),
    movedFromSharing: t.field({
      type: [ResourceAmount],
      description:
        'The amounts that move from sharing providers to its new host. A derived request moves them only if ' +
        'nothing else fits.',
      resolve: (move) => movedStorage(move.plan.snapshot, move, 'FROM'),
    }),
    traitsLost: t.field(traitsLostField(traitsLostBy)),
    code: t.field({
      type: DrainMoveCode,
      nullable: true,
      description: 'Why no move is planned. Null if one is, or if nothing fits: see `explanation`.',
      resolve: stayCodeOf,
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description:
        'Why the consumer fits nowhere, after all moves of the plan. Null if it moves or has a `code`.',
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
      description: 'True if every consumer of this part and of those before can move, and no part follows.',
      resolve: ({ stuck, next }) => stuck.length === 0 && next === null,
    }),
    next: t.exposeString('next', {
      nullable: true,
      description: `The \`after\` of the next part. Null if no consumers are left.`,
    }),
    moves: t.field({
      type: [DrainMoveRef],
      complexity: costOfList(20),
      description:
        `One move per consumer, at most ${MAX_IN_PART}, in the order to carry them out; those that ` +
        'cannot move last.',
      resolve: (plan) => plan.moves.map((move) => ({ ...move, plan })),
    }),
    totalsBefore: t.field(
      totalsField('The totals of the fleet by resource class.', ({ before }: DrainPlan) => ({
        snapshot: before,
      })),
    ),
    totalsAfter: t.field(
      totalsField(
        'The totals of the fleet without the trees and the consumers that cannot move, after the moves of ' +
          'this part and of those before.',
        (plan: DrainPlan) => ({ snapshot: withoutStuck(plan), without: plan.trees }),
      ),
    ),
  }),
});

const keep = (names: string): string =>
  `Whether derived requests require the ${names} that all providers of the consumer on hosts have. Defaults to false.`;

export const KEEP_TRAITS = keep('traits');

query('planDrain', {
  type: DrainPlanRef,
  complexity: ({ requests, from, whatIf }) => ({
    field: 100 + costOfEntries([requests, from]) + costOfWhatIf(whatIf),
    multiplier: 1,
  }),
  description:
    'Plans moves that empty trees and leave whole hosts free. Claims nothing. ' +
    `A call plans at most ${MAX_IN_PART} consumers; \`next\` of the plan continues.`,
  args: {
    from: required(TreesInput, 'The trees to empty.'),
    requests: optionalList(
      DrainRequestInput,
      'Defaults to the remembered request of each consumer, else to one derived from its allocations: one group ' +
        'per provider, in the same subtrees.',
    ),
    keepTraits: withDefault('Boolean', false, KEEP_TRAITS),
    keepAggregates: withDefault('Boolean', false, keep('aggregates')),
    whatIf: WHAT_IF,
    after: optional(
      'String',
      'The `next` of the part before, with the same other arguments; else INVALID_INPUT. Null: the first part.',
    ),
  },
  resolve: (_root, { from, requests, keepTraits, keepAggregates, whatIf, after }, context) => {
    const wishes = {
      from: treesOf(from),
      requests: statedRequests(requests, context),
      excludedRootTraits: context.excludedRootTraits,
      keepsTraits: keepTraits,
      keepsAggregates: keepAggregates,
      after: after ?? null,
    };
    return planDrain(contextWith(context, whatIf), wishes, context.operation);
  },
});
