import { ensure, InvalidInput } from '../../model/invalidInput.js';
import {
  checkConsumers,
  checkConsumerType,
  type ConsumerAllocationsInput,
} from '../../model/allocationInput.js';
import { checkConsumerGenerations } from '../../store/ledger/allocation/consumerRows.js';
import { checkNewUuid } from '../../model/names.js';
import type { HeldConsumer } from '../heldConsumers.js';

/** Without a generation the consumer must not exist (else CONSUMER_GENERATION_CONFLICT). */
export interface ClaimConsumer extends Omit<ConsumerAllocationsInput, 'allocations'> {
  /** The new consumer that keeps the former allocations that the new ones do not use. Null or absent: none. */
  readonly keepOldAs?: Pick<ConsumerAllocationsInput, 'consumer' | 'type'> | null;
}

/** The path of the list of all consumers, as in the write of allocations. */
const PATH = ['consumers'];

/**
 * Checks the consumers of all members.
 *
 * @throws InvalidInput for errors that do not depend on stored data
 */
export function checkClaimConsumers(
  members: readonly { readonly consumers: readonly ClaimConsumer[] }[],
): void {
  const consumers = members.flatMap((member) => member.consumers);
  try {
    checkConsumers(consumers.map(withoutAllocations), PATH, new Map());
    checkKept(consumers);
  } catch (error) {
    throw inMember(members, error);
  }
}

/** Replaces the path of an error in the list of all consumers by the path in the member. */
export function inMember(
  members: readonly { readonly consumers: readonly ClaimConsumer[] }[],
  error: unknown,
): unknown {
  if (!(error instanceof InvalidInput) || error.path[0] !== PATH[0]) return error;
  const [, position, ...rest] = error.path;
  const paths = members.flatMap(({ consumers }, member) =>
    [...consumers.keys()].map((consumer) => ['members', String(member), 'consumers', String(consumer)]),
  );
  return new InvalidInput([...paths[Number(position)], ...rest], error.message, error.unknown);
}

function checkKept(consumers: readonly ClaimConsumer[]): void {
  const named = new Set(consumers.map(({ consumer }) => consumer));
  consumers.forEach(({ generation, keepOldAs }, position) => {
    if (!keepOldAs) return;
    const path = [...PATH, String(position), 'keepOldAs'];
    const message = 'keepOldAs requires the generation of the consumer';
    ensure(generation != null, path, message);
    checkNewUuid(keepOldAs.consumer, [...path, 'consumer']);
    const twice = `consumer ${keepOldAs.consumer} is given twice`;
    ensure(!named.has(keepOldAs.consumer), [...path, 'consumer'], twice);
    named.add(keepOldAs.consumer);
    checkConsumerType(keepOldAs.type, [...path, 'type']);
  });
}

/** Returns all named consumers if any of them must exist, so that the first conflict is reported. */
export function consumersToRead(consumers: readonly ClaimConsumer[]): string[] {
  if (consumers.every(({ generation }) => generation == null)) return [];
  const kept = consumers.flatMap(({ keepOldAs }) => keepOldAs?.consumer ?? []);
  return [...consumers.map(({ consumer }) => consumer), ...kept];
}

/** @throws ConsumerGenerationConflict for the first consumer that is not as expected, kept ones last */
export function checkHeld(
  consumers: readonly ClaimConsumer[],
  held: ReadonlyMap<string, HeldConsumer>,
): void {
  const kept = consumers.flatMap(({ keepOldAs }) => keepOldAs ?? []);
  const all = [...consumers, ...kept.map(({ consumer }) => ({ consumer, generation: null }))];
  checkConsumerGenerations(all, held);
}

/** Returns the providers of former allocations by the uuid of the new consumer that keeps them. */
export function keptPositions(
  consumers: readonly ClaimConsumer[],
  held: ReadonlyMap<string, HeldConsumer>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    consumers.flatMap(({ consumer, keepOldAs }): [string, string[]][] => {
      const allocations = held.get(consumer)?.allocations ?? [];
      return keepOldAs
        ? [[keepOldAs.consumer, allocations.map(({ resourceProvider }) => resourceProvider)]]
        : [];
    }),
  );
}

export function withoutAllocations(claimed: ClaimConsumer): ConsumerAllocationsInput {
  const { consumer, generation, type, projectId, userId } = claimed;
  return { consumer, generation, type, projectId, userId, allocations: [] };
}
