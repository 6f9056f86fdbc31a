/** What a step of a search answers that found nothing: it may go on later, or there is no more. */
export const PAUSED = Symbol('paused');
export const EXHAUSTED = Symbol('exhausted');

/**
 * What a search has done so far, and how much it may do before it pauses. Tests assert on these counts, so that
 * a lost pruning shows without a clock.
 */
export class Effort {
  /** Blocks in which an ordered search looked for the best. */
  blocksOpened = 0;
  /** Trees judged by the index. */
  treesTested = 0;
  /** Trees whose providers were looked at. */
  treesVisited = 0;
  /** Providers looked at one by one, to explain why they do not serve or to count what they can. */
  providersJudged = 0;
  /** Providers tried for a group or class on top of the choices made before. */
  partialChoices = 0;
  /** Partial choices that no further choice could complete. */
  deadEnds = 0;

  private pauseAt = Infinity;

  /** One number for all work, in units of roughly a microsecond. */
  get spent(): number {
    return (
      256 * this.blocksOpened +
      this.treesTested +
      8 * this.treesVisited +
      3 * this.providersJudged +
      this.partialChoices
    );
  }

  /** Allows that much more work. */
  allow(work: number): void {
    this.pauseAt = this.spent + work;
  }

  get isUsedUp(): boolean {
    return this.spent >= this.pauseAt;
  }
}
