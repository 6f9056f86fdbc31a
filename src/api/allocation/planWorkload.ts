import { allocationsOf } from '../../search/anchor.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import { allocationsIn, isSame } from '../../moves/heldConsumers.js';
import { traitsLost } from '../../moves/lostTraits.js';
import { NoCandidates } from '../../moves/claim/noCandidates.js';
import { MAX_PLANS, planClaim, type WorkloadPlans } from '../../moves/claim/workloadPlan.js';
import { snapshotAfter, type WorkloadPlacement } from '../../moves/claim/workloadPlacement.js';
import { readersButWritersWith } from '../access/rules.js';
import { builder, objectType, query } from '../builder.js';
import type { Context } from '../context.js';
import type { WantedRoom } from '../../moves/makeRoom/currentRoom.js';
import { MAX_ROOM_MOVES } from '../../moves/makeRoom/movable.js';
import { RebalanceMove, withLimit } from '../fleet/rebalance.js';
import { optional, required, withDefault } from '../inputFields.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { costOfEntries, costOfList, COUNTED_ABOVE, SIZES_LISTS } from '../cost/operationCost.js';
import { totalsField } from '../fleet/fleetTotals.js';
import { contextWith, costOfWhatIf, WHAT_IF } from '../candidates/candidateRequest.js';
import { amountsOf, fitsOfWorkload, QuotaFitRef, sumsOf } from '../quota/quotaFit.js';
import { selects } from '../selection.js';
import { traitsLostField } from '../sharedFields.js';
import { WorkloadOutcome } from './claimErrors.js';
import { checkExpiriesOf, ClaimInput, claimOf, consumersIn, costOfClaim } from './claim.js';
import { RulePlacement, rulesOf } from './topologyFields.js';
import { chosenTopology, MemberPlacement, membersOf, OPTIMAL, placesOf, RULES } from './workloadFields.js';

type PlannedConsumer = ReturnType<typeof placesOf>[number] & {
  readonly consumerUuid: string;
  /** The consumer as it is; undefined for a new one. */
  readonly held: HeldConsumer | undefined;
};

const PlannedConsumerRef = objectType<PlannedConsumer>('PlannedConsumer', {
  description: 'The planned place of one consumer.',
  fields: (t) => ({
    consumerUuid: t.expose('consumerUuid', { type: 'UUID', description: 'The consumer of the input.' }),
    member: t.exposeString('member', { description: 'The name of its member.' }),
    requestIndex: t.exposeInt('requestIndex', {
      description: 'The position of its request in the member, from 0.',
    }),
    allocationRequest: t.expose('candidate', {
      type: AllocationRequest,
      description: 'Its candidate. `score` assumes that the rest of the workload is not placed.',
    }),
    traitsLost: t.field(
      traitsLostField(({ held, candidate }: PlannedConsumer) => {
        const { snapshot, plan } = candidate.found;
        const before = allocationsIn(snapshot, held?.allocations ?? []);
        return traitsLost(snapshot, before, allocationsOf(plan!, candidate));
      }),
    ),
  }),
});

const MovableInput = builder.inputType('MovableInput', {
  description:
    'The consumers that may move for a workload: those that match all given lists. At least one list is required. ' +
    'Consumers of the workload, and consumers with allocations in several trees, never move.',
  fields: () => ({
    consumerTypes: optional(['String'], 'The names of their types. Null: any type.'),
    projects: optional(['String'], 'The ids of their projects. Null: any project.'),
    consumers: optional(['UUID'], 'Their uuids. Null: any consumer.'),
  }),
});

const DEFAULT_ROOM_MOVES = 10;

const MakeRoomInput = builder.inputType('MakeRoomInput', {
  description: 'The moves of other consumers that may free capacity for a workload.',
  fields: () => ({
    maxMoves: withDefault(
      'Int',
      DEFAULT_ROOM_MOVES,
      `The maximum number of moves, from 1 to ${MAX_ROOM_MOVES}. Defaults to ${DEFAULT_ROOM_MOVES}.`,
    ),
    movable: required(MovableInput, 'The consumers that may move.'),
  }),
});

interface PlannedPlacement extends Pick<WorkloadPlans, 'room'> {
  readonly placement: WorkloadPlacement;
  /** The uuids of the consumers, in the order of the input. */
  readonly consumers: readonly string[];
  readonly held: WorkloadPlans['held'];
}

function movedIn(
  placement: WorkloadPlacement,
  consumers: readonly string[],
  held: WorkloadPlans['held'],
): number {
  return placesOf(placement).filter(({ candidate }, at) => {
    const before = held.get(consumers[at])?.allocations ?? [];
    return before.length > 0 && !isSame(before, candidate.allocations);
  }).length;
}

const WorkloadPlan = objectType<PlannedPlacement>('WorkloadPlan', {
  description: 'One placement of the workload. It reserves nothing.',
  fields: (t) => ({
    seed: t.int({
      description: 'The seed. A claim with it in its first request repeats the plan in an unchanged fleet.',
      resolve: ({ placement }) => placement.seed,
    }),
    optimal: t.boolean({
      description: `${OPTIMAL} With \`moves\`, it is true if fewer moves are proven not to suffice.`,
      resolve: ({ placement, room }) => room?.isOptimal ?? placement.isOptimal,
    }),
    movedCount: t.int({
      description: 'The number of existing consumers of the input whose allocations would change.',
      resolve: ({ placement, consumers, held }) => movedIn(placement, consumers, held),
    }),
    moves: t.field({
      type: [RebalanceMove],
      complexity: costOfList(DEFAULT_ROOM_MOVES),
      description:
        'The moves of other consumers before the claim, in the order to execute them. During each move its former and ' +
        'its new allocations fit together. Empty if the workload fits without moves, or without `makeRoom`.',
      resolve: ({ room }) => room?.moves ?? [],
    }),
    moveCount: t.int({
      description: 'The number of moves.',
      resolve: ({ room }) => room?.moves.length ?? 0,
    }),
    consumers: t.field({
      type: [PlannedConsumerRef],
      complexity: costOfList(20),
      description: 'The place of each consumer, in the order of the input.',
      resolve: ({ placement, consumers, held }) =>
        placesOf(placement).map((place, at) => ({
          ...place,
          consumerUuid: consumers[at],
          held: held.get(consumers[at]),
        })),
    }),
    members: t.field({
      type: [MemberPlacement],
      description: 'The chosen request of each member, in the order of the input.',
      resolve: ({ placement }) => membersOf(placement),
    }),
    topology: t.field({
      type: [RulePlacement],
      description: RULES,
      resolve: ({ placement }) => rulesOf(placement),
    }),
    ...chosenTopology(t),
    totalsAfter: t.field(
      totalsField(
        'The totals of the fleet by resource class, with the workload.',
        ({ placement }: PlannedPlacement) => ({
          snapshot: snapshotAfter(placement),
        }),
      ),
    ),
  }),
});

const PLANS = 'WorkloadPlans';

interface PlannedWorkload extends WorkloadPlans, Pick<PlannedPlacement, 'consumers'> {
  readonly members: ReturnType<typeof claimOf>['members'];
}

const WorkloadPlansRef = objectType<PlannedWorkload>(PLANS, {
  description: 'The plans of a workload, or the reason why there is none.',
  fields: (t) => ({
    outcome: t.field({
      type: WorkloadOutcome,
      description: 'The result of the first search; of the search for moves if the claim needs any.',
      resolve: ({ failure, room }) => room?.outcome ?? failure?.answer.kind ?? ('FOUND' as const),
    }),
    plans: t.field({
      type: [WorkloadPlan],
      complexity: COUNTED_ABOVE,
      description: 'The plans; fewer than requested if the time did not suffice. Empty unless FOUND.',
      resolve: ({ plans, consumers, held, room }) =>
        plans.map((placement) => ({ placement, consumers, held, room })),
    }),
    quotas: t.field({
      type: [QuotaFitRef],
      complexity: costOfList(5),
      description:
        'Whether the quotas of each project of the input allow the workload. Without a plan, the first request of ' +
        'each member counts.',
      resolve: ({ members, plans: [plan], held }, _args, context) => {
        const amounts = plan
          ? placesOf(plan).map(({ candidate }) => sumsOf(candidate.allocations))
          : members.flatMap(({ consumers, requests }) => consumers.map(() => amountsOf(requests[0])));
        const consumers = members.flatMap((member) => member.consumers);
        return fitsOfWorkload(context, consumers, amounts, held);
      },
    }),
    failure: t.field({
      type: NoCandidates,
      nullable: true,
      description: 'The error that the claim would return now. Null if it fits without moves.',
      resolve: ({ failure }) => failure && asData(failure),
    }),
    totalsBefore: t.field(
      totalsField(
        'The totals of the fleet by resource class, without the consumers of the workload.',
        ({ before }: WorkloadPlans) => ({ snapshot: before }),
      ),
    ),
  }),
});

/** Copies an error to a plain object, because graphql-js throws a field value that is an Error. */
function asData(error: NoCandidates): NoCandidates {
  const { message, member, topologyIndex, topologyAlternativeIndex, shortage } = error;
  return { ...error, message, member, topologyIndex, topologyAlternativeIndex, shortage };
}

type RoomInput = typeof MakeRoomInput.$inferInput;

function roomOf(
  { maxMoves, movable: { consumerTypes, projects, consumers } }: RoomInput,
  { excludedRootTraits }: Context,
): WantedRoom {
  const movable = {
    consumerTypes: consumerTypes ?? null,
    projects: projects ?? null,
    consumers: consumers ?? null,
  };
  return { maxMoves: maxMoves ?? DEFAULT_ROOM_MOVES, movable, excludedRootTraits };
}

function costOfRoom(room: RoomInput | null | undefined, plans: number): number {
  if (room == null) return 0;
  return 1000 + 20 * plans * (room.maxMoves ?? DEFAULT_ROOM_MOVES) + costOfEntries(room.movable);
}

query('planWorkload', {
  type: WorkloadPlansRef,
  description:
    'Plans a claim without claiming. Existing consumers of the input count as released, whatever their ' +
    'generations. Fails with INVALID_INPUT; `makeRoom` with more than 150000 consumers with LIMIT_EXCEEDED.',
  authScopes: readersButWritersWith('makeRoom'),
  args: {
    input: required(ClaimInput, 'The claim.'),
    plans: withDefault(
      'Int',
      1,
      `The number of plans, from 1 to ${MAX_PLANS}, each with its own seed. Defaults to 1.`,
    ),
    seed: optional(
      'Int',
      'The seed of the first plan. Defaults to the first seed of all requests, or a random one.',
    ),
    makeRoom: optional(
      MakeRoomInput,
      'Which other consumers may move if the claim does not fit. Requires the role admin or service. Null: none.',
    ),
    whatIf: WHAT_IF,
  },
  extensions: SIZES_LISTS,
  complexity: ({ input, plans, makeRoom, whatIf }) => ({
    field:
      plans * (100 + 20 * consumersIn(input)) +
      costOfClaim(input) +
      costOfRoom(makeRoom, plans) +
      costOfWhatIf(whatIf),
    multiplier: plans,
  }),
  resolve: async (_root, { input, plans, seed, makeRoom, whatIf }, given, info) => {
    const context = contextWith(given, whatIf);
    const { operation } = context;
    const claim = claimOf(input, context);
    await checkExpiriesOf(input, context);
    const areSelected = selects(info, PLANS, 'plans');
    const seeded = { ...claim, seed: seed ?? claim.seed, operation };
    const wanted = makeRoom == null ? null : roomOf(makeRoom, context);
    const found = await withLimit(planClaim(context, seeded, { plans, areSelected, makeRoom: wanted }));
    const consumers = input.members.flatMap((member) => member.consumers.map(({ consumer }) => consumer));
    return { ...found, consumers, members: claim.members };
  },
});
