import type { Queryable } from '../database/statements.js';
import { ensure, InvalidInput } from '../domain/invalidInput.js';
import { checkLength, type ResourceAmount } from '../domain/providerConditions.js';
import { allocationsOf } from '../engine/model/candidate.js';
import { largestFreeOf } from '../engine/model/classIndex.js';
import { mix } from '../engine/model/random.js';
import type { CandidatesRequest } from '../engine/model/request.js';
import { rootRow, type ProviderRef, type Snapshot } from '../engine/model/snapshot.js';
import { withAllocated, withReleased } from '../engine/overlay/snapshotOverlay.js';
import type { Operation } from '../runtime/operation.js';
import {
  currentSnapshot,
  findCandidates,
  validateIn,
  type FoundCandidates,
  type SnapshotSource,
} from './candidateSearch.js';
import { allocationsIn, readConsumersInTree, type HeldConsumer, readHoldings } from './heldConsumers.js';

/** A request for one consumer, or for all consumers of a type: one of them is null. */
export interface DrainRequest {
  readonly consumer: string | null;
  readonly consumerType: string | null;
  readonly request: CandidatesRequest;
  /** Defaults to the plan's own seed. */
  readonly seed: number | null;
}

export interface DrainMove {
  readonly consumer: HeldConsumer;
  /** The position of the request; null if it was derived from the consumer's allocations. */
  readonly requested: number | null;
  /** The search and its one candidate; without a candidate the consumer cannot move. */
  readonly found: FoundCandidates;
}

export interface DrainPlan {
  readonly root: ProviderRef;
  readonly before: Snapshot;
  /** The snapshot after the moves, with the tree itself. */
  readonly after: Snapshot;
  /** In the order of placement; consumers that cannot move come last. */
  readonly moves: readonly DrainMove[];
}

interface DrainServices {
  readonly snapshots: SnapshotSource;
  readonly database: { readonly pool: Queryable };
}

/** The maximum number of consumers of a tree. */
const MOST_CONSUMERS = 1000;

/** The cost of the search for one consumer. */
const COST_OF_SEARCH = 20;

/**
 * Plans where the consumers of a tree could go, one after another, the largest first, each as if its
 * allocations were released and the earlier ones had moved. Retries those without a candidate after all
 * others. Deterministic; writes nothing. Returns null if the provider does not exist.
 *
 * @throws InvalidInput for invalid requests or too many consumers
 *
 * @throws TimedOut
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
    const consumers = `more than ${MOST_CONSUMERS} consumers have allocations in its tree`;
    throw new InvalidInput(['resourceProvider'], `${consumers}: a plan is for at most that many`);
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

/** @throws InvalidInput unless each request is valid and for one consumer or type, without repetition */
function checkRequests(snapshot: Snapshot, requests: readonly DrainRequest[]): void {
  checkLength(requests, ['requests']);
  const seen = new Set<string>();
  requests.forEach(({ consumer, consumerType, request }, position) => {
    const path = ['requests', String(position)];
    const whom = consumer === null ? `consumer type ${consumerType}` : `consumer ${consumer}`;
    ensure(!seen.has(whom), path, `${whom} is given twice`);
    seen.add(whom);
    validateIn(snapshot, request, [...path, 'request']);
  });
}

/** Excludes the tree of a provider. */
function without(request: CandidatesRequest, uuid: string): CandidatesRequest {
  return { ...request, notInTrees: [...new Set([...request.notInTrees, uuid])] };
}

/** A consumer and its request. */
interface Leaving extends Pick<DrainMove, 'consumer' | 'requested'> {
  readonly request: CandidatesRequest;
  readonly seed: number;
}

class Drain {
  private readonly holdings: Map<string, readonly string[]>;

  constructor(
    /** Contains the moves so far. */
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
      ({ consumerType }) => consumerType !== null && consumerType === consumer.consumerType,
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

/** Sorts by the largest share of what one provider has free of any class. */
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

function sumsOf({ allocations }: HeldConsumer): ResourceAmount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, amount } of allocations.flatMap(({ resources }) => resources))
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** Returns a request of one unsuffixed group with only amounts. */
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
