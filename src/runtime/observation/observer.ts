/** Is told what a process does, for figures about it. What belongs to one operation is in its activity. */
export interface Observer {
  /** A transaction is tried again. */
  transactionRetried(reason: 'conflict' | 'unavailable'): void;
  /** A transaction for so many claims has ended; of some claims that failed together each is tried by itself. */
  claimsTried(claims: number): void;
  claimEnded(outcome: 'written' | 'rejected' | 'failed'): void;
  /** The snapshot was loaded, or found as new as the database, or made so by reading what had changed (s). */
  snapshotRead(how: 'load' | 'check' | 'refresh', seconds: number): void;
}

const nothing = (): void => undefined;

/** For a process of which nobody wants figures. */
export const NO_OBSERVER: Observer = {
  transactionRetried: nothing,
  claimsTried: nothing,
  claimEnded: nothing,
  snapshotRead: nothing,
};
