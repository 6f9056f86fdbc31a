import { InvalidInput } from '../../domain/invalidInput.js';
import { checkStorable } from './ownerNames.js';
import { checkConsumers, type ConsumerAllocationsInput } from './allocationInput.js';
import type { ClaimWriter } from './claimQueue.js';
import type { WrittenConsumer } from './consumerPlan.js';
import { checkConsumerGenerations } from './consumerRows.js';
import { NotFound } from '../errors.js';
import type { Claim } from './claims.js';

const NOBODY: ReadonlyMap<string, string> = new Map();

/**
 * Replaces the allocations of each named consumer, all or none (rules 90-100). Returns the remaining consumers in the
 * order of the input. Capacity is checked as if all had released their allocations, so that swaps need no spare
 * capacity (96). Conflicts on providers are retried here (102, decision D14); conflicts on consumers are the caller's.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (a provider), CONSUMER_GENERATION_CONFLICT, NO_INVENTORY, UNIT_VIOLATION,
 * CAPACITY_EXCEEDED, CONCURRENT_UPDATE. Bumps each changed provider and consumer once. Concurrent calls share a
 * transaction, whose number of statements does not grow, except for batches of the insert.
 */
export async function setAllocations(
  claims: ClaimWriter,
  { consumers }: { readonly consumers: readonly ConsumerAllocationsInput[] },
  /** New consumers that take over what another has, and the other one: that such amounts fit is no matter. */
  takingOver: ReadonlyMap<string, string> = NOBODY,
): Promise<readonly WrittenConsumer[]> {
  if (consumers.length === 0) throw new InvalidInput(['consumers'], 'name at least one consumer');
  return claims.write(replacement(consumers, takingOver));
}

/** A claim that gives consumers whole new sets. */
export function replacement(
  consumers: readonly ConsumerAllocationsInput[],
  takingOver: ReadonlyMap<string, string> = NOBODY,
): Claim {
  return {
    kind: 'replacement',
    inputs: consumers,
    takingOver,
    check: (names) => {
      checkConsumers(consumers, ['consumers'], names.classes);
      checkStorable(consumers, ['consumers'], names);
    },
    validate: ({ inputs, stored }) => checkConsumerGenerations(inputs, stored),
  };
}

/**
 * Deletes a consumer with all its allocations, whatever its generation (rules 82, 92). Rejections: NOT_FOUND (decision
 * D9), CONCURRENT_UPDATE. Bumps every provider that it had allocations of (D5).
 */
export async function deleteConsumer(
  claims: ClaimWriter,
  { consumer }: { readonly consumer: string },
): Promise<void> {
  await claims.write(removal(consumer));
}

/** A claim that removes all allocations of a consumer that has any. */
export function removal(consumer: string): Claim {
  return {
    kind: 'removal',
    inputs: [{ consumer, projectId: '', userId: '', allocations: [] }],
    takingOver: NOBODY,
    check: () => undefined,
    validate: ({ named }) => {
      if (named.length > 0) return;
      throw new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
    },
  };
}
