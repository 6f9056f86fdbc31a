/** What a step of a search that found nothing returns: its budget is used up, or nothing is left to find. */
export const PAUSED = Symbol('paused');
export const EXHAUSTED = Symbol('exhausted');

/**
 * The work that a search has done so far, and its budget until it pauses. Tests assert on these counts, so
 * that lost pruning shows without a clock.
 */
export class Effort {
  /** How often an ordered search looked for the best trees of a block. */
  blocksRead = 0;
  /** Trees tested by the index. */
  treesTested = 0;
  /** Trees whose providers were read. */
  treesVisited = 0;
  /** Providers examined one by one, for an explanation or for headroom. */
  providersExamined = 0;
  /** Partial assignments tried: a value of one variable added to those before. */
  partialAssignments = 0;
  /** Partial assignments that nothing completed. */
  deadEnds = 0;
  /** What reading large trees took beyond the visits, looking ahead, and tables of sums. */
  otherWork = 0;

  /** Memory that recorded nogoods hold at present, over all descents that share this object. */
  nogoodBytes = 0;

  private pauseAt = Infinity;

  /** One number for all work, in units of roughly a microsecond. */
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

  /** Sets the budget to that much more work. */
  allow(work: number): void {
    this.pauseAt = this.spent + work;
  }

  get isUsedUp(): boolean {
    return this.spent >= this.pauseAt;
  }
}
