export const PAUSED = Symbol('paused');
export const EXHAUSTED = Symbol('exhausted');

/** The work of a search so far, and its budget. Tests assert on these counts instead of on time. */
export class Effort {
  /** Passes over the trees of a block in an ordered search. */
  blocksRead = 0;
  treesTested = 0;
  treesVisited = 0;
  /** Providers examined for an explanation or for headroom. */
  providersExamined = 0;
  partialAssignments = 0;
  deadEnds = 0;
  otherWork = 0;

  /** Memory of the recorded nogoods of all descents that share this object. */
  nogoodBytes = 0;

  private pauseAt = Infinity;

  /** All work, in units of roughly a microsecond. */
  get spent(): number {
    return (
      2 * this.blocksRead +
      this.treesTested +
      8 * this.treesVisited +
      3 * this.providersExamined +
      this.partialAssignments +
      this.otherWork
    );
  }

  allow(work: number): void {
    this.pauseAt = this.spent + work;
  }

  get isUsedUp(): boolean {
    return this.spent >= this.pauseAt;
  }
}
