/** The pause before a run that failed is repeated (ms). */
const RETRY_PAUSE = 2_000;

/** Runs a task on request, never twice at a time, with a pause between two runs. Repeats a run that failed. */
export class Refresher {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private isWanted = false;
  private isStopped = false;
  private ended = -Infinity;

  /**
   * @param run resolves to false if it failed and must be repeated
   * @param pause from the end of one run to the next (ms)
   */
  constructor(
    private readonly run: () => Promise<boolean | void>,
    private readonly pause: number,
  ) {}

  request(pause = this.pause): void {
    this.isWanted = true;
    if (this.isRunning || this.isStopped || this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.begin(), Math.max(this.ended + pause - performance.now(), 0));
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async begin(): Promise<void> {
    this.timer = undefined;
    this.isWanted = false;
    this.isRunning = true;
    const isDone = await this.run();
    this.isRunning = false;
    this.ended = performance.now();
    if (isDone === false) this.request(RETRY_PAUSE);
    else if (this.isWanted) this.request();
  }
}
