/** Thrown for a request that has no credentials, or none that hold. The message may be shown to the client. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated';
}

/**
 * Thrown where it cannot be found out now whether credentials hold: the same request may succeed later. The message may be shown to the
 * client; the cause may not, and is reported already.
 */
export class AuthenticationUnavailable extends Error {
  override readonly name = 'AuthenticationUnavailable';
  /** When to try again, in seconds. */
  readonly retryAfter = 1;
}
