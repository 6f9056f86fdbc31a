import { InvalidInput } from '../domain/invalidInput.js';
import {
  checkConsumers,
  checkConsumerType,
  type ConsumerAllocationsInput,
} from '../ledger/allocation/allocationInput.js';
import { checkConsumerGenerations } from '../ledger/allocation/consumerRows.js';
import type { HeldConsumer } from './heldConsumers.js';

/** A new consumer that is to have what another has had so far. */
export interface KeptConsumer {
  readonly consumer: string;
  /** Null: none. */
  readonly consumerType?: string | null;
}

/** Who is to get something: without a generation a consumer that does not exist yet (else CONSUMER_GENERATION_CONFLICT). */
export interface ClaimConsumer extends Omit<ConsumerAllocationsInput, 'allocations'> {
  /** Where what it has stays in use; else it is let go. */
  readonly keepOldAs?: KeptConsumer | null;
}

/** More consumers than this in one claim are rejected. */
const MOST_CONSUMERS = 1000;

const PATH = ['consumers'];

/** @throws InvalidInput for what is wrong with them whatever is stored */
export function checkClaimConsumers(consumers: readonly ClaimConsumer[]): void {
  if (consumers.length === 0) throw new InvalidInput(PATH, 'name at least one consumer');
  if (consumers.length > MOST_CONSUMERS) {
    const count = `${consumers.length} consumers`;
    throw new InvalidInput(PATH, `${count}: one claim may be for at most ${MOST_CONSUMERS}`);
  }
  checkConsumers(consumers.map(withoutAllocations), PATH, new Map());
  const named = new Set(consumers.map(({ consumer }) => consumer));
  consumers.forEach(({ consumerGeneration, keepOldAs }, position) => {
    if (!keepOldAs) return;
    const path = [...PATH, String(position), 'keepOldAs'];
    if (consumerGeneration == null) {
      const message = 'only a consumer that exists has anything to keep: give its consumerGeneration, too';
      throw new InvalidInput(path, message);
    }
    if (named.has(keepOldAs.consumer)) {
      throw new InvalidInput([...path, 'consumer'], `consumer ${keepOldAs.consumer} is given twice`);
    }
    named.add(keepOldAs.consumer);
    checkConsumerType(keepOldAs.consumerType, [...path, 'consumerType']);
  });
}

/**
 * The consumers of which it matters what they have: where any is to exist already, all that are named, so that of several that
 * are not as expected the first is told.
 */
export function consumersToRead(consumers: readonly ClaimConsumer[]): string[] {
  if (consumers.every(({ consumerGeneration }) => consumerGeneration == null)) return [];
  const kept = consumers.flatMap(({ keepOldAs }) => keepOldAs?.consumer ?? []);
  return [...consumers.map(({ consumer }) => consumer), ...kept];
}

/** @throws ConsumerGenerationConflict for the first that is not as it is expected to be, new ones to keep something for last */
export function checkHeld(
  consumers: readonly ClaimConsumer[],
  held: ReadonlyMap<string, HeldConsumer>,
): void {
  const kept = consumers.flatMap(({ keepOldAs }) => keepOldAs ?? []);
  const all = [...consumers, ...kept.map(({ consumer }) => ({ consumer, consumerGeneration: null }))];
  checkConsumerGenerations(all, held);
}

/** What those have that let go of it. */
export function releasedBy(
  consumers: readonly ClaimConsumer[],
  held: ReadonlyMap<string, HeldConsumer>,
): ConsumerAllocationsInput['allocations'] {
  return consumers.flatMap(({ consumer, keepOldAs }) =>
    keepOldAs ? [] : (held.get(consumer)?.allocations ?? []),
  );
}

/** The new consumers that are to have what others have had so far, each for the project and user of the other. */
export function keptInputs(
  consumers: readonly ClaimConsumer[],
  held: ReadonlyMap<string, HeldConsumer>,
): ConsumerAllocationsInput[] {
  return consumers.flatMap(({ consumer, keepOldAs }) => {
    if (!keepOldAs) return [];
    const { projectId, userId, allocations } = held.get(consumer)!;
    return [{ ...keepOldAs, consumerGeneration: null, projectId, userId, allocations }];
  });
}

/** The consumer as the ledger takes it, before it is known what it gets. */
export function withoutAllocations(claimed: ClaimConsumer): ConsumerAllocationsInput {
  const { consumer, consumerGeneration, consumerType, projectId, userId } = claimed;
  return { consumer, consumerGeneration, consumerType, projectId, userId, allocations: [] };
}
