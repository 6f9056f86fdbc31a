import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * Shares runs of a job between concurrent callers. Each gets the result of a run that began after its call, so a call
 * during a run joins the next one. That run begins in a later turn of the event loop, so that more calls join it.
 */
export class SingleFlight<T> {
  /** The run that has not begun. */
  private next: Promise<T> | null = null;
  /** The end of the latest run, begun or not. Null if there is none. */
  private last: Promise<void> | null = null;

  constructor(
    private readonly run: () => Promise<T>,
    /** The maximum wait for the previous run (ms). If set, calls of one turn share a first run. */
    private readonly longestWait?: number,
  ) {}

  join(): Promise<T> {
    if (this.last === null && this.next === null && this.longestWait === undefined)
      return this.track(this.run());
    return (this.next ??= this.track(this.previous().then(() => ((this.next = null), this.run()))));
  }

  private track(flight: Promise<T>): Promise<T> {
    const end = (): void => {
      if (this.last === ended) this.last = null;
    };
    const ended = flight.then(end, end); // the callers receive the failure of the run
    this.last = ended;
    return flight;
  }

  private async previous(): Promise<void> {
    if (this.longestWait === undefined) {
      await this.last;
      await setImmediate();
    } else if (this.last !== null) {
      await Promise.race([this.last, setTimeout(this.longestWait, undefined, { ref: false })]);
    }
  }
}
