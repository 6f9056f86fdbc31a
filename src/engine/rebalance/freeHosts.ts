import type { Plan } from '../model/plan.js';
import { dominantClass, treesOutside } from './amounts.js';
import type { FleetState } from './fleetState.js';
import type { RebalanceProblem } from './problem.js';
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
type Move = (consumer: number, resourceClass: number) => Generator<void, boolean>;

/**
 * Empties hosts, those with the fewest consumers first, each completely or not at all. Then retries
 * some of the other hosts: a consumer that fits no host replaces a smaller consumer, which moves to
 * a third host.
 */
export class HostsToFree {
  /** Hosts outside the scope, empty hosts and the host that is being emptied. */
  private readonly closed: Set<number>;
  /** Hosts that took a consumer: emptying them would move it twice. */
  private readonly receivers = new Set<number>();
  /** The hosts, the fullest first. */
  private readonly fullestFirst: readonly number[];
  /**
   * By plan: how many of the fullest hosts to skip, because the plan did not fit them before.
   * Assumes that usage of targets only grows. The last hosts are always searched: one of them may
   * be the host that is being emptied.
   */
  private readonly full = new Map<Plan | null, number>();

  constructor(
    private readonly problem: RebalanceProblem,
    private readonly state: FleetState,
    private readonly targets: Targets,
  ) {
    this.closed = treesOutside(problem.snapshot, problem.hosts);
    for (const host of problem.hosts) if (state.valueOf(host) === 0) this.closed.add(host);
    const utilization = new Values({ ...problem, goal: 'EVEN_OUT' });
    const used = usedIn(problem.snapshot);
    this.fullestFirst = problem.hosts
      .filter((host) => !this.closed.has(host))
      .map((host) => ({ host, share: utilization.of(host, used) }))
      .sort((a, b) => b.share - a.share)
      .map(({ host }) => host);
  }

  *run(): Generator<void, void> {
    yield* this.emptyHosts(Infinity, (consumer, resourceClass) => this.move(consumer, resourceClass));
    yield* this.emptyHosts(MAX_ROUNDS, (consumer, resourceClass) =>
      this.moveOrMakeRoom(consumer, resourceClass),
    );
  }

  private *emptyHosts(maxRounds: number, move: Move): Generator<void, void> {
    const { problem, state, receivers, closed } = this;
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
        state.undoTo(before);
        closed.delete(host);
      }
    }
  }

  private *empty(host: number, move: Move): Generator<void, boolean> {
    for (const { consumer, resourceClass } of this.largestFirst(host))
      if (!(yield* move(consumer, resourceClass))) return false;
    return true;
  }

  private largestFirst(host: number): { readonly consumer: number; readonly resourceClass: number }[] {
    const { problem, state } = this;
    return Array.from(state.consumersOn(host), (consumer) => ({
      consumer,
      ...dominantClass(problem.snapshot, state.allocationsOf(consumer)),
    })).sort((a, b) => b.share - a.share);
  }

  private *moveOrMakeRoom(consumer: number, resourceClass: number): Generator<void, boolean> {
    if (yield* this.move(consumer, resourceClass)) return true;
    const { state, targets, closed, fullestFirst } = this;
    const rooms = fullestFirst.filter((host) => !closed.has(host)).slice(-MAX_ROOMS);
    for (const host of rooms.reverse()) {
      const options = { strategy: 'PACK', resourceClass, excluded: closed, among: [host], limit: 1 } as const;
      for (const other of this.smallestOn(host)) {
        const before = state.moves.length;
        closed.add(host);
        const hasRoom = yield* this.move(other.consumer, other.resourceClass);
        closed.delete(host);
        if (hasRoom && (yield* targets.move(consumer, options))) return true;
        state.undoTo(before);
      }
    }
    return false;
  }

  /** Returns the smallest consumers of a host that have not moved yet. */
  private smallestOn(host: number): ReturnType<typeof this.largestFirst> {
    const { problem, state } = this;
    return this.largestFirst(host)
      .filter(({ consumer }) => state.canMove(consumer))
      .filter(({ consumer }) => state.allocationsOf(consumer) === problem.consumers[consumer].allocations)
      .slice(-MAX_MOVED_AWAY)
      .reverse();
  }

  /** Moves a consumer to one of the fullest hosts that it fits. */
  private *move(consumer: number, resourceClass: number): Generator<void, boolean> {
    const { targets, closed, fullestFirst, full } = this;
    const { plan } = targets.requests.planOf(consumer);
    for (let at = full.get(plan) ?? 0; at < fullestFirst.length; at += CHUNK) {
      full.set(plan, at);
      const among = fullestFirst.slice(at, at + CHUNK);
      const options = { strategy: 'PACK', resourceClass, excluded: closed, among, limit: 4 } as const;
      if (yield* targets.move(consumer, options)) return true;
    }
    return false;
  }
}
