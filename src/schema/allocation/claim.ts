import { InvalidInput } from '../../domain/invalidInput.js';
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

const ClaimPlacement = builder.enumType('ClaimPlacement', {
  description:
    'Where the consumers of a claim may lie to each other. What counts is the anchor tree of each: the one that the ' +
    'providers which are not sharing ones belong to.',
  values: {
    ANY: { description: 'Anywhere.' },
    SAME_TREE: { description: 'All of them in one tree.' },
    DISTINCT_TREES: { description: 'Each in a tree of its own.' },
  } as const,
});

const KeepOldAsInput = builder.inputType('KeepOldAsInput', {
  description:
    'A new consumer that takes over, in the same transaction, what another has had so far: it stays in use until this one ' +
    'is released. It belongs to the same project and user.',
  fields: (t) => ({
    consumer: t.field({
      type: 'UUID',
      required: true,
      description: 'The uuid of the new consumer. One that exists already is CONSUMER_GENERATION_CONFLICT.',
    }),
    consumerType: t.string({
      description: 'What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null: none.',
    }),
  }),
});

const ClaimConsumerInput = builder.inputType('ClaimConsumerInput', {
  description:
    'A consumer to be; or one that exists, with its generation: then all that it has is replaced by what is found.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: 'The uuid of the consumer.' }),
    consumerGeneration: t.int({
      description:
        'The generation of a consumer that exists: what is found takes the place of all that it has, wherever that is, and ' +
        'the search goes as if it had let go of that, so that it may stay, grow or shrink where it is. Null, or nothing ' +
        'said: the consumer must not exist yet. Anything else stored is CONSUMER_GENERATION_CONFLICT.',
    }),
    keepOldAs: t.field({
      type: KeepOldAsInput,
      description:
        'Keeps what an existing consumer has in use under another, new one, as for a live migration; the search then ' +
        'counts it as used. Null: the consumer lets go of it.',
    }),
    consumerType: t.string({
      description:
        'What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null keeps the type of one that exists; a new one then ' +
        'has none.',
    }),
    projectId: t.string({
      required: true,
      description: 'The project that it belongs to: any text of 1 to 255 characters, no space at its end.',
    }),
    userId: t.string({
      required: true,
      description: 'The user that it belongs to: any text of 1 to 255 characters, no space at its end.',
    }),
  }),
});

const ClaimInput = builder.inputType('ClaimInput', {
  description: 'What to look for, and for whom.',
  fields: (t) => ({
    request: t.field({
      type: AllocationCandidatesInput,
      required: true,
      description:
        'What each of the consumers is to get. With a seed the choice can be repeated: the same state gives the same ' +
        'choice. Without one, claims that are made at the same time choose differently.',
    }),
    consumers: t.field({
      type: [ClaimConsumerInput],
      required: true,
      description: 'Who is to get it: at least one, at most 1000, each once.',
    }),
    placement: t.field({
      type: ClaimPlacement,
      required: true,
      defaultValue: 'ANY',
      description: 'Where the consumers may lie to each other.',
    }),
  }),
});

const Claim = builder.objectRef<Claimed>('Claim').implement({
  description: 'What one consumer has got.',
  fields: (t) => ({
    consumer: t.field({
      type: Consumer,
      description: 'The consumer, as the claim has left it.',
      resolve: ({ consumer }, _args, { loaders }) => loaders.consumers.prime(consumer),
    }),
    keptAs: t.field({
      type: Consumer,
      nullable: true,
      description: 'The new consumer that has taken over what this one had; null where nobody has.',
      resolve: ({ keptAs }, _args, { loaders }) => keptAs && loaders.consumers.prime(keptAs),
    }),
    allocationRequest: t.expose('candidate', {
      type: AllocationRequest,
      description:
        'What was claimed for it, and which providers serve which group. The generations in it are those before the claim.',
    }),
  }),
});

const ClaimPayload = builder.objectRef<{ readonly claims: readonly Claimed[] }>('ClaimPayload').implement({
  description: 'All of the consumers have got what was asked for.',
  fields: (t) => ({
    claims: t.expose('claims', {
      type: [Claim],
      complexity: COUNTED_ABOVE,
      description: 'What each consumer has got, in the order of the input.',
    }),
  }),
});

mutation('claim', {
  payload: ClaimPayload,
  description:
    'Looks for candidates and claims them in one step, for all of the consumers or for none. When a concurrent writer was faster the ' +
    'server looks again, at what is free then, so that a claim for one consumer is NO_CANDIDATES only when nothing fits. ' +
    'A consumer that exists is moved or resized by giving its generation. ' +
    'Several consumers are placed together, with a limit to how many ways are tried. A search that takes longer than ' +
    'it may ends with the error code TIMEOUT, and nothing is claimed.',
  input: [ClaimInput, 'What to look for, and for whom.'],
  cost: ({ consumers }) => 20 * entriesIn([consumers]),
  errors: [InvalidInput, ConsumerGenerationConflict, NoCandidates, ConcurrentUpdate],
  resolve: async (input, context) => {
    const claims = await claim(context, {
      request: requestOf(input.request),
      consumers: input.consumers,
      policy: input.placement,
      seed: input.request.seed ?? null,
      operation: context.operation,
    });
    resetLoaders(context);
    return { claims };
  },
});
