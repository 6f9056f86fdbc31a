/** A user, or a network address if authentication is disabled. Clients share the capacity of the server. */
export interface Client {
  readonly id: string;
  /** Whether the client is never THROTTLED. */
  readonly isExempt: boolean;
}

/** The client of work that no request asked for. */
export const OWN_WORK: Client = { id: '', isExempt: true };

/** Part of a client's work, such as an operation. */
export interface Owner {
  /** Defaults to OWN_WORK. */
  readonly client?: Client;
}
