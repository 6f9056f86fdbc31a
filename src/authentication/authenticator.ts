import type { IncomingHttpHeaders } from 'node:http';
import type { Viewer } from './viewer.js';

export interface Authenticator {
  /**
   * Who sends a request with these headers. At once where the credentials are known.
   * @throws Unauthenticated where credentials are missing or do not hold
   * @throws AuthenticationUnavailable where who knows cannot be reached
   */
  authenticate(headers: IncomingHttpHeaders): Viewer | Promise<Viewer>;
  /** Stops watching files. */
  close(): void;
}
