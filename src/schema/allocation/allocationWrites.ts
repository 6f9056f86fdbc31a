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
import '../errors.js';
import { builder } from '../builder.js';
import type { ConsumerEntity } from '../../reads/entities.js';
import { COUNTED_ABOVE } from '../cost/fieldCost.js';
import { deletedPayload, mutation, resetLoaders } from '../mutation.js';
import { optionalList } from '../inputFields.js';
import { Consumer, ProviderRef } from '../refs.js';
import { ConsumerAllocationsInput, withAllocations } from './allocationsInput.js';

const SetAllocationsInput = builder.inputType('SetAllocationsInput', {
  description: 'The consumers to change, all or none.',
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
  description: 'The allocations to remove, by providers, classes or both.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: 'The uuid of the consumer.' }),
    generation: t.int({
      description: 'The generation read before. If stale: CONSUMER_GENERATION_CONFLICT. Null: not checked.',
    }),
    resourceProviders: optionalList(
      t,
      ProviderRef,
      'The providers, each once. Defaults to all, with `resourceClasses`.',
    ),
    resourceClasses: optionalList(
      t,
      'String',
      'The class names, each once. Defaults to all, with `resourceProviders`.',
    ),
  }),
});

const UnsetAllocationsPayload = builder
  .objectRef<{ readonly consumer: ConsumerEntity | null }>('UnsetAllocationsPayload')
  .implement({
    description: 'The result of unsetAllocations.',
    fields: (t) => ({
      consumer: t.expose('consumer', {
        type: Consumer,
        nullable: true,
        description: 'The consumer after the change. Null if it has no allocations left.',
      }),
    }),
  });

const SetAllocationsPayload = builder
  .objectRef<{ readonly consumers: readonly ConsumerEntity[] }>('SetAllocationsPayload')
  .implement({
    description: 'The result of setAllocations.',
    fields: (t) => ({
      consumers: t.field({
        type: [Consumer],
        complexity: COUNTED_ABOVE,
        description: 'The consumers that still exist, in the order of the input.',
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
    'Replaces the allocations of consumers, all or none: claims, moves, swaps, releases. Their ' +
    'current allocations count as free. The server retries write conflicts on providers.',
  input: [SetAllocationsInput, 'The consumers.'],
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
    const wanted = await withAllocations(input.consumers, 'consumers', context);
    const consumers = await setAllocations(context.claims, { consumers: wanted });
    resetLoaders(context);
    return { consumers };
  },
});

mutation('unsetAllocations', {
  payload: UnsetAllocationsPayload,
  description:
    'Removes some allocations of a consumer, and the consumer with the last. Fails with NOT_FOUND if ' +
    'it has none.',
  input: [UnsetAllocationsInput, 'The allocations to remove.'],
  errors: [InvalidInput, NotFound, ConsumerGenerationConflict, ConcurrentUpdate],
  resolve: async (input, context) => {
    await unsetAllocations(context.ledger, input);
    resetLoaders(context);
    const consumer = await context.loaders.consumers.byUuid(input.consumer).catch((error: unknown) => {
      // the original error would imply that nothing was changed
      throw new OutcomeUnknown(error, 'the write has taken place, but the consumer could not be read');
    });
    return { consumer };
  },
});

mutation('deleteConsumer', {
  payload: DeleteConsumerPayload,
  description:
    'Deletes a consumer with all its allocations. To check the generation, use setAllocations with none.',
  input: [DeleteConsumerInput, 'The consumer.'],
  errors: [NotFound, ConcurrentUpdate],
  resolve: async (input, context) => {
    await deleteConsumer(context.claims, input);
    resetLoaders(context);
    return { uuid: input.consumer };
  },
});
