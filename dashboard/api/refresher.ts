/** Does something again whenever it is asked to, but not twice at a time, and with a pause in between. */
export class Refresher {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private isWanted = false;
  private isStopped = false;
  private ended = -Infinity;

  /** @param pause from the end of one run to the next (ms) */
  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly pause: number,
  ) {}

  request(): void {
    this.isWanted = true;
    if (this.isRunning || this.isStopped || this.timer !== undefined) return;
    this.timer = setTimeout(
      () => void this.begin(),
      Math.max(this.ended + this.pause - performance.now(), 0),
    );
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async begin(): Promise<void> {
    this.timer = undefined;
    this.isWanted = false;
    this.isRunning = true;
    await this.run();
    this.isRunning = false;
    this.ended = performance.now();
    if (this.isWanted) this.request();
  }
}
