import { ensure, InvalidInput } from '../../domain/invalidInput.js';
import { claim, type Claimed } from '../../placement/claim.js';
import { NoCandidates } from '../../placement/noCandidates.js';
import { ConcurrentUpdate, ConsumerGenerationConflict } from '../../ledger/errors.js';
import './allocationErrors.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { AllocationRequest } from '../candidates/candidates.js';
import './claimErrors.js';
import { COUNTED_ABOVE, entriesIn } from '../cost/fieldCost.js';
import { mutation, resetLoaders } from '../mutation.js';
import { Consumer } from '../refs.js';
import { CONSUMER_DESCRIPTIONS } from './allocationsInput.js';

const ClaimPlacement = builder.enumType('ClaimPlacement', {
  description:
    'How the consumers of a claim may be placed relative to each other. Sharing providers do not count.',
  values: {
    ANY: { description: 'In any trees.' },
    SAME_TREE: { description: 'All in one tree.' },
    DISTINCT_TREES: { description: 'Each in another tree.' },
  } as const,
});

const KeepOldAsInput = builder.inputType('KeepOldAsInput', {
  description:
    'A new consumer that takes over the former allocations of another, in the same transaction. It has the same project and user.',
  fields: (t) => ({
    consumer: t.field({
      type: 'UUID',
      required: true,
      description: 'The uuid of the new consumer. If it exists, fails with CONSUMER_GENERATION_CONFLICT.',
    }),
    type: t.string({ description: 'The type: 1 to 255 of A-Z, 0-9 and _. Null: none.' }),
  }),
});

const ClaimConsumerInput = builder.inputType('ClaimConsumerInput', {
  description: 'A consumer to claim for.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: CONSUMER_DESCRIPTIONS.consumer }),
    generation: t.int({
      description:
        'The generation of an existing consumer: the claim replaces all its allocations, which the search treats as free. Null: ' +
        'the consumer must not exist. Else fails with CONSUMER_GENERATION_CONFLICT.',
    }),
    type: t.string({ description: CONSUMER_DESCRIPTIONS.type }),
    projectId: t.string({ required: true, description: CONSUMER_DESCRIPTIONS.projectId }),
    userId: t.string({ required: true, description: CONSUMER_DESCRIPTIONS.userId }),
    keepOldAs: t.field({
      type: KeepOldAsInput,
      description:
        'Keeps the former allocations under a new consumer, as for a live migration. Null releases them.',
    }),
  }),
});

const ClaimMemberInput = builder.inputType('ClaimMemberInput', {
  description: 'Consumers that each receive a candidate of the same request.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'The name of the member: 1 to 64 of A-Z, a-z, 0-9, _ and -.',
    }),
    consumers: t.field({
      type: [ClaimConsumerInput],
      required: true,
      description: 'The consumers to claim for, at least one, at most 1000, each once.',
    }),
    requests: t.field({
      type: [AllocationCandidatesInput],
      required: true,
      description:
        'The request of each consumer. Without a seed, concurrent claims choose differently. More than one request fails with ' +
        'INVALID_INPUT.',
    }),
    placement: t.field({
      type: ClaimPlacement,
      required: true,
      defaultValue: 'ANY',
      description: 'How the consumers may be placed relative to each other. Defaults to ANY.',
    }),
  }),
});

const ClaimInput = builder.inputType('ClaimInput', {
  description: 'The resources to claim and the consumers to claim for.',
  fields: (t) => ({
    members: t.field({
      type: [ClaimMemberInput],
      required: true,
      description: 'The members of the claim. More than one fails with INVALID_INPUT.',
    }),
  }),
});

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

const ClaimPayload = builder
  .objectRef<{ readonly claims: readonly ClaimOfMember[] }>('ClaimPayload')
  .implement({
    description: 'The result of claim.',
    fields: (t) => ({
      claims: t.expose('claims', {
        type: [Claim],
        complexity: COUNTED_ABOVE,
        description: 'The claim of each consumer, in the order of the input.',
      }),
    }),
  });

mutation('claim', {
  payload: ClaimPayload,
  description:
    'Finds candidates and claims them atomically, for all consumers or none. After a write conflict the server searches again. ' +
    'Fails with NO_CANDIDATES if nothing fits.',
  input: [ClaimInput, 'The resources to claim and the consumers to claim for.'],
  cost: ({ members }) => 20 * entriesIn(members.map(({ consumers }) => consumers)),
  errors: [InvalidInput, ConsumerGenerationConflict, NoCandidates, ConcurrentUpdate],
  resolve: async ({ members }, context) => {
    const { name, consumers, request, placement } = onlyMember(members);
    const claims = await claim(context, {
      request: requestOf(request),
      consumers,
      policy: placement,
      seed: request.seed ?? null,
      operation: context.operation,
    }).catch((error: unknown) => {
      throw error instanceof InvalidInput ? error.within(['members', '0']) : error;
    });
    resetLoaders(context);
    return { claims: claims.map((each) => ({ ...each, member: name, requestIndex: 0 })) };
  },
});

type Member = typeof ClaimMemberInput.$inferInput;

const MEMBER_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function onlyMember(members: readonly Member[]): Member & { request: Member['requests'][number] } {
  const path = ['members', '0', 'requests'];
  ensure(members.length > 0, ['members'], 'name at least one member');
  ensure(members.length < 2, ['members', '1'], 'this version claims for one member at a time');
  const [member] = members;
  const message = `member ${JSON.stringify(member.name.slice(0, 64))} is not 1 to 64 of A-Z, a-z, 0-9, _ and -`;
  ensure(MEMBER_NAME.test(member.name), ['members', '0', 'name'], message);
  ensure(member.requests.length > 0, path, 'name at least one request');
  ensure(member.requests.length < 2, [...path, '1'], 'this version takes one request for each member');
  return { ...member, request: member.requests[0] };
}
