import { isAhead, type Standing } from './contest.js';
import { promiseAt, promiseOf, type Demand } from './demand.js';
import type { Effort } from './effort.js';
import type { TreeFilter } from './filter.js';
import { Heap } from './heap.js';
import { Permutation } from './random.js';
import { linkedSharers, unitOf } from './reach.js';
import type { Score } from './score.js';
import { sharesOf, type Shares } from './shares.js';
import { blockOf, hasBit, slotOf, type Block, type Place, type Snapshot } from './snapshot.js';

/** More than rounding can come to where a promise is not computed from one inventory's own figures. */
const SLACK = 1e-9;

const ANYTHING: Standing = { score: [Infinity], rank: -1 };

/** A tree with the best that a candidate of it can reach as far as figures alone tell. */
export interface PromisingTree extends Standing {
  readonly slot: number;
}

/** Trees that come out one after another, as the first class of the order lets them expect. */
interface Source {
  /** The best standing that the next tree can have; null at the end. */
  readonly next: Standing | null;
  take(): number;
}

/**
 * The trees that pass the filter, the most promising first. The free shares of a block are sorted when they are first
 * asked for, and stay so until a change renews the block; from there on only as many trees are looked at as are wanted, and those
 * that stand equal to them.
 */
export class PromisingTrees {
  private readonly sources = new Heap<Source>((one, other) => isAhead(one.next!, other.next!));
  private readonly trees = new Heap<PromisingTree>(isAhead);
  private readonly seen: Uint8Array;
  private readonly ranks: Permutation;
  /** Blocks that are not yet among the sources: one takes long where its shares are still to be sorted. */
  private readonly unopened: Block[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly demands: readonly Demand[],
    private readonly filter: TreeFilter,
    private readonly effort: Effort,
    seed: number,
  ) {
    this.seen = new Uint8Array(snapshot.slots);
    this.ranks = new Permutation(snapshot.slots, seed);
    this.unopened = filter.impossible || filter.pinned !== undefined ? [] : [...snapshot.blocks];
    if (filter.impossible) return;
    if (filter.pinned !== undefined) this.meet(filter.pinned);
    else this.openSharers();
  }

  /** The best standing that any tree to come can have; null when there are no more. */
  get next(): Standing | null {
    if (this.unopened.length > 0) return ANYTHING;
    const source = this.sources.top?.next ?? null;
    const tree = this.trees.top ?? null;
    if (source === null || tree === null) return source ?? tree;
    return isAhead(tree, source) ? tree : source;
  }

  /** Looks at one more tree, or gives the next; null for the former. */
  step(): PromisingTree | null {
    const block = this.unopened.pop();
    if (block !== undefined) {
      this.openBlock(block);
      return null;
    }
    const source = this.sources.top;
    const tree = this.trees.top;
    if (tree !== undefined && (source === undefined || isAhead(tree, source.next!))) return this.trees.pop()!;
    if (source === undefined) return null;
    this.sources.pop();
    this.meet(source.take());
    this.add(source);
    return null;
  }

  private openBlock(block: Block): void {
    this.effort.blocksOpened++;
    this.add(new BlockSource(block, this.demands[0], this.scoreWith, this.ranks));
  }

  private openSharers(): void {
    const [demand] = this.demands;
    if (!demand.variables.some((variable) => this.filter.shareable[variable])) return;
    for (const sharer of this.snapshot.sharers()) {
      const place = unitOf(this.snapshot, sharer);
      const promise = promiseAt(place, demand);
      if (promise !== null)
        this.add(new SharerSource(this.snapshot, place, this.scoreWith(promise), this.ranks));
    }
  }

  /** What the further classes let expect is known tree by tree only. */
  private readonly scoreWith = (promise: number): Score =>
    this.demands.map((_, at) => (at === 0 ? promise : Infinity));

  private add(source: Source): void {
    if (source.next !== null) this.sources.push(source);
  }

  private meet(slot: number): void {
    this.effort.treesTested++;
    if (this.seen[slot] === 1) return;
    this.seen[slot] = 1;
    if (!this.filter.passes(slot)) return;
    const score = this.promises(slot);
    if (score !== null) this.trees.push({ slot, score, rank: this.ranks.at(slot) });
  }

  /** By the figures of the providers of the tree and of those that share with it; null where nobody could give some class. */
  private promises(slot: number): Score | null {
    const block = blockOf(this.snapshot, slot);
    const start = block.treeStarts[slot - block.firstSlot];
    const end = block.treeStarts[slot - block.firstSlot + 1];
    let sharers: readonly Place[] | null = null;
    const score: number[] = [];
    for (const demand of this.demands) {
      let best = -Infinity;
      for (let row = start; row < end; row++)
        best = Math.max(best, promiseAt({ block, row }, demand) ?? best);
      if (demand.variables.some((variable) => this.filter.shareable[variable])) {
        sharers ??= linkedSharers(this.snapshot, block, start, end, slot);
        for (const place of sharers) best = Math.max(best, promiseAt(place, demand) ?? best);
      }
      if (best === -Infinity) return null;
      score.push(best);
    }
    return score;
  }
}

/** The trees of a block that have the class themselves. */
class BlockSource implements Source {
  next: Standing | null = null;
  private readonly shares: Shares;
  /** The inventories with the share whose turn it is: [from, to). */
  private from: number;
  private to: number;
  /** Of their trees those still to be given, the one with the lowest rank last. */
  private slots: number[] = [];

  constructor(
    private readonly block: Block,
    private readonly demand: Demand,
    private readonly scoreWith: (promise: number) => Score,
    private readonly ranks: Permutation,
  ) {
    this.shares = sharesOf(block, demand.resourceClass);
    this.from = this.to = demand.direction > 0 ? this.shares.trees.length : 0;
    this.goOn();
  }

  take(): number {
    const slot = this.slots.pop()!;
    this.goOn();
    return slot;
  }

  private goOn(): void {
    while (this.slots.length === 0 && this.nextShare()) this.slots = this.able();
    const slot = this.slots.at(-1);
    this.next =
      slot === undefined ? null : { score: this.scoreWith(this.promise()), rank: this.ranks.at(slot) };
  }

  private nextShare(): boolean {
    const { shares } = this.shares;
    if (this.demand.direction > 0) {
      this.to = this.from;
      while (this.from > 0 && shares[this.from - 1] === shares[this.to - 1]) this.from--;
    } else {
      this.from = this.to;
      while (this.to < shares.length && shares[this.to] === shares[this.from]) this.to++;
    }
    return this.from < this.to;
  }

  /** The trees whose turn it is with room for anything. */
  private able(): number[] {
    const { trees, free } = this.shares;
    const ranks = new Map<number, number>();
    for (let at = this.from; at < this.to; at++) {
      const slot = this.block.firstSlot + trees[at];
      if (free[at] >= this.demand.least && !ranks.has(slot)) ranks.set(slot, this.ranks.at(slot));
    }
    return [...ranks.keys()].sort((a, b) => ranks.get(b)! - ranks.get(a)!);
  }

  /** Of all inventories from here on. */
  private promise(): number {
    const { free, capacities, shares, leastCapacity, mostCapacity } = this.shares;
    if (leastCapacity === mostCapacity) return promiseOf(this.demand, free[this.from], capacities[this.from]);
    const capacity = this.demand.direction > 0 ? mostCapacity : leastCapacity;
    return promiseOf(this.demand, shares[this.from] * capacity, capacity) + SLACK;
  }
}

/** The trees that a sharing provider serves; found when it is its turn. */
class SharerSource implements Source {
  next: Standing | null;
  private slots: number[] | null = null;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly sharer: Place,
    private readonly score: Score,
    private readonly ranks: Permutation,
  ) {
    this.next = { score, rank: -1 };
  }

  take(): number {
    this.slots ??= this.served().sort((a, b) => this.ranks.at(b) - this.ranks.at(a));
    const slot = this.slots.pop()!;
    const after = this.slots.at(-1);
    this.next = after === undefined ? null : { score: this.score, rank: this.ranks.at(after) };
    return slot;
  }

  /** At least the tree of the sharing provider itself. */
  private served(): number[] {
    const { block: own, row } = this.sharer;
    const slots = new Set([slotOf(this.sharer)]);
    for (const aggregate of own.aggregates.subarray(own.aggregateStarts[row], own.aggregateStarts[row + 1])) {
      for (const { firstSlot, treeStarts, index } of this.snapshot.blocks) {
        const bits = index.aggregates.get(aggregate);
        if (bits === undefined) continue;
        for (let tree = 0; tree < treeStarts.length - 1; tree++)
          if (hasBit(bits, tree)) slots.add(firstSlot + tree);
      }
    }
    return [...slots];
  }
}
