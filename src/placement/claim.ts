import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { InvalidInput } from '../domain/invalidInput.js';
import type { Queryable } from '../database/statements.js';
import { allocationsOf } from '../engine/model/candidate.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import { withReleased } from '../engine/overlay/snapshotOverlay.js';
import type { PlacementPolicy } from '../engine/packing/packing.js';
import type { ConsumerAllocationsInput } from '../ledger/allocation/allocationInput.js';
import { setAllocations } from '../ledger/allocation/allocations.js';
import type { ClaimWriter } from '../ledger/allocation/claimQueue.js';
import { findConsumers, checkConsumerGenerations } from '../ledger/allocation/consumerRows.js';
import type { WrittenConsumer } from '../ledger/allocation/consumerPlan.js';
import {
  CapacityExceeded,
  ConcurrentUpdate,
  NoInventory,
  NotFound,
  UnitViolation,
} from '../ledger/errors.js';
import { inTransaction, type Ledger } from '../ledger/transaction.js';
import type { Operation } from '../runtime/operation.js';
import { currentSnapshot, findCandidates, validateIn, type SnapshotSource } from './candidateSearch.js';
import { findClaimCandidates, type ClaimCandidate } from './claimCandidates.js';
import {
  checkClaimConsumers,
  checkHeld,
  consumersToRead,
  keptInputs,
  releasedBy,
  withoutAllocations,
  type ClaimConsumer,
} from './claimConsumers.js';
import { allocationsIn, readHeldConsumers, withHoldings } from './heldConsumers.js';
import { NoCandidates } from './noCandidates.js';

export interface ClaimRequest {
  readonly request: CandidatesRequest;
  readonly consumers: readonly ClaimConsumer[];
  readonly policy: PlacementPolicy;
  /** Null: each attempt chooses differently. */
  readonly seed: number | null;
  readonly operation: Operation;
}

/** A consumer after the claim, its candidate, and the consumer that keeps its former allocations. */
export interface Claimed {
  readonly consumer: WrittenConsumer;
  readonly candidate: ClaimCandidate;
  readonly keptAs: WrittenConsumer | null;
}

export interface ClaimServices {
  readonly snapshots: SnapshotSource;
  readonly ledger: Ledger;
  readonly claims: ClaimWriter;
  readonly database: { readonly pool: Queryable };
}

/** The snapshot to search in, and the writes besides the result. */
interface Attempt {
  readonly snapshot: Snapshot;
  readonly request: CandidatesRequest;
  /** The consumers that take over former allocations. */
  readonly kept: readonly ConsumerAllocationsInput[];
}

/** The time for which a claim retries after conflicts (ms, decision D14). */
const RETRY_BUDGET_MS = 10_000;

/** The maximum number of further candidates to read again. */
const MOST_REREAD = 1024;

/** The upper bound of the random pause before another attempt (ms). */
const LONGEST_PAUSE_MS = 20;

/**
 * Searches in the current snapshot and claims the result: for all consumers or for none. After a conflict
 * it reads the rejected providers again and searches again. It reports an unexpectedly existing consumer
 * even if nothing fits, so that a repeated claim after a lost answer is recognized.
 *
 * A consumer that is expected to exist is searched for as if its allocations were released, unless another
 * consumer keeps them. Its generation is checked when the claim is written.
 *
 * @throws InvalidInput, ConsumerGenerationConflict, NoCandidates, TimedOut; ConcurrentUpdate after the
 * retry budget
 */
export async function claim(services: ClaimServices, claimed: ClaimRequest): Promise<Claimed[]> {
  const { ledger } = services;
  const inputs = claimed.consumers.map(withoutAllocations);
  const deadline = ledger.clock.elapsed() + RETRY_BUDGET_MS;
  for (let doubted = 1; ;) {
    const attempt = await prepare(services, claimed);
    const found = await search(ledger, attempt, claimed, inputs);
    try {
      return await write(services, claimed, found, attempt.kept);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (ledger.clock.elapsed() > deadline) throw new ConcurrentUpdate(RETRY_BUDGET_MS, error);
      if (await services.snapshots.reread(found.flatMap(providersOf), error instanceof InvalidInput))
        doubted = await rereadBest(services, claimed, doubted);
    }
    await setTimeout(Math.random() * LONGEST_PAUSE_MS);
    claimed.operation.signal.throwIfAborted();
  }
}

/** Writes the candidates of the consumers, and what others take over, in one transaction. */
export async function write(
  { claims }: Pick<ClaimServices, 'claims'>,
  { consumers }: Pick<ClaimRequest, 'consumers'>,
  found: readonly ClaimCandidate[],
  kept: Attempt['kept'],
): Promise<Claimed[]> {
  const wanted = consumers.map((consumer, at) => ({
    ...withoutAllocations(consumer),
    allocations: found[at].allocations,
  }));
  const takingOver = new Map(
    consumers.flatMap(({ consumer, keepOldAs }) => (keepOldAs ? [[keepOldAs.consumer, consumer]] : [])),
  );
  const written = await setAllocations(claims, { consumers: [...wanted, ...kept] }, takingOver);
  const byUuid = new Map(written.map((consumer) => [consumer.uuid, consumer]));
  return consumers.map(({ keepOldAs }, at) => ({
    consumer: written[at],
    candidate: found[at],
    keptAs: (keepOldAs && byUuid.get(keepOldAs.consumer)) ?? null,
  }));
}

export function providersOf({ allocations }: ClaimCandidate): string[] {
  return allocations.map(({ resourceProvider }) => resourceProvider);
}

/**
 * Another program has changed the chosen provider, and so perhaps the next choices: reads as many of the
 * best candidates again. Returns twice that number for the next time, so that a claim does not try every
 * provider of a changed fleet.
 */
async function rereadBest(services: ClaimServices, claimed: ClaimRequest, doubted: number): Promise<number> {
  const { seed, operation } = claimed;
  const attempt = await prepare(services, claimed);
  const options = { limit: doubted, seed: seed ?? randomInt(2 ** 31), wantsComplete: false, operation };
  const { candidates, plan } = await findCandidates(attempt.snapshot, attempt.request, options);
  const providers = candidates.flatMap((candidate) =>
    allocationsOf(plan!, candidate).map(({ provider: { block, row } }) => block.uuids[row]),
  );
  await services.snapshots.reread([...new Set(providers)]);
  return Math.min(2 * doubted, MOST_REREAD);
}

/**
 * Validates the request in the current snapshot. Reads allocations before the snapshot, so that it
 * contains them.
 */
async function prepare(
  { snapshots, database: { pool } }: ClaimServices,
  { request: stated, consumers, operation }: ClaimRequest,
): Promise<Attempt> {
  const snapshot = await currentSnapshot(snapshots, operation);
  validateIn(snapshot, stated, ['requests', '0']);
  checkClaimConsumers(consumers);
  const toRead = consumersToRead(consumers);
  const [request, held] = await Promise.all([withHoldings(pool, stated), readHeldConsumers(pool, toRead)]);
  if (toRead.length === 0) return { snapshot, request, kept: [] };
  checkHeld(consumers, held);
  const current = await currentSnapshot(snapshots, operation);
  const released = allocationsIn(current, releasedBy(consumers, held));
  return { snapshot: withReleased(current, released), request, kept: keptInputs(consumers, held) };
}

async function search(
  ledger: Ledger,
  { snapshot, request }: Attempt,
  { policy, seed, operation }: ClaimRequest,
  inputs: readonly ConsumerAllocationsInput[],
): Promise<readonly ClaimCandidate[]> {
  try {
    return await findClaimCandidates(snapshot, request, {
      count: inputs.length,
      policy,
      seed: seed ?? randomInt(2 ** 31),
      operation,
    });
  } catch (error) {
    if (error instanceof NoCandidates) await rejectExisting(ledger, inputs);
    throw error;
  }
}

/** @throws ConsumerGenerationConflict if one of the consumers exists */
export function rejectExisting(ledger: Ledger, inputs: readonly ConsumerAllocationsInput[]): Promise<void> {
  return inTransaction(ledger, async (tx) => {
    const uuids = inputs.map(({ consumer }) => consumer);
    checkConsumerGenerations(inputs, await findConsumers(tx, uuids));
  });
}

/** Returns whether the providers or the catalog have changed since the search. */
export function isOutdated(error: unknown): boolean {
  if (error instanceof InvalidInput) return error.path.at(-1) === 'resourceClass';
  return [CapacityExceeded, NoInventory, UnitViolation, NotFound].some(
    (rejection) => error instanceof rejection,
  );
}
