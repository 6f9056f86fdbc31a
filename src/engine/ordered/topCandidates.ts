import type { Candidate } from '../model/candidate.js';
import { Heap } from './heap.js';
import { compareScores, type Score } from './score.js';

/** What orders candidates and trees: the score, then the tree's seeded rank (the lower comes first). */
export interface RankKey {
  readonly score: Score;
  readonly rank: number;
}

interface Entry extends RankKey {
  readonly candidate: Candidate;
  /** How many were added before. */
  readonly serial: number;
}

/** Whether one comes before the other. */
export function ranksAbove(one: RankKey, other: RankKey): boolean {
  return (compareScores(one.score, other.score) || other.rank - one.rank) > 0;
}

/** The best candidates so far, at most `size`: a heap with the last of them at the top. */
export class TopCandidates {
  private readonly entries = new Heap<Entry>(
    (one, other) =>
      (compareScores(one.score, other.score) || other.rank - one.rank || other.serial - one.serial) < 0,
  );
  private added = 0;

  constructor(private readonly size: number) {}

  /** What a candidate must rank above to be added: the last of the best once there are `size`, else null. */
  get threshold(): RankKey | null {
    return this.entries.size < this.size ? null : this.entries.top!;
  }

  /** Adds a candidate if it ranks above the threshold. */
  add(candidate: Candidate, key: RankKey): void {
    const { threshold } = this;
    if (threshold !== null && !ranksAbove(key, threshold)) return;
    if (threshold !== null) this.entries.pop();
    this.entries.push({ ...key, candidate, serial: this.added++ });
  }

  /** All of them, the best first; none are left after that. */
  drain(): Candidate[] {
    return this.entries
      .drain()
      .map(({ candidate }) => candidate)
      .reverse();
  }
}
