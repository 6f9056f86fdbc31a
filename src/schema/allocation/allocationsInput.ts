import type { ConsumerAllocationsInput as Consumer } from '../../ledger/allocation/allocationInput.js';
import { allocationsOfToken } from '../../placement/claimToken.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { ProviderRef } from '../refs.js';
import { ResourceAmountInput } from './resourceAmount.js';

const ProviderAllocationInput = builder.inputType('ProviderAllocationInput', {
  description: 'Resources to allocate from one provider.',
  fields: (t) => ({
    resourceProvider: t.field({ type: ProviderRef, required: true, description: 'The provider.' }),
    resources: t.field({
      type: [ResourceAmountInput],
      required: true,
      description: 'The amounts, at least one, each class once.',
    }),
  }),
});

const AllocationsInput = builder.inputType('AllocationsInput', {
  description: 'The whole set of allocations of a consumer.',
  isOneOf: true,
  fields: (t) => ({
    providers: t.field({
      type: [ProviderAllocationInput],
      description: 'The providers, each once. [] releases everything and deletes the consumer.',
    }),
    claimToken: t.id({
      description:
        'The token of an allocation request. A malformed one, or one of another database, is INVALID_INPUT.',
    }),
  }),
});

/** The descriptions of the fields that identify and describe a consumer in a write. */
export const CONSUMER_DESCRIPTIONS = {
  consumer: 'The uuid of the consumer.',
  generation:
    'The generation read before. Null: it must not exist. Else fails with CONSUMER_GENERATION_CONFLICT.',
  type: 'The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged.',
  projectId: 'The project: 1 to 255 characters, no trailing space.',
  userId: 'The user: 1 to 255 characters, no trailing space.',
};

export const ConsumerAllocationsInput = builder.inputType('ConsumerAllocationsInput', {
  description: 'The desired state of a consumer.',
  fields: (t) => ({
    consumer: t.field({ type: 'UUID', required: true, description: CONSUMER_DESCRIPTIONS.consumer }),
    generation: t.int({ description: CONSUMER_DESCRIPTIONS.generation }),
    type: t.string({ description: CONSUMER_DESCRIPTIONS.type }),
    projectId: t.string({ required: true, description: CONSUMER_DESCRIPTIONS.projectId }),
    userId: t.string({ required: true, description: CONSUMER_DESCRIPTIONS.userId }),
    allocations: t.field({
      type: AllocationsInput,
      required: true,
      description: 'All its allocations. They replace its current ones.',
    }),
  }),
});

/**
 * Returns consumers with the allocations of their claim tokens.
 *
 * @param path the path of the consumers in the input
 * @throws InvalidInput for a malformed token or one of another database
 */
export async function withAllocations(
  consumers: readonly (typeof ConsumerAllocationsInput.$inferInput)[],
  path: string,
  { databaseId }: Pick<Context, 'databaseId'>,
): Promise<Consumer[]> {
  const hasToken = consumers.some(({ allocations }) => allocations.claimToken != null);
  const id = hasToken ? await databaseId() : '';
  return consumers.map(({ allocations: { providers, claimToken }, ...consumer }, at) => {
    const here = [path, String(at), 'allocations', 'claimToken'];
    const allocations = providers ?? allocationsOfToken(String(claimToken), id, here);
    return { ...consumer, allocations };
  });
}
