import { InvalidInput } from '../../domain/invalidInput.js';
import { claim, type Claimed, type ClaimedWorkload } from '../../placement/claim.js';
import { NoCandidates } from '../../placement/noCandidates.js';
import { ConcurrentUpdate, ConsumerGenerationConflict } from '../../ledger/errors.js';
import '../errors.js';
import { builder } from '../builder.js';
import { AllocationRequest } from '../candidates/candidates.js';
import './claimErrors.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { mutation, resetLoaders } from '../mutation.js';
import { Consumer } from '../refs.js';
import { ClaimInput, claimOf, consumersIn } from './claimInput.js';
import { MemberPlacement, membersOf, OPTIMAL } from './workloadFields.js';

interface ClaimOfMember extends Claimed {
  readonly member: string;
  /** The position of the request that the candidate meets. */
  readonly requestIndex: number;
}

const Claim = builder.objectRef<ClaimOfMember>('Claim').implement({
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
    allocationRequest: t.expose('candidate', {
      type: AllocationRequest,
      description: 'The claimed candidate. Its providers have the generations before the claim.',
    }),
    keptAs: t.field({
      type: Consumer,
      nullable: true,
      description: 'The consumer that took over the former allocations; null without `keepOldAs`.',
      resolve: ({ keptAs }, _args, { loaders }) => keptAs && loaders.consumers.prime(keptAs),
    }),
  }),
});

const ClaimPayload = builder.objectRef<ClaimedWorkload>('ClaimPayload').implement({
  description: 'The result of claim.',
  fields: (t) => ({
    claims: t.field({
      type: [Claim],
      complexity: COUNTED_ABOVE,
      description: 'The claim of each consumer, in the order of the input.',
      resolve: claimsOf,
    }),
    members: t.field({
      type: [MemberPlacement],
      complexity: COUNTED_ABOVE,
      description: 'The chosen request of each member, in the order of the input.',
      resolve: ({ placement }) => membersOf(placement),
    }),
    optimal: t.boolean({
      description: OPTIMAL,
      resolve: ({ placement }) => placement.isOptimal,
    }),
  }),
});

function claimsOf({ placement: { workload, members }, claims }: ClaimedWorkload): ClaimOfMember[] {
  const places = members.flatMap(({ alternative, candidates }, at) =>
    candidates.map(() => ({ member: workload.members[at].name, requestIndex: alternative })),
  );
  return claims.map((each, at) => ({ ...each, ...places[at] }));
}

mutation('claim', {
  payload: ClaimPayload,
  description:
    'Places a workload and claims it atomically, for all consumers or none. After a write conflict, the server ' +
    'searches again. Fails with NO_CANDIDATES if the workload does not fit or the time does not suffice.',
  input: [ClaimInput, 'The resources to claim and the consumers to claim for.'],
  cost: (input) => 20 * consumersIn(input),
  listLength: consumersIn,
  errors: [InvalidInput, ConsumerGenerationConflict, NoCandidates, ConcurrentUpdate],
  resolve: async (input, context) => {
    const claimed = await claim(context, { ...claimOf(input), operation: context.operation });
    resetLoaders(context);
    return claimed;
  },
});
