import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { checkOwnName, ensure, InvalidInput, type ConsumerAllocationsInput } from '../../model/input.js';
import { allocationsOf } from '../../search/anchor.js';
import { CATALOG } from '../../model/recordedChanges.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { TopologyRule, Workload, WorkloadMember } from '../workload/workload.js';
import { setAllocations, type ClaimWriter } from '../../store/ledger/allocation/claimQueue.js';
import { checkConsumerGenerations } from '../../store/ledger/allocation/consumerRows.js';
import { findConsumers } from '../../store/ledger/allocation/findConsumers.js';
import type { NamedWorkload } from '../../store/ledger/allocation/workloadRows.js';
import type { ConsumerEntity } from '../../model/entities.js';
import {
  CapacityExceeded,
  ConcurrentUpdate,
  NoInventory,
  NotFound,
  UnitViolation,
} from '../../model/rejections.js';
import { inTransaction, retryBudget, type Ledger, type RetryBudget } from '../../store/ledger/transaction.js';
import type { Operation } from '../../model/operation/operation.js';
import { currentSnapshot, findCandidates, type SnapshotSource } from '../../search/candidateSearch.js';
import { readHeldConsumers, type ConsumerReader, type HeldConsumer } from '../../store/sql/consumers.js';
import {
  type ClaimCandidate,
  checkClaimConsumers,
  checkHeld,
  consumersToRead,
  inMember,
  withoutAllocations,
  type ClaimConsumer,
  withoutHeld,
} from '../heldConsumers.js';
import { keptInputs, placeBesideKept, type ClaimedConsumers } from './keptAllocations.js';
import { NoCandidates } from './noCandidates.js';
import {
  validateWorkloadIn,
  withAllHoldings,
  withOwnProviders,
  withRelations,
  type WorkloadPlacement,
} from './workloadPlacement.js';

export interface ClaimMember extends Omit<WorkloadMember, 'count'> {
  readonly consumers: readonly ClaimConsumer[];
  /** The text to remember of each request; null: too long. */
  readonly texts: readonly (string | null)[];
}

export interface ClaimRequest {
  readonly members: readonly ClaimMember[];
  readonly topology: readonly TopologyRule[];
  readonly topologyAlternatives: readonly (readonly TopologyRule[])[];
  /** Whether consumers that exist stay at their allocations, if they can. */
  readonly stay: boolean;
  /** The name of the workload and the text of its rules under each alternative; null: it has no name. */
  readonly named: { readonly name: string; readonly topologies: readonly (string | null)[] } | null;
  /** Null: each attempt uses a random seed. */
  readonly seed: number | null;
  readonly operation: Operation;
}

/** A consumer after the claim, its candidate, and the consumer that keeps its former allocations. */
export interface Claimed {
  readonly consumer: ConsumerEntity;
  readonly candidate: ClaimCandidate;
  readonly keptAs: ConsumerEntity | null;
}

/** A claimed workload and its consumers in the order of the input. */
export interface ClaimedWorkload {
  readonly placement: WorkloadPlacement;
  readonly claims: readonly Claimed[];
}

export interface ClaimServices {
  readonly snapshots: SnapshotSource;
  readonly ledger: Ledger;
  readonly claims: ClaimWriter;
  readonly database: ConsumerReader;
}

/** The snapshot and the workload of a search, and the consumers to write. */
interface Attempt extends ClaimedConsumers {
  readonly snapshot: Snapshot;
  readonly workload: Workload;
}

/** The maximum time of one search (ms). The claim takes the best placement that it has found until then. */
export const MAX_SEARCH_MS = 5_000;

/** The maximum number of further candidates to read again. */
const MAX_RECHECKED = 1024;

/** The upper bound of the random pause before another attempt (ms). */
const LONGEST_PAUSE_MS = 20;

/**
 * Places a workload in the current snapshot and claims the placement: for all consumers of all members or for
 * none. After a conflict it rechecks the rejected providers and searches again. It reports an unexpectedly
 * existing consumer even if nothing fits, so that a repeated claim after a lost answer is recognized.
 *
 * The search treats the allocations of a consumer that is expected to exist as free. Another consumer may
 * keep those that the new ones do not use. The write of the claim checks the generation of the consumer.
 *
 * @throws InvalidInput, ConsumerGenerationConflict, NoCandidates, TimedOut; ConcurrentUpdate after the
 * retry budget
 */
export async function claim(services: ClaimServices, claimed: ClaimRequest): Promise<ClaimedWorkload> {
  const { ledger, snapshots } = services;
  const { members, operation } = claimed;
  const budget = retryBudget(ledger);
  let conflict: unknown;
  for (let rechecked = 1; ;) {
    const attempt = await prepare(services, claimed);
    const placement = await search(ledger, attempt, claimed, budget.end).catch((error: unknown) => {
      const isCut = error instanceof NoCandidates && error.answer.kind === 'UNDECIDED';
      const isLate = ledger.clock.elapsed() > budget.end;
      throw isCut && isLate && conflict !== undefined ? new ConcurrentUpdate(budget.length, conflict) : error;
    });
    const found = placement.members.flatMap((member) => member.candidates);
    try {
      return { placement, claims: await write(services, claimed, attempt, placement, budget) };
    } catch (error) {
      if (!isOutdated(error)) throw inMember(members, error);
      conflict = error;
      if (ledger.clock.elapsed() > budget.end) throw new ConcurrentUpdate(budget.length, error);
      const claimedOn = new Set(found.flatMap((candidate) => providersOf(attempt.snapshot, candidate)));
      if (error instanceof InvalidInput) claimedOn.add(CATALOG);
      if ((await snapshots.recheck(claimedOn)).length > 0) {
        await recheckBest(services, claimed, placement, rechecked);
        rechecked = Math.min(2 * rechecked, MAX_RECHECKED);
      }
    }
    await setTimeout(Math.random() * LONGEST_PAUSE_MS);
    operation.signal.throwIfAborted();
  }
}

export function workloadOf({
  members,
  topology,
  topologyAlternatives,
}: Pick<ClaimRequest, 'members' | 'topology' | 'topologyAlternatives'>): Workload {
  const counted = members.map((member) => ({ ...member, count: member.consumers.length }));
  return { members: counted, topology, topologyAlternatives };
}

/** Writes the candidates and the consumers that keep former allocations in one transaction. */
async function write(
  { claims }: ClaimServices,
  claimed: ClaimRequest,
  attempt: Attempt,
  placement: WorkloadPlacement,
  budget: RetryBudget,
): Promise<Claimed[]> {
  const { consumers } = attempt;
  const found = placement.members.flatMap((member) => member.candidates);
  const wanted = consumers.map((consumer, at) => ({
    ...withoutAllocations(consumer),
    allocations: found[at].allocations,
  }));
  const takingOver = new Map(
    consumers.flatMap(({ consumer, keepOldAs }) => (keepOldAs ? [[keepOldAs.consumer, consumer]] : [])),
  );
  const requests = new Map(
    claimed.members.flatMap(({ consumers: all, texts }, at): [string, string | null][] => {
      const text = texts[placement.members[at].alternative];
      return all.flatMap(({ consumer, keepRequest }) => (keepRequest ? [] : [[consumer, text]]));
    }),
  );
  const written = await setAllocations(
    claims,
    { consumers: [...wanted, ...keptInputs(attempt, placement)] },
    { takingOver, budget, requests, workload: namedWorkload(claimed, placement) },
  );
  const byUuid = new Map(written.map((consumer) => [consumer.uuid, consumer]));
  return consumers.map(({ keepOldAs }, at) => ({
    consumer: written[at],
    candidate: found[at],
    keptAs: (keepOldAs && byUuid.get(keepOldAs.consumer)) ?? null,
  }));
}

/** @throws InvalidInput for consumers of two projects, and for a name or a request that cannot be stored */
function namedWorkload(
  { named, members }: ClaimRequest,
  placement: WorkloadPlacement | null,
): NamedWorkload | null {
  if (named === null) return null;
  checkOwnName(named.name, ['workload', 'name'], 'workload');
  const [{ projectId }] = members[0].consumers;
  const stored = members.map(({ name, placement: policy, texts, consumers }, at) => {
    consumers.forEach((consumer, position) => {
      const path = ['members', String(at), 'consumers', String(position), 'projectId'];
      const message = `the consumers of a workload are of one project, and the first is of ${projectId}`;
      ensure(consumer.projectId === projectId, path, message);
    });
    const known = texts.filter((text) => text !== null);
    const path = ['members', String(at), 'requests', String(texts.indexOf(null))];
    ensure(known.length === texts.length, path, 'the request is too long to be remembered');
    return {
      name,
      placement: policy,
      texts: known,
      chosen: known[placement?.members[at].alternative ?? 0],
      consumers: consumers.map(({ consumer }) => consumer),
    };
  });
  const topology = named.topologies[placement?.topologyAlternative ?? 0];
  if (topology === null) throw new InvalidInput(['topology'], 'the rules are too long to be remembered');
  return { name: named.name, topology, projectId, members: stored };
}

function providersOf(snapshot: Snapshot, { allocations }: ClaimCandidate): number[] {
  return allocations.flatMap(({ resourceProvider }) => {
    const place = snapshot.locate(resourceProvider);
    return place === undefined ? [] : place.block.ids[place.row];
  });
}

/**
 * Rechecks the providers of the `limit` best candidates of each chosen request. An external
 * program has changed the chosen providers, and so perhaps also the next choices. The caller
 * doubles the limit, so that a claim does not try every provider of a changed fleet.
 */
async function recheckBest(
  services: ClaimServices,
  claimed: ClaimRequest,
  { workload: { members }, members: placed }: WorkloadPlacement,
  limit: number,
): Promise<void> {
  const { seed, operation } = claimed;
  const { snapshot: current, consumers, held } = await prepare(services, claimed);
  const snapshot = withoutHeld(
    current,
    consumers.flatMap(({ consumer }) => held.get(consumer)?.allocations ?? []),
  );
  const providers = new Set<number>();
  for (const [at, { alternative }] of placed.entries()) {
    const request: CandidatesRequest = members[at].requests[alternative];
    const options = { limit, seed: seed ?? randomInt(2 ** 31), wantsComplete: false, operation };
    const { candidates, plan } = await findCandidates(snapshot, request, options);
    for (const { provider } of candidates.flatMap((candidate) => allocationsOf(plan!, candidate)))
      providers.add(provider.block.ids[provider.row]);
  }
  await services.snapshots.recheck(providers);
}

/**
 * Validates the claim in the current snapshot. Reads allocations before the snapshot, so that the
 * snapshot contains them.
 */
async function prepare({ snapshots, database }: ClaimServices, claimed: ClaimRequest): Promise<Attempt> {
  const { members, operation } = claimed;
  const consumers = members.flatMap((member) => member.consumers);
  const stated = workloadOf(claimed);
  const snapshot = await currentSnapshot(snapshots, operation);
  validateWorkloadIn(snapshot, stated);
  checkClaimConsumers(members);
  namedWorkload(claimed, null);
  const toRead = consumersToRead(consumers);
  const [asked, held] = await Promise.all([
    withAllHoldings(database, stated),
    toRead.length === 0 ? new Map<string, HeldConsumer>() : readHeldConsumers(database, toRead),
  ]);
  const workload = withOwnProviders(withRelations(asked, members, held), members, held);
  const { stay } = claimed;
  if (toRead.length === 0) return { snapshot, workload, consumers, held, stay };
  checkHeld(consumers, held);
  return { snapshot: await currentSnapshot(snapshots, operation), workload, consumers, held, stay };
}

async function search(
  ledger: Ledger,
  { snapshot, workload, ...claimed }: Attempt,
  { seed, operation }: ClaimRequest,
  deadline: number,
): Promise<WorkloadPlacement> {
  const end = Math.min(deadline, ledger.clock.elapsed() + MAX_SEARCH_MS);
  const isOver = (): boolean => ledger.clock.elapsed() > end;
  const options = { seed: seed ?? randomInt(2 ** 31), operation, isOver };
  try {
    return await placeBesideKept(snapshot, workload, claimed, options);
  } catch (error) {
    if (error instanceof NoCandidates)
      await rejectExisting(ledger, claimed.consumers.map(withoutAllocations));
    throw error;
  }
}

/** @throws ConsumerGenerationConflict if one of the consumers exists */
function rejectExisting(ledger: Ledger, inputs: readonly ConsumerAllocationsInput[]): Promise<void> {
  return inTransaction(ledger, async (tx) => {
    const uuids = inputs.map(({ consumer }) => consumer);
    checkConsumerGenerations(inputs, await findConsumers(tx, uuids));
  });
}

/** Returns whether the providers or the catalog have changed since the search. */
function isOutdated(error: unknown): boolean {
  if (error instanceof InvalidInput) return error.path.at(-1) === 'resourceClass';
  return [CapacityExceeded, NoInventory, UnitViolation, NotFound].some(
    (rejection) => error instanceof rejection,
  );
}
