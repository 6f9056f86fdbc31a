import { claim, type Claimed, type ClaimedWorkload } from '../../moves/claim/claim.js';
import { objectType } from '../builder.js';
import { AllocationRequest } from '../candidates/candidates.js';
import './claimErrors.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { idsOf, mutation } from '../mutation.js';
import { Consumer } from '../refs.js';
import { ClaimInput, consumersIn, costOfClaim, claimOf } from './claimInput.js';
import { RulePlacement, rulesOf } from './rulePlacement.js';
import { MemberPlacement, membersOf, OPTIMAL, placesOf } from './workloadFields.js';

interface ClaimOfMember extends Claimed {
  readonly member: string;
  /** The position of the request that the candidate meets. */
  readonly requestIndex: number;
}

const Claim = objectType<ClaimOfMember>('Claim', {
  description: 'The claim of one consumer.',
  fields: (t) => ({
    member: t.exposeString('member', { description: 'The name of its member.' }),
    requestIndex: t.exposeInt('requestIndex', {
      description: 'The position of the claimed request in the member, from 0.',
    }),
    consumer: t.field({
      type: Consumer,
      description: 'The consumer after the claim.',
      resolve: ({ consumer }, _args, { loaders }) => loaders.consumers.prime(consumer),
    }),
    allocationRequest: t.field({
      type: AllocationRequest,
      description: 'The claimed candidate, as chosen. Its providers have the state after the claim.',
      resolve: ({ candidate }) => ({ ...candidate, isClaimed: true }),
    }),
    keptAs: t.field({
      type: Consumer,
      nullable: true,
      description:
        'The consumer that took over the former allocations; null without `keepOldAs`, or if the new ones use all of them.',
      resolve: ({ keptAs }, _args, { loaders }) => keptAs && loaders.consumers.prime(keptAs),
    }),
  }),
});

const ClaimPayload = objectType<ClaimedWorkload>('ClaimPayload', {
  description: 'The result of claim.',
  fields: (t) => ({
    claims: t.field({
      type: [Claim],
      complexity: COUNTED_ABOVE,
      description: 'The claim of each consumer, in the order of the input.',
      resolve: ({ placement, claims }) => {
        const places = placesOf(placement);
        return claims.map((each, at) => ({ ...places[at], ...each }));
      },
    }),
    members: t.field({
      type: [MemberPlacement],
      complexity: COUNTED_ABOVE,
      description: 'The chosen request of each member, in the order of the input.',
      resolve: ({ placement }) => membersOf(placement),
    }),
    topology: t.field({
      type: [RulePlacement],
      description: 'The used domains of each topology rule, in the order of the input.',
      resolve: ({ placement }) => rulesOf(placement, true),
    }),
    optimal: t.boolean({
      description: OPTIMAL,
      resolve: ({ placement }) => placement.isOptimal,
    }),
  }),
});

mutation('claim', {
  payload: ClaimPayload,
  description:
    'Places a workload and claims it atomically, for all consumers or none. After a write conflict, the server ' +
    'searches again. Fails with NO_CANDIDATES if the workload does not fit or the time does not suffice.',
  input: [ClaimInput, 'The resources to claim and the consumers to claim for.'],
  cost: (input) => 20 * consumersIn(input) + costOfClaim(input),
  listLength: consumersIn,
  errors: ['INVALID_INPUT', 'CONSUMER_GENERATION_CONFLICT', 'NO_CANDIDATES'],
  resolve: (input, context) => claim(context, { ...claimOf(input, context), operation: context.operation }),
  written: ({ claims }) =>
    idsOf(
      Consumer,
      claims.flatMap(({ consumer, keptAs }) => (keptAs ? [consumer.uuid, keptAs.uuid] : [consumer.uuid])),
    ),
});
