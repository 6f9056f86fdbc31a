import type { Plan } from '../model/plan.js';
import { dominantClass, treesOutside } from './amounts.js';
import type { FleetState } from './fleetState.js';
import type { RebalanceProblem } from './problem.js';
import type { Targets } from './targets.js';

/** After this many failures on different hosts no host can take a consumer with the same plan. */
const MAX_FAILURES = 2;

/** Empties hosts, those with the fewest consumers first, each completely or not at all. */
export class HostsToFree {
  /** Hosts outside the scope, empty hosts and the host that is being emptied. */
  private readonly closed: Set<number>;
  /** Hosts that took a consumer: emptying them would move it twice. */
  private readonly receivers = new Set<number>();
  private readonly failures = new Map<Plan | null, number>();

  constructor(
    private readonly problem: RebalanceProblem,
    private readonly state: FleetState,
    private readonly targets: Targets,
  ) {
    this.closed = treesOutside(problem.snapshot, problem.hosts);
    for (const host of problem.hosts) if (state.valueOf(host) === 0) this.closed.add(host);
  }

  *run(): Generator<void, void> {
    const { problem, state } = this;
    const countOf = (host: number): number => state.consumersOn(host).size;
    const hosts = problem.hosts
      .filter((host) => state.valueOf(host) > 0 && !state.hasFixedUsage(host))
      .sort((a, b) => countOf(a) - countOf(b));
    for (const host of hosts) {
      if (problem.isOver() || state.moves.length + countOf(host) > problem.maxMoves) return;
      if (this.receivers.has(host) || this.isHopeless(host)) continue;
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
    const { problem, state, targets } = this;
    const sized = Array.from(state.consumersOn(host), (consumer) => ({
      consumer,
      ...dominantClass(problem.snapshot, state.allocationsOf(consumer)),
    })).sort((a, b) => b.share - a.share);
    for (const [at, { consumer, resourceClass }] of sized.entries()) {
      const options = { strategy: 'PACK', resourceClass, excluded: this.closed, limit: 4 } as const;
      if (yield* targets.move(consumer, options)) continue;
      const { plan } = targets.requests.planOf(consumer);
      if (at === 0) this.failures.set(plan, (this.failures.get(plan) ?? 0) + 1);
      return false;
    }
    return true;
  }

  private isHopeless(host: number): boolean {
    const { state, targets, failures } = this;
    for (const consumer of state.consumersOn(host))
      if ((failures.get(targets.requests.planOf(consumer).plan) ?? 0) >= MAX_FAILURES) return true;
    return false;
  }
}
