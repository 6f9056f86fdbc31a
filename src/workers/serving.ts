/** A server at one address: a single process, or a primary with its workers. */
export interface Serving {
  /** Listens. Requests are rejected until {@link begin} has ended. Rejects if the address is in use. */
  open(): Promise<void>;
  /** Sets the reason with which requests are rejected. */
  wait(reason: string): void;
  /** Begins to serve requests; the database must be migrated. Returns the URL. */
  begin(): Promise<string>;
  /** Finishes the running requests and closes. */
  stop(): Promise<void>;
}
