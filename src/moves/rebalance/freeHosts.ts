import type { CandidateAllocation } from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import { isSharing } from '../../search/treeFilter.js';
import type { SizedConsumer } from './inventoryAmounts.js';
import type { FleetState } from './fleetState.js';
import { keyOf, treesOf, type RebalanceMove } from './problem.js';
import type { Targets } from './targets.js';
import { usedIn, Values } from './values.js';

/** The number of hosts to search at a time. */
const CHUNK = 64;

/** The maximum number of hosts in the second pass, which also moves smaller consumers away. */
const MAX_ROUNDS = 32;
/** The maximum number of hosts to move smaller consumers off, and of such consumers per host. */
const MAX_ROOMS = 8;
const MAX_MOVED_AWAY = 2;

/** Moves a consumer of a host that is being emptied. Returns false if it fits no host. */
type TryMove = (consumer: SizedConsumer) => Generator<void, boolean>;

/**
 * Empties hosts, those with the fewest consumers first, each completely or not at all. Then retries
 * some of the other hosts: a consumer that fits no host replaces a smaller consumer, which moves to
 * a third host.
 */
export class HostsToFree {
  /** Empty hosts and the host that is being emptied. */
  private readonly closed = new Set<number>();
  /** Hosts that took a consumer: emptying them would move it twice. */
  private readonly receivers = new Set<number>();
  /** The hosts, the fullest first. */
  private readonly fullestFirst: readonly number[];
  private readonly chunkOf = new Map<number, number>();
  /** By chunk of `fullestFirst`: how often one of its hosts gained free amounts or was opened. */
  private readonly gains: Uint32Array;
  /**
   * By plan, present allocations on sharing providers, and chunk: the number of gains when the plan
   * last fitted no host of the chunk. Such a chunk is not searched again before its next gain.
   */
  private readonly failures = new Map<Plan | null, Map<string, Int32Array>>();

  constructor(
    private readonly state: FleetState,
    private readonly targets: Targets,
  ) {
    const { problem } = state;
    for (const host of problem.hosts) if (state.valueOf(host) === 0) this.closed.add(host);
    const utilization = new Values({ ...problem, goal: 'EVEN_OUT' });
    const used = usedIn(problem.snapshot);
    this.fullestFirst = problem.hosts
      .filter((host) => !this.closed.has(host))
      .map((host) => ({ host, share: utilization.of(host, used) }))
      .sort((a, b) => b.share - a.share)
      .map(({ host }) => host);
    this.fullestFirst.forEach((host, at) => this.chunkOf.set(host, Math.floor(at / CHUNK)));
    this.gains = new Uint32Array(Math.ceil(this.fullestFirst.length / CHUNK));
  }

  *run(): Generator<void, void> {
    yield* this.emptyHosts(Infinity, (consumer) => this.move(consumer));
    yield* this.emptyHosts(MAX_ROUNDS, (consumer) => this.moveOrMakeRoom(consumer));
  }

  private *emptyHosts(maxRounds: number, move: TryMove): Generator<void, void> {
    const { state, receivers, closed } = this;
    const { problem } = state;
    const countOf = (host: number): number => state.consumersOn(host).size;
    const hosts = problem.hosts
      .filter((host) => state.valueOf(host) > 0 && !state.hasFixedUsage(host) && !receivers.has(host))
      .sort((a, b) => countOf(a) - countOf(b))
      .slice(0, maxRounds);
    for (const host of hosts) {
      if (problem.isOver() || state.moves.length + countOf(host) > problem.maxMoves) return;
      if (receivers.has(host)) continue;
      const before = state.moves.length;
      closed.add(host);
      if ((yield* this.empty(host, move)) && state.moves.length <= problem.maxMoves) {
        for (const { to } of state.moves.slice(before))
          for (const { provider } of to) receivers.add(provider.treeIndex);
      } else {
        this.undoTo(before);
        this.open(host);
      }
    }
  }

  private *empty(host: number, move: TryMove): Generator<void, boolean> {
    const { state } = this;
    for (const sized of this.largestFirst(host)) {
      // Another move of its group may have moved it already.
      if (!state.consumersOn(host).has(sized.consumer)) continue;
      if (!(yield* move(sized))) return false;
    }
    return true;
  }

  private largestFirst(host: number): SizedConsumer[] {
    const { state } = this;
    const consumers = Array.from(state.consumersOn(host), (consumer) => state.sized(consumer));
    return consumers.sort((a, b) => b.share - a.share);
  }

  private *moveOrMakeRoom(sized: SizedConsumer): Generator<void, boolean> {
    if (yield* this.move(sized)) return true;
    const { consumer, resourceClass } = sized;
    const { state, targets, closed, fullestFirst } = this;
    const rooms = fullestFirst.filter((host) => !closed.has(host)).slice(-MAX_ROOMS);
    for (const host of rooms.reverse()) {
      const options = { strategy: 'PACK', resourceClass, excluded: closed, among: [host], limit: 1 } as const;
      for (const other of this.smallestOn(host)) {
        const before = state.moves.length;
        closed.add(host);
        const hasRoom = yield* this.move(other);
        this.open(host);
        if (hasRoom && (yield* targets.move(consumer, options))) {
          this.addSharedGain(state.moves[state.moves.length - 1]);
          return true;
        }
        this.undoTo(before);
      }
    }
    return false;
  }

  /** Returns the smallest consumers of a host that have not moved yet. */
  private smallestOn(host: number): SizedConsumer[] {
    const { state } = this;
    const { consumers } = state.problem;
    return this.largestFirst(host)
      .filter(({ consumer }) => state.canMove(consumer))
      .filter(({ consumer }) => state.allocationsOf(consumer) === consumers[consumer].allocations)
      .slice(-MAX_MOVED_AWAY)
      .reverse();
  }

  /** Moves a consumer to one of the fullest hosts that it fits. */
  private *move({ consumer, resourceClass }: SizedConsumer): Generator<void, boolean> {
    const { state, targets, closed, fullestFirst, gains } = this;
    // Where a related consumer fits depends on the positions of the others.
    const failures = targets.requests.relations.isRelated(consumer) ? null : this.failuresOf(consumer);
    for (let chunk = 0; chunk < gains.length; chunk++) {
      if (failures?.[chunk] === gains[chunk]) continue;
      const among = fullestFirst.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
      const options = { strategy: 'PACK', resourceClass, excluded: closed, among, limit: 4 } as const;
      if (yield* targets.move(consumer, options)) {
        this.addSharedGain(state.moves[state.moves.length - 1]);
        return true;
      }
      if (failures !== null) failures[chunk] = gains[chunk];
    }
    return false;
  }

  /** Returns the failures of the consumers that fit the same hosts as this one. */
  private failuresOf(consumer: number): Int32Array {
    const plan = this.targets.requests.planOf(consumer);
    const byShared = this.failures.get(plan) ?? new Map<string, Int32Array>();
    this.failures.set(plan, byShared);
    const shared = keyOf(this.state.allocationsOf(consumer).filter(isOnSharingProvider));
    const failures = byShared.get(shared) ?? new Int32Array(this.gains.length).fill(-1);
    byShared.set(shared, failures);
    return failures;
  }

  private open(host: number): void {
    this.closed.delete(host);
    this.addGain(host);
  }

  /** Undoes the last moves until `count` are left. */
  private undoTo(count: number): void {
    const { state } = this;
    for (const { consumer, from, to } of state.moves.slice(count)) {
      for (const tree of treesOf(to)) this.addGain(tree);
      this.addSharedGain({ consumer, from: to, to: from });
    }
    state.undoTo(count);
  }

  private addGain(host: number): void {
    const chunk = this.chunkOf.get(host);
    if (chunk !== undefined) this.gains[chunk]++;
  }

  /** Counts a gain of all hosts if a consumer left a sharing provider, which may serve any of them. */
  private addSharedGain({ from, to }: RebalanceMove): void {
    const after = keyOf(to.filter(isOnSharingProvider));
    if (keyOf(from.filter(isOnSharingProvider)) !== after)
      this.gains.forEach((count, at) => (this.gains[at] = count + 1));
  }
}

function isOnSharingProvider({ provider }: CandidateAllocation): boolean {
  return isSharing(provider);
}
