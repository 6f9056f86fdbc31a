import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { InvalidInput } from '../domain/invalidInput.js';
import {
  checkConsumers,
  type ConsumerAllocationsInput,
  type ProviderAllocationInput,
} from '../ledger/allocation/allocationInput.js';
import { setAllocations } from '../ledger/allocation/allocations.js';
import { findConsumers, judgeConsumerGenerations } from '../ledger/allocation/consumerRows.js';
import type { WrittenConsumer } from '../ledger/allocation/consumerWrite.js';
import {
  CapacityExceeded,
  ConcurrentUpdate,
  NoCandidates,
  NoInventory,
  NotFound,
  UnitViolation,
} from '../ledger/errors.js';
import { inTransaction } from '../ledger/transaction.js';

/** A consumer that does not exist yet (else CONSUMER_GENERATION_CONFLICT). */
export type NewConsumer = Omit<ConsumerAllocationsInput, 'consumerGeneration' | 'allocations'>;

/** What one consumer is to get. */
export interface Choice {
  readonly allocations: readonly ProviderAllocationInput[];
}

/** A consumer that has come into being, and what it has got. */
export interface Claimed<C extends Choice> {
  readonly consumer: WrittenConsumer;
  readonly choice: C;
}

/** More consumers than this in one claim are refused. */
const MOST_CONSUMERS = 1000;

/** How long a claim goes on choosing again when rivals were faster, in milliseconds (decision D14). */
const PATIENCE = 10_000;

/** Pauses before another choice are drawn below this (ms). */
const LONGEST_PAUSE = 20;

/**
 * Gives new consumers what `choose` finds for them, in the order of the consumers, all of them or none. When a rival was
 * faster and took the room or the provider, it chooses again. What `choose` throws is thrown; but where it is that
 * nothing fits, a consumer that exists is said first, so that a claim repeated after a lost answer hears of it.
 *
 * Refusals: INVALID_INPUT, CONSUMER_GENERATION_CONFLICT, CONCURRENT_UPDATE when rivals were faster for ten seconds, and
 * those of `choose`.
 */
export async function claim<C extends Choice>(
  database: Database,
  consumers: readonly NewConsumer[],
  choose: (isAgain: boolean) => Promise<readonly C[]>,
): Promise<Claimed<C>[]> {
  const inputs = consumers.map((consumer) => ({ ...consumer, consumerGeneration: null, allocations: [] }));
  check(inputs);
  const deadline = performance.now() + PATIENCE;
  for (let isAgain = false; ; isAgain = true) {
    const choices = await choose(isAgain).catch((error: unknown) => refuseExisting(database, inputs, error));
    try {
      const wanted = inputs.map((input, at) => ({ ...input, allocations: choices[at].allocations }));
      const written = await setAllocations(database, { consumers: wanted });
      return written.map((consumer, at) => ({ consumer, choice: choices[at] }));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (performance.now() > deadline) throw new ConcurrentUpdate(PATIENCE, error);
      await setTimeout(Math.random() * LONGEST_PAUSE);
    }
  }
}

function check(inputs: readonly ConsumerAllocationsInput[]): void {
  const path = ['consumers'];
  if (inputs.length === 0) throw new InvalidInput(path, 'name at least one consumer');
  if (inputs.length > MOST_CONSUMERS) {
    throw new InvalidInput(
      path,
      `${inputs.length} consumers: one claim may be for at most ${MOST_CONSUMERS}`,
    );
  }
  checkConsumers(inputs, path, new Map());
}

/** Throws the error given, unless it is that nothing fits and there is an earlier reason. */
async function refuseExisting(
  database: Database,
  inputs: readonly ConsumerAllocationsInput[],
  error: unknown,
): Promise<never> {
  if (error instanceof NoCandidates) {
    await inTransaction(database, async (tx) => {
      const uuids = inputs.map(({ consumer }) => consumer);
      judgeConsumerGenerations(inputs, await findConsumers(tx, uuids));
    });
  }
  throw error;
}

/** What a choice that fitted when it was made is refused for: others have changed the providers, or the catalog, since. */
function isOvertaken(error: unknown): boolean {
  return [CapacityExceeded, NoInventory, UnitViolation, NotFound, InvalidInput].some(
    (refusal) => error instanceof refusal,
  );
}
