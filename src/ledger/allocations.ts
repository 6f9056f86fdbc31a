import type { Database } from '../database/database.js';
import { InvalidInput } from '../engine/invalid.js';
import { checkConsumers, type ConsumerAllocationsInput } from './allocationInput.js';
import { storedAllocations, writeAllocations } from './allocationRows.js';
import { deleteConsumers, findConsumers } from './consumerRows.js';
import {
  judgeConsumers,
  labelsOf,
  providersChanged,
  readConsumerWrite,
  writeConsumerWrite,
} from './consumerWrite.js';
import { NotFound } from './errors.js';
import { markChanged } from './generations.js';
import { violationsOf } from './judgement.js';
import { namesUsed } from './namesUsed.js';
import { findProvidersOf } from './providerRows.js';
import { readShelves } from './stock.js';
import { inTransaction, readClock } from './transaction.js';

export interface SetAllocationsInput {
  readonly consumers: readonly ConsumerAllocationsInput[];
}

/**
 * Gives each named consumer its whole new set of allocations, all of them or none (rules 90-100). Capacity is judged as
 * if all of them had let go of what they have, so that swaps and migrations need no spare room (96). A conflict on a
 * provider's generation is tried again here (102, decision D14); one on a consumer's is the caller's.
 *
 * Refusals: INVALID_INPUT, NOT_FOUND (a provider), CONSUMER_GENERATION_CONFLICT, NO_INVENTORY, UNIT_VIOLATION,
 * CAPACITY_EXCEEDED, CONCURRENT_UPDATE. Bumps every provider whose use changes and every consumer that changes, once each.
 * Its number of statements does not grow with the number of allocations, but for batches of the insert.
 */
export async function setAllocations(database: Database, { consumers }: SetAllocationsInput): Promise<void> {
  if (consumers.length === 0) throw new InvalidInput(['consumers'], 'name at least one consumer');
  await inTransaction(database, async (tx) => {
    const names = await namesUsed(tx, consumers);
    checkConsumers(consumers, ['consumers'], names.classes);
    const write = await readConsumerWrite(tx, consumers, names);
    judgeConsumers(write);
    const shelves = await readShelves(tx, write.wanted);
    const violation = violationsOf(write.wanted, write.named, shelves, labelsOf(write))[0];
    if (violation !== undefined) throw violation.refusal;
    const now = readClock();
    const changed = providersChanged(write);
    if (changed.length > 0) await markChanged(tx, changed, now);
    await writeConsumerWrite(tx, write, now);
  });
}

export interface DeleteAllocationsInput {
  readonly consumer: string;
}

/**
 * Takes everything from a consumer, whatever its generation; it then ceases to exist (rules 82, 92). Refusals:
 * NOT_FOUND for a consumer without allocations (decision D9), CONCURRENT_UPDATE. Bumps every provider it was on (D5).
 */
export async function deleteAllocations(
  database: Database,
  { consumer }: DeleteAllocationsInput,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const stored = (await findConsumers(tx, [consumer])).get(consumer);
    const removed = await storedAllocations(tx, [consumer]);
    if (removed.length === 0)
      throw new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
    const providers = await findProvidersOf(
      tx,
      [],
      [...new Set(removed.map(({ providerId }) => providerId))],
    );
    const now = readClock();
    if (providers.size > 0) await markChanged(tx, [...providers.values()], now);
    if (stored !== undefined) await deleteConsumers(tx, [stored]);
    await writeAllocations(tx, { removed, added: [] }, now);
  });
}
