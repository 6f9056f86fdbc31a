import type { Candidate } from '../model/candidate.js';
import { Heap } from './heap.js';
import { compareScores, ranksAbove, type RankKey } from './score.js';

interface Entry extends RankKey {
  readonly candidate: Candidate;
  /** The number of candidates added before it. */
  readonly serial: number;
}

/** The best candidates so far, at most `size`: a heap with the worst of them on top. */
export class TopCandidates {
  private readonly entries = new Heap<Entry>(
    (one, other) =>
      (compareScores(one.score, other.score) || other.rank - one.rank || other.serial - one.serial) < 0,
  );
  private added = 0;

  constructor(private readonly size: number) {}

  /** What a candidate must rank above to be added; null while there are fewer than `size`. */
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

  /** Removes and returns all candidates, the best first. */
  drain(): Candidate[] {
    const worstFirst = Array.from({ length: this.entries.size }, () => this.entries.pop()!);
    return worstFirst.reverse().map(({ candidate }) => candidate);
  }
}
