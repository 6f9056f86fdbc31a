import type { ConsumerAllocationsInput as ConsumerAllocations } from '../../model/input.js';
import { allocationsOfToken } from '../../moves/claim/claimToken.js';
import { checkExpiries, statedExpiries } from '../../store/ledger/allocation/holds.js';
import { builder } from '../builder.js';
import { optional, required } from '../inputFields.js';
import type { Context } from '../context.js';
import { deletedIds } from '../mutation.js';
import { Consumer, ProviderRef } from '../refs.js';
import { ResourceAmountInput } from './providerAllocation.js';

const ProviderAllocationInput = builder.inputType('ProviderAllocationInput', {
  description: 'Resources to allocate from one provider.',
  fields: () => ({
    resourceProvider: required(ProviderRef, 'The provider.'),
    resources: required([ResourceAmountInput], 'The amounts, at least one, each class once.'),
  }),
});

const AllocationsInput = builder.inputType('AllocationsInput', {
  description: 'The whole set of allocations of a consumer.',
  isOneOf: true,
  fields: () => ({
    providers: optional(
      [ProviderAllocationInput],
      'The providers, each once. [] releases everything and deletes the consumer.',
    ),
    claimToken: optional(
      'ID',
      'The token of an allocation request. A malformed one, or one of another database, is INVALID_INPUT.',
    ),
  }),
});

/** The uuid of the consumer of a write, and its type and owners. */
export const CONSUMER_UUID = required('UUID', 'The uuid of the consumer.');
export const CONSUMER_FIELDS = {
  type: optional('String', 'The type: 1 to 255 of A-Z, 0-9 and _. Null leaves it unchanged.'),
  projectId: required('String', 'The project: 1 to 255 characters, no trailing space.'),
  userId: required('String', 'The user: 1 to 255 characters, no trailing space.'),
  expiresAt: optional(
    'DateTime',
    'The consumer ends by itself at this time, unless it is confirmed or extended before: within 366 days from ' +
      'now. Null leaves the time unchanged; a new consumer has none.',
  ),
};

export const ConsumerAllocationsInput = builder.inputType('ConsumerAllocationsInput', {
  description: 'The desired state of a consumer.',
  fields: () => ({
    consumer: CONSUMER_UUID,
    generation: optional(
      'Int',
      'The generation read before. Null: it must not exist. Else fails with CONSUMER_GENERATION_CONFLICT.',
    ),
    ...CONSUMER_FIELDS,
    allocations: required(AllocationsInput, 'All its allocations. They replace its current ones.'),
  }),
});

/**
 * Returns consumers with the allocations of their claim tokens.
 *
 * @param path the path of the consumers in the input
 * @throws InvalidInput for a malformed token or one of another database, and for an expiry that cannot be
 * @throws OlderServer
 */
export async function withAllocations(
  consumers: readonly (typeof ConsumerAllocationsInput.$inferInput)[],
  path: string,
  { databaseId, database }: Pick<Context, 'databaseId' | 'database'>,
): Promise<ConsumerAllocations[]> {
  await checkExpiries(database.pool, statedExpiries(consumers, [path]));
  const hasToken = consumers.some(({ allocations }) => allocations.claimToken != null);
  const id = hasToken ? await databaseId() : '';
  return consumers.map(({ allocations: { providers, claimToken }, expiresAt, ...consumer }, at) => {
    const here = [path, String(at), 'allocations', 'claimToken'];
    const allocations = providers ?? allocationsOfToken(String(claimToken), id, here);
    return { ...consumer, expiresAt: expiresAt ?? undefined, allocations, statesCounters: providers != null };
  });
}

/** The field `deletedConsumerIds` of a payload. */
export const DELETED_CONSUMER_IDS = deletedIds<{ readonly released: readonly string[] }>(
  Consumer,
  'The former global ids of the consumers that have no allocations left',
  ({ released }) => released,
);

/** Returns the uuids of the consumers whose allocations are all removed. */
export function releasedBy(consumers: readonly ConsumerAllocations[]): string[] {
  return consumers.filter(({ allocations }) => allocations.length === 0).map(({ consumer }) => consumer);
}
