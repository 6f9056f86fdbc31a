import { allocationsOf, type Candidate, type CandidateAllocation } from '../model/candidate.js';
import { Descent } from '../search/descent.js';
import { withAllocated } from '../overlay/allocatedOverlay.js';
import { Effort, EXHAUSTED, PAUSED } from '../model/effort.js';
import { TreeFilter } from '../search/treeFilter.js';
import { TreeOrder } from '../search/treeOrder.js';
import type { Plan } from '../model/plan.js';
import { anchorAt, type Anchor } from '../search/anchor.js';
import { inventoryAt, type Snapshot } from '../model/snapshot.js';

/** Where the candidates of several consumers may lie to each other: what counts is the anchor tree of each. */
export type PlacementPolicy = 'ANY' | 'SAME_TREE' | 'DISTINCT_TREES';

export interface PackingOptions {
  /** How many consumers are to be placed. */
  readonly count: number;
  readonly placement: PlacementPolicy;
  /** The tree to try before all others; null: none. */
  readonly first?: number | null;
  /** Chooses the order of the trees and of the providers in them. */
  readonly seed: number;
  /** How many choices may be tried again before what was found first must do. */
  readonly tries?: number;
}

/** Enough to try all ways to fill a few trees. */
const MOST_TRIES = 10_000;

/** Each step may copy what is used of a block, which takes longer than the effort says. */
const STEPS_PER_RUN = 8;

/** A tree worth a look, and the most consumers that it could take at its best. */
interface PackableTree {
  readonly slot: number;
  readonly bound: number;
}

/** What is left to try after some consumers have been placed. */
interface Frame {
  readonly snapshot: Snapshot;
  /** The position of the tree that is being tried, in the list of trees. */
  at: number;
  descent: Descent | null;
  /** What the consumers placed draw: amounts by provider and class. */
  readonly draws: ReadonlyMap<string, number>;
}

/**
 * Looks for candidates of one plan that several equal consumers can have at the same time.
 *
 * Each tree by itself is packed as full as it goes: depth first, turning back where that cannot beat the best so far, and
 * never trying again what only differs in which consumer has what. Where no provider is shared the trees do not touch
 * each other, and that is all; else, where it is not enough, the trees are searched together in the same way. Without a
 * result either nothing fits, or the tries have come to an end: see {@link isProven}.
 *
 * Like Search it is a value in progress without clock or chance.
 */
export class Packing {
  readonly effort = new Effort();
  /** What the consumers get, once the search is done; null: no way was found. */
  found: readonly Candidate[] | null = null;

  private readonly filter: TreeFilter;
  private readonly work: Generator<void, readonly Candidate[] | null>;
  private triesLeft: number;
  private hasGivenUp = false;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    private readonly options: PackingOptions,
  ) {
    this.filter = new TreeFilter(snapshot, plan);
    this.triesLeft = options.tries ?? MOST_TRIES;
    this.work = options.placement === 'SAME_TREE' ? this.packOneTree() : this.packTrees();
  }

  /** Whether nothing was left untried: then, with nothing found, nothing fits. */
  get isProven(): boolean {
    return !this.hasGivenUp;
  }

  /** Goes on for about so much work (Effort.spent), or for less; true when there is nothing left to do. */
  run(budget = Infinity): boolean {
    this.effort.allow(budget);
    for (let step = 0; step < STEPS_PER_RUN && !this.effort.isUsedUp; step++) {
      const { done, value } = this.work.next();
      if (done === true) {
        this.found = value;
        return true;
      }
    }
    return false;
  }

  private *packOneTree(): Generator<void, readonly Candidate[] | null> {
    const { count } = this.options;
    for (const anchor of this.anchors()) {
      yield;
      if (anchor.bound < count) continue;
      const most = yield* this.most(this.snapshot, [anchor], count);
      if (most.length === count) return most;
    }
    return null;
  }

  private *packTrees(): Generator<void, readonly Candidate[] | null> {
    const { count, placement } = this.options;
    const anchors: PackableTree[] = [];
    const packed: Candidate[] = [];
    let snapshot = this.snapshot;
    for (const anchor of this.anchors()) {
      yield;
      anchors.push(anchor);
      const wanted = placement === 'ANY' ? count - packed.length : 1;
      for (const candidate of yield* this.most(snapshot, [anchor], wanted)) {
        packed.push(candidate);
        snapshot = withAllocated(snapshot, allocationsOf(this.plan, candidate));
      }
      if (packed.length === count) return packed;
    }
    const sum = anchors.reduce((all, { bound }) => all + bound, 0);
    if (sum < count || !this.filter.shareable.includes(true)) return null;
    const together = yield* this.most(this.snapshot, anchors, count);
    return together.length === count ? together : null;
  }

  /** The trees that could take any consumer, in a seeded order. */
  private *anchors(): Generator<PackableTree> {
    const order = new TreeOrder(this.snapshot, this.filter, this.options.seed, this.effort);
    const { count, placement, first = null } = this.options;
    const most = placement === 'DISTINCT_TREES' ? 1 : count;
    for (let treeIndex = first ?? order.next(); treeIndex !== undefined; treeIndex = nextBut(first, order)) {
      const anchor = this.anchor(this.snapshot, treeIndex);
      if (anchor !== null) yield { slot: treeIndex, bound: Math.min(most, this.boundOf(anchor)) };
    }
  }

  /**
   * The most consumers, up to `wanted`, that the trees can take: trees in their order, each first filled as it comes. From
   * the first step back on the tries count, and one call may use half of those left.
   */
  private *most(
    snapshot: Snapshot,
    anchors: readonly PackableTree[],
    wanted: number,
  ): Generator<void, readonly Candidate[]> {
    const isOnce = this.options.placement === 'DISTINCT_TREES';
    const boundsAfter = sumsAfter(anchors);
    const lastTry = Math.floor(this.triesLeft / 2);
    const seen = new Set<string>();
    const chosen: Candidate[] = [];
    const frames: Frame[] = [{ snapshot, at: 0, descent: null, draws: new Map() }];
    let best: readonly Candidate[] = [];
    let hasTurnedBack = false;
    while (frames.length > 0 && best.length < wanted) {
      const frame = frames[frames.length - 1];
      if (chosen.length + boundsAfter[frame.at] <= best.length) {
        frames.pop();
        chosen.pop();
        hasTurnedBack = true;
        continue;
      }
      const toBeat = best.length - chosen.length - boundsAfter[frame.at + 1];
      frame.descent ??= this.descentAt(frame.snapshot, anchors[frame.at].slot, toBeat);
      const choice = frame.descent?.next() ?? EXHAUSTED;
      if (choice === PAUSED) {
        yield;
      } else if (choice === EXHAUSTED) {
        frame.at++;
        frame.descent = null;
      } else {
        if (hasTurnedBack && this.triesLeft-- <= lastTry) {
          this.hasGivenUp = true;
          break;
        }
        yield;
        const allocations = allocationsOf(this.plan, { assignments: choice });
        const draws = sumOf(frame.draws, allocations);
        const at = frame.at + (isOnce ? 1 : 0);
        if (isRepeated(seen, at, draws)) continue;
        chosen.push({ assignments: choice });
        if (chosen.length > best.length) best = [...chosen];
        frames.push({ snapshot: withAllocated(frame.snapshot, allocations), at, descent: null, draws });
      }
    }
    return best;
  }

  /** The candidates at a tree, where it might take more consumers than so many; null where it cannot. */
  private descentAt(snapshot: Snapshot, treeIndex: number, toBeat: number): Descent | null {
    const anchor = this.anchor(snapshot, treeIndex);
    return anchor === null || this.boundOf(anchor) <= toBeat
      ? null
      : new Descent(this.plan, anchor, this.effort);
  }

  private anchor(snapshot: Snapshot, treeIndex: number): Anchor | null {
    this.effort.treesVisited++;
    return anchorAt(snapshot, this.plan, this.filter, treeIndex, this.options.seed);
  }

  /** No more consumers than this: each needs every variable, and its providers can serve it only so often. */
  private boundOf({ providers, domains }: Anchor): number {
    const bounds = this.plan.variables.map(({ resources, canSplit }, variable) => {
      if (resources.length === 0 || canSplit) return Infinity;
      return domains[variable].reduce((sum, provider) => {
        const { block, row } = providers[provider];
        const times = resources.map(({ resourceClass, amount }) => {
          const at = inventoryAt(block, row, resourceClass);
          return Math.floor((block.capacities[at] - block.used[at]) / amount);
        });
        return sum + Math.min(...times);
      }, 0);
    });
    return Math.min(...bounds);
  }
}

/** The next tree of an order, without one. */
function nextBut(treeIndex: number | null, order: TreeOrder): number | undefined {
  const next = order.next();
  return next !== undefined && next === treeIndex ? order.next() : next;
}

/** Per position the sum of the bounds from there on; 0 behind the last. */
function sumsAfter(anchors: readonly PackableTree[]): number[] {
  const sums = [0];
  for (const { bound } of [...anchors].reverse()) sums.unshift(sums[0] + bound);
  return sums;
}

function sumOf(
  draws: ReadonlyMap<string, number>,
  allocations: readonly CandidateAllocation[],
): Map<string, number> {
  const sums = new Map(draws);
  for (const { provider, resources } of allocations) {
    for (const { resourceClass, amount } of resources) {
      const key = `${provider.block.ids[provider.row]} ${resourceClass}`;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    }
  }
  return sums;
}

/** Whether the same was drawn before with the same trees left: all that differs is which consumer has what. */
function isRepeated(seen: Set<string>, at: number, draws: ReadonlyMap<string, number>): boolean {
  const key = [at, ...Array.from(draws, ([shelf, sum]) => `${shelf} ${sum}`).sort()].join();
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}
