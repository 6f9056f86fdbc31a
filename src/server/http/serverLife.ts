import type { HttpError } from './httpError.js';

/** When a client may ask again that has come too early, in seconds. */
const RETRY_AFTER = 1;

/** How far the life of a server has come, as its clients are told. */
export class ServerLife {
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';
  private reason = 'the server is starting';

  get isServing(): boolean {
    return this.phase === 'serving';
  }

  get isStopping(): boolean {
    return this.phase === 'stopping';
  }

  /** Why it does not serve yet. */
  wait(reason: string): void {
    this.reason = reason;
  }

  serve(): void {
    if (this.phase === 'starting') this.phase = 'serving';
  }

  stop(): void {
    this.phase = 'stopping';
  }

  /** What /readyz says instead of what it finds out; null while the server serves. */
  get unready(): { readonly status: string; readonly reason?: string } | null {
    if (this.phase === 'serving') return null;
    return this.phase === 'stopping' ? { status: 'stopping' } : { status: 'starting', reason: this.reason };
  }

  /** The answer to requests that come too early; null when they do not. */
  get refusal(): HttpError | null {
    if (this.phase !== 'starting') return null;
    const message = 'The server is starting: /readyz tells what it waits for.';
    return { status: 503, code: 'DATABASE_UNAVAILABLE', message, retryAfter: RETRY_AFTER };
  }
}
