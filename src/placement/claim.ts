import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { InvalidInput } from '../domain/invalidInput.js';
import { allocationsOf } from '../engine/model/candidate.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import type { Snapshot } from '../engine/model/snapshot.js';
import type { PlacementPolicy } from '../engine/packing/packing.js';
import { checkConsumers, type ConsumerAllocationsInput } from '../ledger/allocation/allocationInput.js';
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
  readonly operation: Operation;
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
  readonly claims: ClaimWriter;
}

/** More consumers than this in one claim are rejected. */
const MOST_CONSUMERS = 1000;

/** How long a claim goes on choosing again when concurrent writers were faster, in milliseconds (decision D14). */
const RETRY_BUDGET_MS = 10_000;

/** As many candidates beside the rejected ones are read again at the most. */
const MOST_REREAD = 1024;

/** Pauses before another attempt are random, and shorter than this (ms). */
const LONGEST_PAUSE_MS = 20;

/**
 * Searches in the current snapshot and claims what was found: for all consumers, in their order, or for none. When a concurrent
 * writer took the capacity or the provider in between, it reads those providers again and searches again. A consumer that exists
 * already is told even where nothing fits, so that a claim repeated after a lost answer hears of it.
 *
 * @throws InvalidInput, ConsumerGenerationConflict, NoCandidates; ConcurrentUpdate when the retry budget is used up; TimedOut when
 * the operation takes longer than it may
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
  for (let doubted = 1; ;) {
    const found = await search(ledger, snapshot, claimed, inputs);
    try {
      const wanted = inputs.map((input, at) => ({ ...input, allocations: found[at].allocations }));
      const written = await setAllocations(claims, { consumers: wanted });
      return written.map((consumer, at) => ({ consumer, candidate: found[at] }));
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (ledger.clock.elapsed() > deadline) throw new ConcurrentUpdate(RETRY_BUDGET_MS, error);
      if (await services.snapshots.reread(found.flatMap(providersOf), error instanceof InvalidInput))
        doubted = await rereadBest(services, claimed, doubted);
    }
    await setTimeout(Math.random() * LONGEST_PAUSE_MS);
    claimed.operation.signal.throwIfAborted();
    snapshot = await validSnapshot(services, claimed);
  }
}

function providersOf({ allocations }: ClaimCandidate): string[] {
  return allocations.map(({ resourceProvider }) => resourceProvider);
}

/**
 * A writer that does not use the change feed has changed what was chosen, and so perhaps what would be chosen next: reads as many of
 * the best candidates again as are doubted. Gives how many to doubt when it happens again: twice as many, so that a claim does not
 * try every provider of a fleet that was changed as a whole.
 */
async function rereadBest(services: ClaimServices, claimed: ClaimRequest, doubted: number): Promise<number> {
  const { request, seed, operation } = claimed;
  const snapshot = await validSnapshot(services, claimed);
  const options = { limit: doubted, seed: seed ?? randomInt(2 ** 31), wantsComplete: false, operation };
  const { candidates, plan } = await findCandidates(snapshot, request, options);
  const providers = candidates.flatMap((candidate) =>
    allocationsOf(plan!, candidate).map(({ provider: { block, row } }) => block.uuids[row]),
  );
  await services.snapshots.reread([...new Set(providers)]);
  return Math.min(2 * doubted, MOST_REREAD);
}

/** The current snapshot, in which the request is valid: the catalog may change between two attempts. */
async function validSnapshot(
  { snapshots }: ClaimServices,
  { request, operation }: ClaimRequest,
): Promise<Snapshot> {
  const snapshot = await currentSnapshot(snapshots, operation);
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
  { request, policy, seed, operation }: ClaimRequest,
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

/** @throws ConsumerGenerationConflict where one of the consumers exists */
function rejectExisting(ledger: Ledger, inputs: readonly ConsumerAllocationsInput[]): Promise<void> {
  return inTransaction(ledger, async (tx) => {
    const uuids = inputs.map(({ consumer }) => consumer);
    checkConsumerGenerations(inputs, await findConsumers(tx, uuids));
  });
}

/** Why candidates are rejected that fitted when they were found: the providers, or the catalog, have changed since. */
function isOutdated(error: unknown): boolean {
  if (error instanceof InvalidInput) return error.path.at(-1) === 'resourceClass';
  return [CapacityExceeded, NoInventory, UnitViolation, NotFound].some(
    (rejection) => error instanceof rejection,
  );
}
