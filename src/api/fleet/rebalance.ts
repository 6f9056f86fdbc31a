import { GraphQLError } from 'graphql';
import { traitsLost } from '../../moves/lostTraits.js';
import { claimToken } from '../../moves/claim/claimToken.js';
import {
  MAX_MOVES,
  planRebalance,
  TooManyConsumers,
  type PlannedMove,
  type RebalanceMetrics,
  type RebalancePlan,
} from '../../moves/rebalance/currentRebalance.js';
import { ProviderAllocation } from '../allocation/providerAllocation.js';
import { builder, meanings, objectType, query } from '../builder.js';
import { partsOf } from '../candidates/snapshotProvider.js';
import { costOfEntries, COUNTED_ABOVE, SIZES_LISTS } from '../cost/operationCost.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import { AggregateRef } from '../refs.js';
import { MOVED_CONSUMER, traitsLostField } from '../sharedFields.js';
import { DrainRequestInput, KEEP_TRAITS, REQUEST_SOURCE, RequestSource, statedRequests } from './drain.js';
import { contextWith, costOfWhatIf, WHAT_IF } from '../candidates/candidateRequest.js';

const DEFAULT_MAX_MOVES = 100;

const RebalanceGoal = builder.enumType('RebalanceGoal', {
  description: 'The goal of a plan.',
  values: meanings({
    FREE_HOSTS: 'The fewest used hosts.',
    EVEN_OUT: 'The lowest maximum utilization.',
    FIX:
      'The fewest broken relations between consumers, then the fewest other faults: inventories over capacity, ' +
      'and consumers whose allocations violate units or their request.',
  }),
});

const RebalanceInput = builder.inputType('RebalanceInput', {
  description: 'The goal of a plan, and the consumers that it may move.',
  fields: () => ({
    goal: required(RebalanceGoal, 'The goal.'),
    maxMoves: withDefault(
      'Int',
      DEFAULT_MAX_MOVES,
      `The maximum number of moves, from 1 to ${MAX_MOVES}. Defaults to ${DEFAULT_MAX_MOVES}.`,
    ),
    scope: optional(AggregateRef, 'The aggregate whose trees are the hosts of the plan. Null: all trees.'),
    minGain: withDefault(
      'Float',
      0,
      'A plan that gains less has no moves. In hosts, utilization (0 to 1) or faults. Defaults to 0: any gain.',
    ),
    resourceClasses: optional(
      ['String'],
      'The names of the classes whose utilization counts. Defaults to all.',
    ),
    keep: optionalList('UUID', 'Consumers that never move.'),
    keepTypes: optionalList('String', 'Types whose consumers never move.'),
    keepTraits: withDefault('Boolean', false, KEEP_TRAITS),
    requests: optionalList(
      DrainRequestInput,
      'The requests of consumers. Defaults to remembered and derived ones, as in `planDrain`.',
    ),
  }),
});

const RebalanceOutcome = builder.enumType('RebalanceOutcome', {
  description: 'The result of a plan.',
  values: meanings({
    FOUND: 'The plan has moves.',
    NOTHING_WORTH_MOVING: 'No moves were found, or they gain less than `minGain`.',
    UNDECIDED: 'The search ended early and found no moves, or none that gain `minGain`.',
  }),
});

const RebalanceMetricsRef = objectType<RebalanceMetrics>('RebalanceMetrics', {
  description: 'The metrics of the hosts of a plan.',
  fields: (t) => ({
    usedHosts: t.exposeInt('usedHosts', {
      description: 'The number of trees with allocations of non-sharing providers.',
    }),
    maxUtilization: t.exposeFloat('maxUtilization', {
      description: 'The highest used / capacity of a tree and one of `resourceClasses`.',
    }),
    overCapacityCount: t.exposeInt('overCapacity', {
      description: 'The number of inventories whose usage exceeds their capacity.',
    }),
    brokenRelationCount: t.exposeInt('brokenRelations', {
      nullable: true,
      description:
        'The number of violated pairs of `awayFromConsumers` and lists of `nearConsumers`. Null unless the goal is FIX.',
    }),
    faultyConsumerCount: t.exposeInt('faultyConsumers', {
      nullable: true,
      description:
        'The number of consumers whose allocations violate units or their request. Null unless the goal is FIX.',
    }),
  }),
});

export const RebalanceMove = objectType<PlannedMove>('RebalanceMove', {
  description: 'One move of a consumer. It assumes the moves before it.',
  fields: (t) => ({
    consumer: t.field(MOVED_CONSUMER),
    generation: t.exposeInt('generation', {
      description: 'The generation of the consumer to pass to `setAllocations`, after the moves before.',
    }),
    requestSource: t.expose('source', { type: RequestSource, description: REQUEST_SOURCE }),
    from: t.field({
      type: [ProviderAllocation],
      description: 'All its allocations before the move.',
      resolve: ({ from, snapshot }) => partsOf(from, snapshot.classes),
    }),
    to: t.field({
      type: [ProviderAllocation],
      description: 'All its allocations after the move.',
      resolve: ({ to, snapshot }) => partsOf(to, snapshot.classes),
    }),
    traitsLost: t.field(
      traitsLostField(({ from, to, snapshot }: PlannedMove) => traitsLost(snapshot, from, to)),
    ),
    claimToken: t.id({
      description: 'Stands for `to` in `AllocationsInput`.',
      resolve: async ({ to, snapshot }, _args, { databaseId }) =>
        claimToken(await databaseId(), snapshot.classes, to),
    }),
  }),
});

const RebalancePlanRef = objectType<RebalancePlan>('RebalancePlan', {
  description: 'Moves that bring the fleet closer to a goal. A plan reserves nothing.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: RebalanceOutcome, description: 'The result.' }),
    moves: t.expose('moves', {
      type: [RebalanceMove],
      complexity: COUNTED_ABOVE,
      description:
        'In the order to execute them: no move exceeds a capacity or breaks a relation that holds. A consumer may ' +
        'move twice. Consumers that must stay near each other follow each other.',
    }),
    before: t.expose('before', { type: RebalanceMetricsRef, description: 'The metrics before the moves.' }),
    after: t.expose('after', { type: RebalanceMetricsRef, description: 'The metrics after the moves.' }),
    gain: t.exposeFloat('gain', {
      description:
        'The gain of the moves in hosts, utilization or faults, also if they are not worth moving. Faults are ' +
        'over-capacity inventories, broken relations and faulty consumers.',
    }),
    moveCount: t.exposeInt('moveCount', { description: 'The number of moves that bring `gain`.' }),
    derivedRequestCount: t.exposeInt('derivedCount', {
      description: 'The number of consumers in scope without a given or remembered request.',
    }),
    optimal: t.exposeBoolean('isOptimal', {
      description:
        'True if no plan of at most `maxMoves` moves is better and each shorter plan is worse. False if not proven.',
    }),
  }),
});

/** Settles like a plan. TooManyConsumers becomes an error with its code. */
export async function withLimit<Plan>(plan: Promise<Plan>): Promise<Plan> {
  try {
    return await plan;
  } catch (error) {
    if (!(error instanceof TooManyConsumers)) throw error;
    throw new GraphQLError(error.message, { extensions: { code: 'LIMIT_EXCEEDED' } });
  }
}

query('planRebalance', {
  type: RebalancePlanRef,
  description:
    'Plans moves that free hosts, even out utilization or fix faults. Claims nothing. More than 150000 ' +
    'consumers in scope fail with LIMIT_EXCEEDED, invalid input with INVALID_INPUT.',
  args: {
    input: required(RebalanceInput, 'The goal and its limits.'),
    whatIf: WHAT_IF,
  },
  extensions: SIZES_LISTS,
  complexity: ({ input: { maxMoves, ...lists }, whatIf }) => ({
    field: 1000 + maxMoves + costOfEntries(lists) + costOfWhatIf(whatIf),
    multiplier: maxMoves,
  }),
  resolve: (_root, { input, whatIf }, context) => {
    const { scope, resourceClasses, requests, keepTraits, ...others } = input;
    const request = {
      ...others,
      keepsTraits: keepTraits,
      aggregate: scope ?? null,
      resourceClasses: resourceClasses ?? null,
      requests: statedRequests(requests, context),
      excludedRootTraits: context.excludedRootTraits,
    };
    return withLimit(planRebalance(contextWith(context, whatIf), request, context.operation));
  },
});
