import { allocationsOf, anchorTreeOf } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import { finishedSearch } from '../../search/candidateSearch.js';
import type { ConsumerRequests } from './consumerRequests.js';
import type { Faults } from './faults.js';
import type { FleetState } from './fleetState.js';
import { isBetter, treesOf } from './problem.js';
import { ShortestMoves } from './shortestMoves.js';

/** The maximum number of hosts to improve, each together with at most MAX_PARTNERS other hosts. */
const MAX_ROUNDS = 64;
const MAX_PARTNERS = 3;
/** The numbers of consumers to enumerate, in turn. More consumers may have too many states. */
const CONSUMER_COUNTS = [6, 4];
/** The number of candidates from which the partners of a faulty consumer are chosen. */
const MAX_CANDIDATES = 64;

/**
 * Improves hosts of a large fleet that no single move improves. Enumerates the moves of some
 * consumers between such a host and a few other hosts, for example a swap through a spare host.
 */
export class Neighborhoods {
  constructor(
    private readonly state: FleetState,
    private readonly requests: ConsumerRequests,
    private readonly faults: Faults,
    private readonly effort: Effort,
  ) {}

  *run(): Generator<void, void> {
    const { state } = this;
    const { problem } = state;
    const stuck = new Set<number>();
    let best = { value: this.value, moves: state.moves.length };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.effort.otherWork += problem.hosts.length >> 3;
      if (this.effort.isUsedUp) yield;
      const host = this.worstHost(stuck);
      if (host === undefined || problem.isOver() || state.moves.length >= problem.maxMoves) break;
      if (!(yield* this.improve(host))) {
        if (problem.goal === 'EVEN_OUT') break;
        stuck.add(host);
      } else if (isBetter(this.value, best.value)) best = { value: this.value, moves: state.moves.length };
    }
    // Several hosts may have the highest utilization. Drops moves that did not improve all of them.
    state.undoTo(best.moves);
  }

  private get value(): number {
    const { state, faults } = this;
    return state.value + faults.valueAt(state.positions);
  }

  /** Returns the host with the highest value, or any with a fault. */
  private worstHost(stuck: ReadonlySet<number>): number | undefined {
    const { state, faults } = this;
    const { hosts, goal } = state.problem;
    if (goal === 'FIX') {
      const faulty = faults.at(state.positions).consumers.flatMap((one) => treesOf(state.allocationsOf(one)));
      const over = hosts.filter((host) => state.valueOf(host) > 0);
      return [...faulty, ...over].find((host) => !stuck.has(host) && !state.outside.has(host));
    }
    return hosts.reduce((worst, host) => (state.valueOf(host) > state.valueOf(worst) ? host : worst));
  }

  private *improve(host: number): Generator<void, boolean> {
    const movers = this.moversOn(host);
    if (movers.length === 0) return false;
    const isFix = this.state.problem.goal === 'FIX';
    const partners = isFix ? yield* this.partnersOf(movers[0], host) : this.emptiestHosts(host);
    const hosts = [host, ...partners];
    for (const count of CONSUMER_COUNTS) {
      const consumers = this.someConsumers(hosts, count);
      const { state, requests, faults, effort } = this;
      const found = yield* new ShortestMoves(state, requests, faults, effort, { hosts, consumers }).run();
      if (found === null) continue;
      for (const { consumer, to } of found.moves) {
        state.release(consumer);
        state.finishMove(consumer, to);
      }
      if (found.isComplete || found.moves.length > 0) return found.moves.length > 0;
    }
    return false;
  }

  /** Returns the movable consumers: faulty ones first, then the smallest. */
  private moversOn(host: number): number[] {
    const { state, faults } = this;
    const isFaulty = (one: number): boolean => faults.valueOf(one, state.positions) > 0;
    return Array.from(state.consumersOn(host))
      .filter((one) => state.canMove(one))
      .map((one) => state.sized(one))
      .sort((a, b) => a.share - b.share)
      .map(({ consumer }) => consumer)
      .sort((a, b) => Number(isFaulty(b)) - Number(isFaulty(a)));
  }

  /** Returns up to `count` consumers, one of each host in turn. */
  private someConsumers(hosts: readonly number[], count: number): number[] {
    const lists = hosts.map((host) => this.moversOn(host));
    const chosen = new Set<number>();
    for (let at = 0; at < count; at++)
      for (const list of lists) if (at < list.length && chosen.size < count) chosen.add(list[at]);
    return [...chosen];
  }

  private emptiestHosts(except: number): number[] {
    const { state } = this;
    const others = state.problem.hosts.filter((host) => host !== except);
    return lowest(others, MAX_PARTNERS, (host) => state.valueOf(host));
  }

  /**
   * Returns hosts that could serve a consumer if they were empty, those with the fewest consumers
   * first, and a spare host.
   */
  private *partnersOf(consumer: number, except: number): Generator<void, number[]> {
    const { state, effort, requests } = this;
    const { problem } = state;
    const { empty } = requests;
    const stated = requests.planOf(consumer);
    if (stated === null) return [];
    const plan = state.planWithin(stated);
    const filter = state.filterFor(empty, plan);
    const options = { limit: MAX_CANDIDATES, seed: 0, stopsAtLimit: true, filter };
    const { candidates } = yield* finishedSearch(empty, plan, options, effort);
    const countOf = (host: number): number => state.consumersOn(host).size;
    const trees = candidates.flatMap((candidate) => treesOf(allocationsOf(plan, candidate)));
    const serving = [...new Set(trees)].filter((tree) => tree !== except && !state.outside.has(tree));
    const partners = lowest(serving, MAX_PARTNERS - 1, countOf);
    const others = problem.hosts.filter((host) => host !== except && !partners.includes(host));
    const spare = yield* this.spareHostFor(consumer, new Set([except, ...partners]));
    return [...partners, ...(spare === null ? lowest(others, 1, countOf) : [spare])];
  }

  /** Returns a host where a consumer may rest between two moves. */
  private *spareHostFor(consumer: number, excluded: ReadonlySet<number>): Generator<void, number | null> {
    const { state, effort, requests } = this;
    const rest = requests.restPlanOf(consumer);
    if (rest === null) return null;
    const plan = state.planWithin(rest);
    const filter = state.filterFor(state.overlay, plan, excluded);
    const options = { limit: 1, seed: 0, stopsAtLimit: true, filter };
    const { candidates } = yield* finishedSearch(state.overlay, plan, options, effort);
    return candidates.length === 0 ? null : anchorTreeOf(candidates[0]);
  }
}

/** Returns the `count` hosts with the lowest values, the lowest first, in one pass. */
function lowest(hosts: Iterable<number>, count: number, valueOf: (host: number) => number): number[] {
  const found: number[] = [];
  for (const host of hosts) {
    let at = found.length;
    while (at > 0 && valueOf(host) < valueOf(found[at - 1])) at--;
    if (at === count) continue;
    found.splice(at, 0, host);
    if (found.length > count) found.pop();
  }
  return found;
}
