import type { Candidate } from '../anchor.js';
import type { Plan } from '../plan.js';
import { valuesOf } from './terms/values.js';

/** One number for each term of the plan's order; larger is better. */
export type Score = readonly number[];

/** Orders by score, then by the seeded rank of the tree (lower first). */
export interface RankKey {
  readonly score: Score;
  readonly rank: number;
}

export function scoreOf(plan: Plan, candidate: Candidate): Score {
  return valuesOf(plan, candidate).map((value, at) => plan.orderBy[at].direction * value);
}

/** Returns a positive number if the first score is better. */
export function compareScores(one: Score, other: Score): number {
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return one[at] > other[at] ? 1 : -1;
  }
  return 0;
}

export function ranksAbove(one: RankKey, other: RankKey): boolean {
  return (compareScores(one.score, other.score) || other.rank - one.rank) > 0;
}

/** A binary heap. The item that comes before all others is on top. */
export class Heap<T> {
  private readonly items: T[] = [];

  constructor(private readonly isBefore: (one: T, other: T) => boolean) {}

  get size(): number {
    return this.items.length;
  }

  get top(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(item, items[parent])) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0) this.sink(last!);
    return top;
  }

  private sink(item: T): void {
    const { items } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.isBefore(items[child + 1], items[child])) child++;
      if (!this.isBefore(items[child], item)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
  }
}

interface Entry extends RankKey {
  readonly candidate: Candidate;
  readonly serial: number;
}

/** The best candidates so far, as a heap with the worst on top. */
export class TopCandidates {
  private readonly entries = new Heap<Entry>(
    (one, other) =>
      (compareScores(one.score, other.score) || other.rank - one.rank || other.serial - one.serial) < 0,
  );
  private added = 0;

  constructor(private readonly size: number) {}

  /** A new candidate must rank above this; null while there are fewer than `size` candidates. */
  get threshold(): RankKey | null {
    return this.entries.size < this.size ? null : this.entries.top!;
  }

  add(candidate: Candidate, key: RankKey): void {
    const { threshold } = this;
    if (threshold !== null && !ranksAbove(key, threshold)) return;
    if (threshold !== null) this.entries.pop();
    const { score, rank } = key;
    this.entries.push({ score, rank, candidate, serial: this.added++ });
  }

  drain(): Candidate[] {
    const worstFirst = Array.from({ length: this.entries.size }, () => this.entries.pop()!);
    return worstFirst.reverse().map(({ candidate }) => candidate);
  }
}
