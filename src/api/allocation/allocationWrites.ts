import { encodeGlobalID } from '@pothos/plugin-relay';
import { deleteConsumer, setAllocations } from '../../store/ledger/allocation/claimQueue.js';
import { unsetAllocations } from '../../store/ledger/allocation/unsetAllocations.js';
import { builder, objectType } from '../builder.js';
import type { ConsumerEntity } from '../../model/entities.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { deletedPayload, idsOf, mutation } from '../mutation.js';
import { optional, optionalList, required } from '../inputFields.js';
import { Consumer, ProviderRef } from '../refs.js';
import {
  CONSUMER_UUID,
  ConsumerAllocationsInput,
  DELETED_CONSUMER_IDS,
  releasedBy,
  withAllocations,
} from './allocationsInput.js';

const SetAllocationsInput = builder.inputType('SetAllocationsInput', {
  description: 'The consumers to change, all or none.',
  fields: () => ({
    consumers: required([ConsumerAllocationsInput], 'The consumers, at least one, each once.'),
  }),
});

const DeleteConsumerInput = builder.inputType('DeleteConsumerInput', {
  description: 'The consumer to delete.',
  fields: () => ({ consumer: CONSUMER_UUID }),
});

const UnsetAllocationsInput = builder.inputType('UnsetAllocationsInput', {
  description: 'The allocations to remove, by providers, classes or both.',
  fields: () => ({
    consumer: CONSUMER_UUID,
    generation: optional(
      'Int',
      'The generation read before. If stale: CONSUMER_GENERATION_CONFLICT. Null: not checked.',
    ),
    resourceProviders: optionalList(
      ProviderRef,
      'The providers, each once. Defaults to all, with `resourceClasses`.',
    ),
    resourceClasses: optionalList(
      'String',
      'The class names, each once. Defaults to all, with `resourceProviders`.',
    ),
  }),
});

const UnsetAllocationsPayload = objectType<{ uuid: string }>('UnsetAllocationsPayload', {
  description: 'The result of unsetAllocations.',
  fields: (t) => ({
    consumer: t.field({
      type: Consumer,
      nullable: true,
      description: 'The consumer after the change. Null if it has no allocations left.',
      resolve: ({ uuid }, _args, { loaders }) => loaders.consumers.byUuid(uuid),
    }),
    deletedConsumerId: t.id({
      nullable: true,
      description: 'Its former global id, for client caches. Null if it has allocations left.',
      resolve: async ({ uuid }, _args, { loaders }) =>
        (await loaders.consumers.byUuid(uuid)) === null ? encodeGlobalID(Consumer.name, uuid) : null,
    }),
  }),
});

interface SetAllocationsResult {
  readonly consumers: readonly ConsumerEntity[];
  readonly released: readonly string[];
}

const SetAllocationsPayload = objectType<SetAllocationsResult>('SetAllocationsPayload', {
  description: 'The result of setAllocations.',
  fields: (t) => ({
    consumers: t.field({
      type: [Consumer],
      complexity: COUNTED_ABOVE,
      description: 'The consumers that still exist, in the order of the input.',
      resolve: ({ consumers }, _args, { loaders }) => consumers.map((each) => loaders.consumers.prime(each)),
    }),
    deletedConsumerIds: t.field(DELETED_CONSUMER_IDS),
  }),
});

/** Returns the global ids of the consumers of an input. */
export function consumerIds(consumers: readonly { readonly consumer: string }[]): string[] {
  return idsOf(
    Consumer,
    consumers.map(({ consumer }) => consumer),
  );
}

mutation('setAllocations', {
  payload: SetAllocationsPayload,
  description:
    'Replaces the allocations of consumers, all or none: claims, moves, swaps, releases. Their ' +
    'current allocations count as free. The server retries write conflicts on providers.',
  input: [SetAllocationsInput, 'The consumers.'],
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'NOT_FOUND',
    'CONSUMER_GENERATION_CONFLICT',
    'NO_INVENTORY',
    'UNIT_VIOLATION',
    'CAPACITY_EXCEEDED',
    'QUOTA_EXCEEDED',
  ],
  resolve: async (input, context) => {
    const wanted = await withAllocations(input.consumers, 'consumers', context);
    const consumers = await setAllocations(context.claims, { consumers: wanted });
    return { consumers, released: releasedBy(wanted) };
  },
  written: (_payload, { consumers }) => consumerIds(consumers),
});

mutation('unsetAllocations', {
  payload: UnsetAllocationsPayload,
  description:
    'Removes some allocations of a consumer, and the consumer with the last. Fails with NOT_FOUND if ' +
    'it has none.',
  input: [UnsetAllocationsInput, 'The allocations to remove.'],
  errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONSUMER_GENERATION_CONFLICT'],
  resolve: async (input, context) => {
    await unsetAllocations(context.ledger, input);
    return { uuid: input.consumer };
  },
  written: (_payload, input) => consumerIds([input]),
});

mutation('deleteConsumer', {
  payload: deletedPayload(Consumer, 'uuid', 'The consumer was deleted.'),
  description:
    'Deletes a consumer with all its allocations. To check the generation, use setAllocations with none.',
  input: [DeleteConsumerInput, 'The consumer.'],
  errors: ['NOT_FOUND'],
  resolve: async (input, { claims }) => {
    await deleteConsumer(claims, input);
    return { uuid: input.consumer };
  },
  written: (_payload, input) => consumerIds([input]),
});
