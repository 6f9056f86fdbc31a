/**
 * A stream of events as an iterator. `return` ends it at once, even while it waits. If the stream cannot continue, its
 * last event is an Error.
 */
export abstract class EventStream<Event> implements AsyncIterableIterator<Event | Error> {
  protected isDone = false;
  /** Ends the wait of {@link advance}. */
  protected onWake: () => void = () => undefined;
  private lastEvent: Promise<unknown> = Promise.resolve();

  /** Returns the next event if there is one. */
  protected abstract take(): Event | null;

  /** Waits until there may be an event. */
  protected abstract advance(): Promise<void>;

  /** Releases what the stream holds. */
  protected abstract release(): void;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Event | Error, undefined>> {
    const event = this.lastEvent.then(() => this.event());
    this.lastEvent = event;
    return event;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.stop();
    return Promise.resolve({ value: undefined, done: true });
  }

  stop(): this {
    this.isDone = true;
    this.release();
    this.onWake();
    return this;
  }

  private async event(): Promise<IteratorResult<Event | Error, undefined>> {
    try {
      while (!this.isDone) {
        const value = this.take();
        if (value !== null) return { value, done: false };
        await this.advance();
      }
    } catch (error) {
      if (!this.isDone) {
        this.stop();
        return { value: error instanceof Error ? error : new Error(String(error)), done: false };
      }
    }
    return { value: undefined, done: true };
  }
}
