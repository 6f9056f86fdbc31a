import type { HttpError } from './httpError.js';

/** The delay after which a client that came too early should retry (seconds). */
const RETRY_AFTER = 1;

/** The phase of a server: starting, serving or stopping. */
export class ServerLife {
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';
  private reason = 'the server is starting';

  get isServing(): boolean {
    return this.phase === 'serving';
  }

  get isStopping(): boolean {
    return this.phase === 'stopping';
  }

  /** Makes /readyz report a waiting server. Only the log has the reason: it may name accounts. */
  wait(): void {
    this.reason = 'the server waits for its database; its log has the reason';
  }

  serve(): void {
    if (this.phase === 'starting') this.phase = 'serving';
  }

  stop(): void {
    this.phase = 'stopping';
  }

  /** The answer of /readyz while the server does not serve. Null while it serves. */
  get unready(): { readonly status: string; readonly reason?: string } | null {
    if (this.phase === 'serving') return null;
    return this.phase === 'stopping' ? { status: 'stopping' } : { status: 'starting', reason: this.reason };
  }

  /** The answer to requests while the server starts. Null afterwards. */
  get refusal(): HttpError | null {
    if (this.phase !== 'starting') return null;
    const message = 'The server is starting: retry when /readyz answers 200.';
    return { status: 503, code: 'DATABASE_UNAVAILABLE', message, retryAfter: RETRY_AFTER };
  }
}
