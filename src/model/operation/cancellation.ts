import { setMaxListeners } from 'node:events';
import { TimedOut } from './refusals.js';

/**
 * The signal and the deadline of one operation. Most operations end before anything waits for
 * their signal, so the signal and its timer are created on first use.
 */
export class Cancellation {
  private controller: AbortController | null = null;
  private timer: NodeJS.Timeout | null = null;
  private reason: Error | null = null;
  /** When the operation times out; null while it has no deadline. */
  private deadline: number | null = null;

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      setMaxListeners(0, this.controller.signal); // each concurrent part of the operation adds one
      if (this.reason !== null) this.controller.abort(this.reason);
      else this.setTimer();
    }
    return this.controller.signal;
  }

  /** Starts the deadline again. */
  restart(milliseconds: number): void {
    this.clear();
    this.deadline = performance.now() + milliseconds;
    this.message = `The operation exceeded its time limit of ${milliseconds / 1000} s.`;
    if (this.controller !== null) this.setTimer();
  }

  /** Removes the deadline. */
  clear(): void {
    this.deadline = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Aborts the signal. Only the first reason counts. */
  abort(reason: Error): void {
    this.clear();
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }

  /** Compares the clock with the deadline, because no timer fires during synchronous work. */
  check(): void {
    if (this.deadline !== null && performance.now() >= this.deadline) this.expire();
  }

  get isAborted(): boolean {
    return this.reason !== null;
  }

  private message = '';

  private readonly expire = (): void => this.abort(new TimedOut(this.message));

  private setTimer(): void {
    if (this.deadline === null) return;
    const left = this.deadline - performance.now();
    if (left <= 0) this.expire();
    else this.timer = setTimeout(this.expire, left).unref();
  }
}
