import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { InvalidInput } from '../domain/invalidInput.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { PlacementPolicy } from '../engine/packing/packing.js';
import { checkConsumers, type ConsumerAllocationsInput } from '../ledger/allocation/allocationInput.js';
import { setAllocations } from '../ledger/allocation/allocations.js';
import type { ClaimQueue } from '../ledger/allocation/claimQueue.js';
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
import { validateIn, type SnapshotSource } from './candidateSearch.js';
import { findClaimCandidates, type ClaimCandidate } from './claimCandidates.js';
import { NoCandidates } from './noCandidates.js';

/** A consumer that does not exist yet (else CONSUMER_GENERATION_CONFLICT). */
export type NewConsumer = Omit<ConsumerAllocationsInput, 'consumerGeneration' | 'allocations'>;

export interface ClaimRequest {
  /** What each of the consumers is to get. */
  readonly request: CandidatesRequest;
  readonly consumers: readonly NewConsumer[];
  readonly policy: PlacementPolicy;
  /** Null: each attempt chooses differently. */
  readonly seed: number | null;
  readonly signal?: AbortSignal;
}

/** A consumer that was created, and the candidate that it got. */
export interface Claimed {
  readonly consumer: WrittenConsumer;
  readonly candidate: ClaimCandidate;
}

/** What a claim works with: parts of the process. */
export interface ClaimServices {
  readonly snapshots: SnapshotSource;
  readonly ledger: Ledger;
  readonly claims: ClaimQueue;
}

/** More consumers than this in one claim are rejected. */
const MOST_CONSUMERS = 1000;

/** How long a claim goes on choosing again when concurrent writers were faster, in milliseconds (decision D14). */
const RETRY_BUDGET_MS = 10_000;

/** Pauses before another attempt are random, and shorter than this (ms). */
const LONGEST_PAUSE_MS = 20;

/**
 * Searches in the current snapshot and claims what was found: for all consumers, in their order, or for none. When a concurrent
 * writer took the capacity or the provider in between, it searches again. A consumer that exists already is told even where
 * nothing fits, so that a claim repeated after a lost answer hears of it.
 *
 * @throws InvalidInput, ConsumerGenerationConflict, NoCandidates; ConcurrentUpdate when the retry budget is used up; TimedOut when
 * a search takes longer than it may
 */
export async function claim(services: ClaimServices, claimed: ClaimRequest): Promise<Claimed[]> {
  const { ledger, claims } = services;
  let snapshot = await validSnapshot(services, claimed);
  const inputs = claimed.consumers.map((consumer) => ({
    ...consumer,
    consumerGeneration: null,
    allocations: [],
  }));
  check(inputs);
  const deadline = ledger.clock.elapsed() + RETRY_BUDGET_MS;
  for (;;) {
    const found = await search(ledger, snapshot, claimed, inputs);
    try {
      const wanted = inputs.map((input, at) => ({ ...input, allocations: found[at].allocations }));
      const written = await setAllocations(claims, { consumers: wanted });
      return written.map((consumer, at) => ({ consumer, candidate: found[at] }));
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (ledger.clock.elapsed() > deadline) throw new ConcurrentUpdate(RETRY_BUDGET_MS, error);
    }
    await setTimeout(Math.random() * LONGEST_PAUSE_MS);
    snapshot = await validSnapshot(services, claimed);
  }
}

/** The current snapshot, in which the request is valid: the catalog may change between two attempts. */
async function validSnapshot({ snapshots }: ClaimServices, { request }: ClaimRequest): Promise<Snapshot> {
  const snapshot = await snapshots.current();
  validateIn(snapshot, request, ['request']);
  return snapshot;
}

function check(inputs: readonly ConsumerAllocationsInput[]): void {
  const path = ['consumers'];
  if (inputs.length === 0) throw new InvalidInput(path, 'name at least one consumer');
  if (inputs.length > MOST_CONSUMERS) {
    const count = `${inputs.length} consumers`;
    throw new InvalidInput(path, `${count}: one claim may be for at most ${MOST_CONSUMERS}`);
  }
  checkConsumers(inputs, path, new Map());
}

async function search(
  ledger: Ledger,
  snapshot: Snapshot,
  { request, policy, seed, signal }: ClaimRequest,
  inputs: readonly ConsumerAllocationsInput[],
): Promise<readonly ClaimCandidate[]> {
  try {
    return await findClaimCandidates(snapshot, request, {
      count: inputs.length,
      policy,
      seed: seed ?? randomInt(2 ** 31),
      signal,
    });
  } catch (error) {
    if (error instanceof NoCandidates) await rejectExisting(ledger, inputs);
    throw error;
  }
}

/** @throws ConsumerGenerationConflict where one of the consumers exists */
function rejectExisting(ledger: Ledger, inputs: readonly ConsumerAllocationsInput[]): Promise<void> {
  return inTransaction(ledger, async (tx) => {
    const uuids = inputs.map(({ consumer }) => consumer);
    checkConsumerGenerations(inputs, await findConsumers(tx, uuids));
  });
}

/** Why candidates are rejected that fitted when they were found: the providers, or the catalog, have changed since. */
function isOutdated(error: unknown): boolean {
  return [CapacityExceeded, NoInventory, UnitViolation, NotFound, InvalidInput].some(
    (rejection) => error instanceof rejection,
  );
}
