import type { Candidate } from './candidate.js';
import { Heap } from './heap.js';
import { compareScores, type Score } from './score.js';

/** Where something stands: by score, then by the seeded rank of its tree (the lower comes first). */
export interface Standing {
  readonly score: Score;
  readonly rank: number;
}

interface Entry extends Standing {
  readonly candidate: Candidate;
  /** How many came before. */
  readonly serial: number;
}

/** Whether one standing is better than the other. */
export function isAhead(one: Standing, other: Standing): boolean {
  return (compareScores(one.score, other.score) || other.rank - one.rank) > 0;
}

/** The best candidates so far, of which there may be so many. */
export class Contest {
  private readonly entries = new Heap<Entry>(
    (one, other) =>
      (compareScores(one.score, other.score) || other.rank - one.rank || other.serial - one.serial) < 0,
  );
  private entered = 0;

  constructor(private readonly size: number) {}

  /** Whom one has to be ahead of to get in: the last of the best, once there are as many as may be; null while anyone gets in. */
  get bar(): Standing | null {
    return this.entries.size < this.size ? null : this.entries.top!;
  }

  enter(candidate: Candidate, standing: Standing): void {
    const { bar } = this;
    if (bar !== null && !isAhead(standing, bar)) return;
    if (bar !== null) this.entries.pop();
    this.entries.push({ ...standing, candidate, serial: this.entered++ });
  }

  /** Ends the contest: the best, the very best first. */
  close(): Candidate[] {
    return this.entries
      .drain()
      .map(({ candidate }) => candidate)
      .reverse();
  }
}
