import type { Reader } from '../database/statements.js';
import { InvalidInput } from '../domain/invalidInput.js';
import { checkLength, type ResourceAmount } from '../domain/providerConditions.js';
import { allocationsOf } from '../engine/model/candidate.js';
import { largestFreeOf } from '../engine/model/classIndex.js';
import { mix } from '../engine/model/random.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import { rootRow, type ProviderRef, type Snapshot } from '../engine/model/snapshot.js';
import { withAllocated, withReleased } from '../engine/overlay/allocatedOverlay.js';
import type { Operation } from '../runtime/operation.js';
import {
  currentSnapshot,
  findCandidates,
  validateIn,
  type FoundCandidates,
  type SnapshotSource,
} from './candidateSearch.js';
import { allocationsIn, readConsumersInTree, type HeldConsumer } from './heldConsumers.js';
import { readHoldings } from './holdings.js';

/** What consumers ask for that are to leave: one of them, or all of a type. */
export interface DrainRequest {
  readonly consumer?: string | null;
  readonly consumerType?: string | null;
  readonly request: CandidatesRequest;
  /** Null: the plan's own. */
  readonly seed: number | null;
}

/** Where one consumer would go. */
export interface DrainMove {
  readonly consumer: HeldConsumer;
  /** The position of the request that was used; null: it was derived from what the consumer has. */
  readonly requested: number | null;
  /** The search for it, and its one candidate; without one it cannot go. */
  readonly found: FoundCandidates;
}

export interface DrainPlan {
  readonly root: ProviderRef;
  readonly before: Snapshot;
  /** With all that can go moved; the tree itself is in it still. */
  readonly after: Snapshot;
  /** In the order in which they were placed; those that cannot go come last. */
  readonly moves: readonly DrainMove[];
}

interface DrainServices {
  readonly snapshots: SnapshotSource;
  readonly database: { readonly pool: Reader };
}

/** A tree with more consumers is not planned. */
const MOST_CONSUMERS = 1000;

/** What a search for one consumer costs. */
const COST_OF_SEARCH = 20;

/**
 * Plans where the consumers with anything in a tree could go, one after another, the largest first, each as if it had let go of all
 * that it has and those before it had moved. One for which nothing is found is tried again when all others have been. Nothing is written, and
 * the same state gives the same plan. Null: there is no such provider.
 *
 * @throws InvalidInput for requests that are malformed or name what the catalog does not have, and for a tree with too many consumers
 * @throws TimedOut when the operation takes longer than it may
 */
export async function planDrain(
  { snapshots, database: { pool } }: DrainServices,
  uuid: string,
  requests: readonly DrainRequest[],
  operation: Operation,
): Promise<DrainPlan | null> {
  const snapshot = await currentSnapshot(snapshots, operation);
  const excluding = requests.map((each) => ({ ...each, request: without(each.request, uuid) }));
  checkRequests(snapshot, excluding);
  const provider = snapshot.locate(uuid);
  if (provider === undefined) return null;
  const { block, row } = provider;
  const [found, holdings] = await Promise.all([
    readConsumersInTree(pool, block.ids[rootRow(block, row)], MOST_CONSUMERS),
    readHoldings(
      pool,
      requests.flatMap(({ request }) => [...request.awayFromConsumers, ...request.nearConsumers]),
    ),
  ]);
  if (found === null) {
    const message = `more than ${MOST_CONSUMERS} consumers have allocations in its tree: a plan is for at most that many`;
    throw new InvalidInput(['resourceProvider'], message);
  }
  operation.charge(COST_OF_SEARCH * found.length);
  const current = await currentSnapshot(snapshots, operation);
  const there = current.locate(uuid);
  if (there === undefined) return null;
  const drain = new Drain(current, uuid, excluding, holdings, operation);
  const moves = await drain.place(found);
  const root = { block: there.block, row: rootRow(there.block, there.row) };
  return { root, before: current, after: drain.snapshot, moves };
}

/** @throws InvalidInput unless each request is valid and for one consumer or one type, and none is for the same as another */
function checkRequests(snapshot: Snapshot, requests: readonly DrainRequest[]): void {
  checkLength(requests, ['requests']);
  const seen = new Set<string>();
  requests.forEach(({ consumer, consumerType, request }, position) => {
    const path = ['requests', String(position)];
    if ((consumer == null) === (consumerType == null)) {
      throw new InvalidInput(path, 'give either consumer or consumerType: whom the request is for');
    }
    const whom = consumer == null ? `consumer type ${consumerType}` : `consumer ${consumer}`;
    if (seen.has(whom)) throw new InvalidInput(path, `${whom} is given twice`);
    seen.add(whom);
    validateIn(snapshot, request, [...path, 'request']);
  });
}

/** The request without the tree of a provider. */
function without(request: CandidatesRequest, uuid: string): CandidatesRequest {
  return { ...request, notInTrees: [...new Set([...request.notInTrees, uuid])] };
}

/** A consumer and what it is to have elsewhere. */
interface Leaving extends Pick<DrainMove, 'consumer' | 'requested'> {
  readonly request: CandidatesRequest;
  readonly seed: number;
}

/** A plan in the making. */
class Drain {
  private readonly holdings: Map<string, readonly string[]>;

  constructor(
    /** With what has been planned so far. */
    public snapshot: Snapshot,
    private readonly uuid: string,
    private readonly requests: readonly DrainRequest[],
    holdings: ReadonlyMap<string, readonly string[]>,
    private readonly operation: Operation,
  ) {
    this.holdings = new Map(holdings);
  }

  async place(consumers: readonly HeldConsumer[]): Promise<DrainMove[]> {
    const placed: DrainMove[] = [];
    let left = largestFirst(
      this.snapshot,
      consumers.map((consumer, at) => this.leaving(consumer, at)),
    );
    for (;;) {
      const moves: DrainMove[] = [];
      for (const each of left) moves.push(await this.move(each));
      const stuck = left.filter((_, at) => moves[at].found.candidates.length === 0);
      placed.push(...moves.filter(({ found }) => found.candidates.length > 0));
      if (stuck.length === left.length) return [...placed, ...moves];
      left = stuck;
    }
  }

  private leaving(consumer: HeldConsumer, at: number): Leaving {
    const { requests } = this;
    const own = requests.findIndex((request) => request.consumer === consumer.uuid);
    const ofType = requests.findIndex(
      ({ consumerType }) => consumerType != null && consumerType === consumer.consumerType,
    );
    const requested = own >= 0 ? own : ofType;
    const seed = mix(requests[requested]?.seed ?? 0, at);
    return requested >= 0
      ? { consumer, requested, seed, request: { ...requests[requested].request, holdings: this.holdings } }
      : { consumer, requested: null, seed, request: without(requestFor(sumsOf(consumer)), this.uuid) };
  }

  private async move({ consumer, requested, request, seed }: Leaving): Promise<DrainMove> {
    const { operation } = this;
    const released = withReleased(this.snapshot, allocationsIn(this.snapshot, consumer.allocations));
    const options = { limit: 1, seed, wantsComplete: false, operation };
    const found = await findCandidates(released, request, options);
    const [candidate] = found.candidates;
    if (candidate !== undefined) {
      const allocations = allocationsOf(found.plan!, candidate);
      this.snapshot = withAllocated(released, allocations);
      const providers = allocations.map(({ provider: { block, row } }) => block.uuids[row]);
      if (this.holdings.has(consumer.uuid)) this.holdings.set(consumer.uuid, providers);
    }
    return { consumer, requested, found };
  }
}

/** By how much of what is free anywhere in one place they ask for, of the class of which that is the most. */
function largestFirst({ blocks, classes }: Snapshot, leaving: readonly Leaving[]): Leaving[] {
  const largestFree = new Map<number, number>();
  const sizeOf = ({ request }: Leaving): number => {
    const shares = request.groups.flatMap(({ resources }) =>
      resources.map(({ resourceClass, amount }) => {
        const id = classes.idOf(resourceClass);
        if (id === undefined) return Infinity;
        const free = largestFree.get(id) ?? largestFreeOf(blocks, id);
        largestFree.set(id, free);
        return amount / free;
      }),
    );
    return Math.max(...shares);
  };
  return leaving
    .map((each) => ({ each, size: sizeOf(each) }))
    .sort((a, b) => (a.size === b.size ? 0 : b.size - a.size))
    .map(({ each }) => each);
}

/** What a consumer has of each class, wherever it is. */
function sumsOf({ allocations }: HeldConsumer): ResourceAmount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, amount } of allocations.flatMap(({ resources }) => resources))
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** A request of one unsuffixed group that asks for amounts and nothing else. */
function requestFor(resources: readonly ResourceAmount[]): CandidatesRequest {
  const group = {
    suffix: '',
    resources,
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
    inSubtree: null,
    canSplit: [],
  };
  return {
    groups: [group],
    groupPolicy: 'NONE',
    sameSubtree: [],
    isolate: [],
    rootRequiredTraits: [],
    rootForbiddenTraits: [],
    rootMemberOf: [],
    rootForbiddenAggregates: [],
    notInTrees: [],
    awayFromConsumers: [],
    nearConsumers: [],
    orderBy: [],
  };
}
