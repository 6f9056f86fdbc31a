import type { Candidate } from '../model/candidate.js';
import { Heap } from './heap.js';
import { compareScores, type Score } from './score.js';

/** Where something stands: by score, then by the seeded rank of its tree (the lower comes first). */
export interface RankKey {
  readonly score: Score;
  readonly rank: number;
}

interface Entry extends RankKey {
  readonly candidate: Candidate;
  /** How many came before. */
  readonly serial: number;
}

/** Whether one standing is better than the other. */
export function ranksAbove(one: RankKey, other: RankKey): boolean {
  return (compareScores(one.score, other.score) || other.rank - one.rank) > 0;
}

/** The best candidates so far, of which there may be so many. */
export class TopCandidates {
  private readonly entries = new Heap<Entry>(
    (one, other) =>
      (compareScores(one.score, other.score) || other.rank - one.rank || other.serial - one.serial) < 0,
  );
  private entered = 0;

  constructor(private readonly size: number) {}

  /** Whom one has to be ahead of to get in: the last of the best, once there are as many as may be; null while anyone gets in. */
  get threshold(): RankKey | null {
    return this.entries.size < this.size ? null : this.entries.top!;
  }

  offer(candidate: Candidate, standing: RankKey): void {
    const { threshold: bar } = this;
    if (bar !== null && !ranksAbove(standing, bar)) return;
    if (bar !== null) this.entries.pop();
    this.entries.push({ ...standing, candidate, serial: this.entered++ });
  }

  /** Ends the contest: the best, the very best first. */
  bestFirst(): Candidate[] {
    return this.entries
      .drain()
      .map(({ candidate }) => candidate)
      .reverse();
  }
}
