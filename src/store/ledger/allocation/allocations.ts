import { InvalidInput } from '../../../model/invalidInput.js';
import { checkStorable } from './ownerNames.js';
import { checkConsumers, type ConsumerAllocationsInput } from '../../../model/allocationInput.js';
import type { ClaimWriter } from './claimQueue.js';
import type { WrittenConsumer } from './consumerPlan.js';
import { checkConsumerGenerations, checkSpellings } from './consumerRows.js';
import { NotFound } from '../../../model/rejections.js';
import type { Counting } from '../generations.js';
import type { Claim } from './claims.js';

const NOBODY: ReadonlyMap<string, string> = new Map();

/**
 * Replaces the allocations of all named consumers atomically (rules 90-100). Returns the remaining
 * consumers in the order of the input. Checks capacity as if all had released their allocations, so
 * that swaps need no spare capacity (96). Retries conflicts on providers (102, decision D14), but
 * reports conflicts on consumers to the caller.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (a provider), CONSUMER_GENERATION_CONFLICT, NO_INVENTORY, UNIT_VIOLATION,
 * CAPACITY_EXCEEDED, CONCURRENT_UPDATE. Bumps each changed provider and consumer once. Concurrent
 * calls share a transaction. Only batches of the insert add statements to it.
 */
export async function setAllocations(
  claims: ClaimWriter,
  { consumers }: { readonly consumers: readonly ConsumerAllocationsInput[] },
  options: Partial<Pick<Claim, 'takingOver' | 'counting' | 'budget'>> = {},
): Promise<readonly WrittenConsumer[]> {
  if (consumers.length === 0) throw new InvalidInput(['consumers'], 'name at least one consumer');
  return claims.write({ ...replacement(consumers), ...options });
}

/** Returns a claim that replaces all allocations of consumers. */
export function replacement(consumers: readonly ConsumerAllocationsInput[]): Claim {
  return {
    inputs: consumers,
    takingOver: NOBODY,
    check: (names) => {
      checkConsumers(consumers, ['consumers'], names.classes);
      checkStorable(consumers, ['consumers'], names);
    },
    validate: ({ inputs, stored }) => {
      checkSpellings(inputs, ['consumers'], stored);
      checkConsumerGenerations(inputs, stored);
    },
  };
}

/**
 * Deletes a consumer with all its allocations at any generation (rules 82, 92). Rejections:
 * NOT_FOUND (decision D9), CONCURRENT_UPDATE. Bumps every provider of these allocations (D5).
 */
export async function deleteConsumer(
  claims: ClaimWriter,
  { consumer }: { readonly consumer: string },
  counting?: Counting,
): Promise<void> {
  await claims.write({ ...removal(consumer), counting });
}

/** Returns a claim that removes all allocations of a consumer. NOT_FOUND if it has none. */
export function removal(consumer: string): Claim {
  return {
    inputs: [{ consumer, projectId: '', userId: '', allocations: [] }],
    takingOver: NOBODY,
    check: () => undefined,
    validate: ({ named }) => {
      if (named.length > 0) return;
      throw new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
    },
  };
}
