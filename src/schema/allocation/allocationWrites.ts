import { InvalidInput } from '../../domain/invalidInput.js';
import { deleteConsumer, setAllocations } from '../../ledger/allocation/allocations.js';
import { unsetAllocations } from '../../ledger/allocation/unsetAllocations.js';
import { OutcomeUnknown } from '../../ledger/transaction.js';
import {
  CapacityExceeded,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  NotFound,
  NoInventory,
  UnitViolation,
} from '../../ledger/errors.js';
import './allocationErrors.js';
import { builder } from '../builder.js';
import type { ConsumerEntity } from '../../reads/entities.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { deletedPayload, mutation, resetLoaders } from '../mutation.js';
import { optionalList } from '../inputFields.js';
import { Consumer, ProviderRef } from '../refs.js';
import { ResourceAmountInput } from './resourceAmount.js';

const ProviderAllocationInput = builder.inputType('ProviderAllocationInput', {
  description:
    'Resources to allocate from one provider, in the form of an allocation of an allocation request.',
  fields: (t) => ({
    resourceProvider: t.field({ type: ProviderRef, required: true, description: 'The provider.' }),
    resources: t.field({
      type: [ResourceAmountInput],
      required: true,
      description: 'The amounts, at least one, each class once.',
    }),
  }),
});

export const ConsumerAllocationsInput = builder.inputType('ConsumerAllocationsInput', {
  description: 'A consumer as it shall be, with all that it shall have.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: 'The uuid of the consumer.' }),
    consumerGeneration: t.int({
      description:
        'The generation of the consumer on which the change is based. Null, or nothing said: the consumer must not ' +
        'exist yet. Anything else stored is CONSUMER_GENERATION_CONFLICT.',
    }),
    consumerType: t.string({
      description:
        'What kind of consumer it is: 1 to 255 of A-Z, 0-9 and _. Null keeps the type that it has; a new consumer then ' +
        'has none.',
    }),
    projectId: t.string({
      required: true,
      description:
        'The project that it belongs to from now on: any text of 1 to 255 characters, no space at its end.',
    }),
    userId: t.string({
      required: true,
      description:
        'The user that it belongs to from now on: any text of 1 to 255 characters, no space at its end.',
    }),
    allocations: t.field({
      type: [ProviderAllocationInput],
      required: true,
      description:
        'All that it shall have, each provider once, in place of all that it has; [] takes everything from it, and it ' +
        'ceases to exist.',
    }),
  }),
});

const SetAllocationsInput = builder.inputType('SetAllocationsInput', {
  description: 'The consumers to change, together or not at all.',
  fields: (t) => ({
    consumers: t.field({
      type: [ConsumerAllocationsInput],
      required: true,
      description: 'The consumers, at least one, each once.',
    }),
  }),
});

const DeleteConsumerInput = builder.inputType('DeleteConsumerInput', {
  description: 'The consumer to delete.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: 'The uuid of the consumer.' }),
  }),
});

const UnsetAllocationsInput = builder.inputType('UnsetAllocationsInput', {
  description:
    'What to take from a consumer: what it has of these providers, of these classes, or, where both are named, of these classes of ' +
    'these providers. At least one of either must be named.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: 'The uuid of the consumer.' }),
    consumerGeneration: t.int({
      description:
        'The generation of the consumer on which the change is based; any other one stored is CONSUMER_GENERATION_CONFLICT. Not ' +
        'checked when nothing is said.',
    }),
    resourceProviders: optionalList(
      t,
      ProviderRef,
      'The providers, each once. Defaults to all providers if resourceClasses is not empty.',
    ),
    resourceClasses: optionalList(
      t,
      'String',
      'The names of resource classes, each once. Defaults to all classes if resourceProviders is not empty.',
    ),
  }),
});

const UnsetAllocationsPayload = builder
  .objectRef<{ readonly consumer: ConsumerEntity | null }>('UnsetAllocationsPayload')
  .implement({
    description: 'The consumer has nothing any more of what was named.',
    fields: (t) => ({
      consumer: t.expose('consumer', {
        type: Consumer,
        nullable: true,
        description:
          'The consumer as it is after the change; null where it has nothing left, and so has ceased to exist.',
      }),
    }),
  });

const SetAllocationsPayload = builder
  .objectRef<{ readonly consumers: readonly ConsumerEntity[] }>('SetAllocationsPayload')
  .implement({
    description: 'The consumers have what was asked for.',
    fields: (t) => ({
      consumers: t.field({
        type: [Consumer],
        complexity: COUNTED_ABOVE,
        description:
          'Those of the consumers that still exist, as they are after the change, in the order of the input.',
        resolve: ({ consumers }, _args, { loaders }) =>
          consumers.map((each) => loaders.consumers.prime(each)),
      }),
    }),
  });

const DeleteConsumerPayload = deletedPayload(Consumer, 'uuid', {
  name: 'DeleteConsumerPayload',
  description: 'The consumer was deleted.',
});

mutation('setAllocations', {
  payload: SetAllocationsPayload,
  description:
    'Gives consumers their whole new sets of allocations, all of them or none: claims, moves, swaps and releases. ' +
    'What is asked for is checked as if the consumers had let go of what they have, so that a swap or a move needs no ' +
    'spare room. Only inventories matter: nothing checks that the providers belong together. A provider that is over ' +
    'capacity may be left as it is, or better, but not worse. The generation of each provider whose use changes ' +
    'grows by 1, and so does that of each consumer that changes; the server resolves write conflicts on providers by itself.',
  input: [SetAllocationsInput, 'Who shall have what.'],
  errors: [
    InvalidInput,
    NotFound,
    ConsumerGenerationConflict,
    NoInventory,
    UnitViolation,
    CapacityExceeded,
    ConcurrentUpdate,
  ],
  resolve: async (input, context) => {
    const consumers = await setAllocations(context.claims, input);
    resetLoaders(context);
    return { consumers };
  },
});

mutation('deleteConsumer', {
  payload: DeleteConsumerPayload,
  description:
    'Deletes a consumer with all its allocations, whatever its generation. setAllocations with no allocations does ' +
    'the same and checks the generation.',
  input: [DeleteConsumerInput, 'The consumer.'],
  errors: [NotFound, ConcurrentUpdate],
  resolve: async (input, context) => {
    await deleteConsumer(context.claims, input);
    resetLoaders(context);
    return { uuid: input.consumer };
  },
});

mutation('unsetAllocations', {
  payload: UnsetAllocationsPayload,
  description:
    'Takes from a consumer what it has of some providers or resource classes; the rest stays as it is, and is not checked again. What ' +
    'it has not got changes nothing. A consumer that has nothing left ceases to exist; one that has nothing is NOT_FOUND. The ' +
    'generation of each provider of which something is taken away grows by 1, and so does that of the consumer.',
  input: [UnsetAllocationsInput, 'What to take away.'],
  errors: [InvalidInput, NotFound, ConsumerGenerationConflict, ConcurrentUpdate],
  resolve: async (input, context) => {
    await unsetAllocations(context.ledger, input);
    resetLoaders(context);
    const consumer = await context.loaders.consumers.byUuid(input.consumer).catch((error: unknown) => {
      // the reason why it cannot be read would say that nothing was changed
      throw new OutcomeUnknown(error, 'the write has taken place, but the consumer could not be read');
    });
    return { consumer };
  },
});
