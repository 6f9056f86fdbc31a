import type { Plan } from '../model/plan.js';
import { dominantClass, treesOutside } from './amounts.js';
import type { FleetState } from './fleetState.js';
import type { RebalanceProblem } from './problem.js';
import type { Targets } from './targets.js';
import { usedIn, Values } from './values.js';

/** The number of hosts to search at a time. */
const CHUNK = 64;

/** Empties hosts, those with the fewest consumers first, each completely or not at all. */
export class HostsToFree {
  /** Hosts outside the scope, empty hosts and the host that is being emptied. */
  private readonly closed: Set<number>;
  /** Hosts that took a consumer: emptying them would move it twice. */
  private readonly receivers = new Set<number>();
  /** The hosts, the fullest first. */
  private readonly fullestFirst: readonly number[];
  /**
   * By plan: how many of these hosts it does not fit, because usage of targets only grows. The last hosts are always
   * searched: one of them may be the host that is being emptied.
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
    const { problem, state } = this;
    const countOf = (host: number): number => state.consumersOn(host).size;
    const hosts = problem.hosts
      .filter((host) => state.valueOf(host) > 0 && !state.hasFixedUsage(host))
      .sort((a, b) => countOf(a) - countOf(b));
    for (const host of hosts) {
      if (problem.isOver() || state.moves.length + countOf(host) > problem.maxMoves) return;
      if (this.receivers.has(host)) continue;
      const before = state.moves.length;
      this.closed.add(host);
      if (yield* this.empty(host)) {
        for (const { to } of state.moves.slice(before))
          for (const { provider } of to) this.receivers.add(provider.treeIndex);
      } else {
        state.undoTo(before);
        this.closed.delete(host);
      }
    }
  }

  private *empty(host: number): Generator<void, boolean> {
    const { problem, state } = this;
    const sized = Array.from(state.consumersOn(host), (consumer) => ({
      consumer,
      ...dominantClass(problem.snapshot, state.allocationsOf(consumer)),
    })).sort((a, b) => b.share - a.share);
    for (const { consumer, resourceClass } of sized)
      if (!(yield* this.move(consumer, resourceClass))) return false;
    return true;
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
