import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * Lets everybody who asks at the same time share one run of a job. Whoever asks while a run is under way shares the next one, so
 * that each gets the result of a run that began after it asked. That one begins in another turn of the event loop than the one before has
 * ended in, so that under load more share it.
 */
export class SingleFlight<T> {
  /** The run that has not begun. */
  private next: Promise<T> | null = null;
  /** The end of the latest run that has. */
  private last: Promise<void> | null = null;

  constructor(
    private readonly run: () => Promise<T>,
    /** How long a run may keep the next one waiting (ms). Given, calls of one turn of the event loop share even the first run. */
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
    const ended = flight.then(end, end); // those who share the run are told of its failure
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
