import type { Viewer } from './viewer.js';

/** One way of finding out whose token it is. */
export interface Method {
  /** How messages call such tokens. */
  readonly name: string;
  /** For how long a viewer may be remembered by the token (ms); 0: not at all, which is for methods that answer at once. */
  readonly remembers: number;
  /** Whether a token is of this kind, by its look. */
  recognizes(token: string): boolean;
  /**
   * @throws Unauthenticated where the token does not hold
   * @throws AuthenticationUnavailable where who knows cannot be reached
   */
  verify(token: string): Viewer | Promise<Viewer>;
  /** Stops what goes on in the background. */
  close?(): void;
}
