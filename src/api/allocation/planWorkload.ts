import { allocationsOf } from '../../search/anchor.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import { allocationsIn, isSame } from '../../moves/heldConsumers.js';
import { traitsLost } from '../../moves/lostTraits.js';
import { NoCandidates } from '../../moves/claim/noCandidates.js';
import { MAX_PLANS, planClaim, type WorkloadPlans } from '../../moves/claim/workloadPlan.js';
import { snapshotAfter, type WorkloadPlacement } from '../../moves/claim/workloadPlacement.js';
import { objectType, query } from '../builder.js';
import { optional, required, withDefault } from '../inputFields.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { costOfList, COUNTED_ABOVE, SIZES_LISTS } from '../cost/operationCost.js';
import { totalsField } from '../fleet/fleetTotals.js';
import { contextWith, costOfWhatIf, WHAT_IF } from '../candidates/candidateRequest.js';
import { selects } from '../selection.js';
import { traitsLostField } from '../sharedFields.js';
import { WorkloadOutcome } from './claimErrors.js';
import { ClaimInput, claimOf, consumersIn, costOfClaim, RulePlacement, rulesOf } from './claim.js';
import { MemberPlacement, membersOf, OPTIMAL, placesOf } from './workloadFields.js';

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

interface PlannedPlacement {
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
    optimal: t.boolean({ description: OPTIMAL, resolve: ({ placement }) => placement.isOptimal }),
    movedCount: t.int({
      description: 'The number of existing consumers whose allocations would change.',
      resolve: ({ placement, consumers, held }) => movedIn(placement, consumers, held),
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
      description: 'The used domains of each topology rule, in the order of the input.',
      resolve: ({ placement }) => rulesOf(placement),
    }),
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

const WorkloadPlansRef = objectType<WorkloadPlans & Pick<PlannedPlacement, 'consumers'>>(PLANS, {
  description: 'The plans of a workload, or the reason why there is none.',
  fields: (t) => ({
    outcome: t.field({
      type: WorkloadOutcome,
      description: 'The result of the first search.',
      resolve: ({ failure }) => failure?.answer.kind ?? ('FOUND' as const),
    }),
    plans: t.field({
      type: [WorkloadPlan],
      complexity: COUNTED_ABOVE,
      description: 'The plans; fewer than requested if the time did not suffice. Empty unless FOUND.',
      resolve: ({ plans, consumers, held }) => plans.map((placement) => ({ placement, consumers, held })),
    }),
    failure: t.field({
      type: NoCandidates,
      nullable: true,
      description: 'The error that the claim would return. Null if FOUND.',
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
  const { message, member, topologyIndex, shortage } = error;
  return { ...error, message, member, topologyIndex, shortage };
}

query('planWorkload', {
  type: WorkloadPlansRef,
  description:
    'Plans a claim without claiming. Existing consumers of the input count as released, whatever their ' +
    'generations. Fails with INVALID_INPUT.',
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
    whatIf: WHAT_IF,
  },
  extensions: SIZES_LISTS,
  complexity: ({ input, plans, whatIf }) => ({
    field: plans * (100 + 20 * consumersIn(input)) + costOfClaim(input) + costOfWhatIf(whatIf),
    multiplier: plans,
  }),
  resolve: async (_root, { input, plans, seed, whatIf }, given, info) => {
    const context = contextWith(given, whatIf);
    const { operation } = context;
    const claim = claimOf(input, context);
    const areSelected = selects(info, PLANS, 'plans');
    const seeded = { ...claim, seed: seed ?? claim.seed, operation };
    const found = await planClaim(context, seeded, { plans, areSelected });
    const consumers = input.members.flatMap((member) => member.consumers.map(({ consumer }) => consumer));
    return { ...found, consumers };
  },
});
