import { readHoldings, type ConsumerReader, type HeldConsumer } from '../store/sql/consumers.js';
import { isCounter } from '../fleet/consumption.js';
import { type CandidateAllocation, allocationsOf, type Candidate } from '../search/anchor.js';
import { inventoryAt, treeIndexOf, type Snapshot } from '../fleet/snapshot.js';
import { type RemovedProviders, findCandidates, type Found } from '../search/candidateSearch.js';
import { withReleased } from '../search/overlay/snapshotOverlay.js';
import {
  type ProviderAllocationInput,
  ensure,
  InvalidInput,
  checkConsumers,
  checkConsumerType,
  type ConsumerAllocationsInput,
  checkNewUuid,
} from '../model/input.js';
import { LONGEST_LIST, type CandidatesRequest, type Holdings } from '../model/request.js';
import { checkConsumerGenerations } from '../store/ledger/allocation/consumerRows.js';
import { Placer } from './placer.js';
import type { PlacementPolicy } from './workload/workload.js';
import type { Operation } from '../model/operation/operation.js';
import { resultInSlices } from '../search/timeSlices.js';

/** Returns the consumers without their allocations of providers that a what-if has removed. */
export function withoutRemoved(
  held: ReadonlyMap<string, HeldConsumer>,
  removed: RemovedProviders | undefined,
): ReadonlyMap<string, HeldConsumer> {
  if (removed === undefined) return held;
  const isPresent = ({ resourceProvider }: ProviderAllocationInput): boolean =>
    !removed.uuids.has(resourceProvider);
  return new Map(
    Array.from(held, ([uuid, consumer]) => [
      uuid,
      { ...consumer, allocations: consumer.allocations.filter(isPresent) },
    ]),
  );
}

/** Translates allocations to the ids of a snapshot. Skips those without an inventory. */
export function allocationsIn(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
): CandidateAllocation[] {
  return allocations.flatMap(({ resourceProvider, resources }) => {
    const found = snapshot.locate(resourceProvider);
    if (found === undefined) return [];
    const known = resources.flatMap(({ resourceClass: name, amount }) => {
      const resourceClass = snapshot.classes.idOf(name);
      const isThere = resourceClass !== undefined && inventoryAt(found.block, found.row, resourceClass) >= 0;
      return isThere ? [{ resourceClass, amount }] : [];
    });
    return [{ provider: { ...found, treeIndex: treeIndexOf(found) }, resources: known }];
  });
}

/**
 * Returns allocations without the amounts of counters, which follow from the others. Their positions stay: an allocation of
 * counters has no resources.
 */
export function withoutCounters(
  snapshot: Snapshot,
  allocations: readonly ProviderAllocationInput[],
): readonly ProviderAllocationInput[] {
  return allocations.map((allocation) => {
    const found = snapshot.locate(allocation.resourceProvider);
    if (found === undefined || found.block.consumption === null) return allocation;
    const { block, row } = found;
    const resources = allocation.resources.filter(({ resourceClass }) => {
      const at = inventoryAt(block, row, snapshot.classes.idOf(resourceClass) ?? -1);
      return at < 0 || !isCounter(block, at);
    });
    return { ...allocation, resources };
  });
}

/** Returns the snapshot without these allocations. */
export function withoutHeld(snapshot: Snapshot, allocations: readonly ProviderAllocationInput[]): Snapshot {
  return allocations.length === 0 ? snapshot : withReleased(snapshot, allocationsIn(snapshot, allocations));
}

function consumersNamedIn({
  awayFromConsumers,
  nearConsumers,
  alsoNear = [],
  orderBy,
}: CandidatesRequest): string[] {
  return [
    ...awayFromConsumers,
    ...nearConsumers,
    ...alsoNear.flat(),
    ...orderBy.flatMap((term) => term.nearConsumers ?? []),
  ];
}

/** Adds the present allocations of the consumers that the request names. */
export async function withHoldings(
  reader: ConsumerReader,
  request: CandidatesRequest,
): Promise<CandidatesRequest> {
  const consumers = new Set(consumersNamedIn(request));
  if (consumers.size === 0) return request;
  // Validation rejects a request with a longer list.
  const some = [...consumers].slice(0, 3 * LONGEST_LIST);
  return { ...request, holdings: await readHoldings(reader, some) };
}

/** Reads the allocations of the consumers that some requests are for or name. */
export function readHoldingsOf(
  reader: ConsumerReader,
  requests: readonly { readonly consumer?: string | null; readonly request: CandidatesRequest }[],
): Promise<Holdings> {
  return readHoldings(
    reader,
    requests.flatMap(({ consumer, request }) => [
      ...(consumer == null ? [] : [consumer]),
      ...consumersNamedIn(request),
    ]),
  );
}

/** Without a generation the consumer must not exist (else CONSUMER_GENERATION_CONFLICT). */
export interface ClaimConsumer extends Omit<ConsumerAllocationsInput, 'allocations'> {
  /** The new consumer that keeps the former allocations that the new ones do not use. Null or absent: none. */
  readonly keepOldAs?: Pick<ConsumerAllocationsInput, 'consumer' | 'type' | 'expiresAt'> | null;
  /** Whether the request of the claim is not remembered. Absent: false. */
  readonly keepRequest?: boolean;
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
  const { consumer, generation, type, projectId, userId, expiresAt } = claimed;
  return {
    consumer,
    generation,
    type,
    projectId,
    userId,
    expiresAt: expiresAt ?? undefined,
    allocations: [],
  };
}

export interface ClaimSearchOptions {
  /** The number of consumers that get the request at the same time. */
  readonly count: number;
  readonly policy: PlacementPolicy;
  readonly seed: number;
  readonly operation: Operation;
}

/** A candidate and its allocations in the form of a ledger input. */
export interface ClaimCandidate extends Found<Candidate> {
  readonly allocations: readonly ProviderAllocationInput[];
}

/**
 * Finds a candidate for each of several equal consumers, so that all fit together. SAME_TREE prefers the
 * tree that the order prefers. Returns [] if none fits, and null if it cannot place all of them.
 *
 * @throws InvalidInput for a malformed request or unknown names
 *
 * @throws TimedOut
 */
export async function findClaimCandidates(
  snapshot: Snapshot,
  request: CandidatesRequest,
  { count, policy, seed, operation }: ClaimSearchOptions,
): Promise<readonly ClaimCandidate[] | null> {
  const wanted = { limit: 1, wantsComplete: false };
  const found = await findCandidates(snapshot, request, { ...wanted, seed, operation });
  const { plan, candidates } = found;
  if (plan === null || candidates.length === 0) return [];
  const claimables = (all: readonly Candidate[]): ClaimCandidate[] =>
    all.map((candidate) => claimable({ ...candidate, found }));
  if (count === 1) return claimables(candidates);
  const options = { count, placement: policy, first: candidates[0], seed };
  const placed = await resultInSlices(
    (effort) => new Placer(snapshot, plan, options, effort).run(),
    operation,
  );
  return placed && claimables(placed);
}

export function claimable(candidate: Found<Candidate>): ClaimCandidate {
  const { found } = candidate;
  return { ...candidate, allocations: inputsOf(found.snapshot, allocationsOf(found.plan!, candidate)) };
}

/** Returns allocations in the form of a ledger input. */
export function inputsOf(
  { classes }: Snapshot,
  allocations: readonly CandidateAllocation[],
): ProviderAllocationInput[] {
  return allocations.map(({ provider: { block, row }, resources }) => ({
    resourceProvider: block.uuids[row],
    resources: resources.map(({ resourceClass, amount }) => ({
      resourceClass: classes.nameOf(resourceClass),
      amount,
    })),
  }));
}

/** Returns whether two lists have the same amounts on the same providers. */
export function isSame(
  one: readonly ProviderAllocationInput[],
  other: readonly ProviderAllocationInput[],
): boolean {
  const [texts, others] = [one, other].map((allocations) =>
    allocations
      .flatMap(({ resourceProvider, resources }) =>
        resources.map(({ resourceClass, amount }) => `${resourceProvider} ${resourceClass} ${amount}`),
      )
      .sort(),
  );
  return texts.join() === others.join();
}
