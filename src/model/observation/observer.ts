/** Receives the events of a process for metrics. The counts of an operation are in its Activity. */
export interface Observer {
  transactionRetried(reason: 'conflict' | 'unavailable'): void;
  /** Called before each batch of claims, with its size. Retries of single claims count, too. */
  claimsTried(claims: number): void;
  claimEnded(outcome: 'written' | 'rejected' | 'failed'): void;
  /** Called when an answer has only some of the candidates because of the setting `rest.candidates`. */
  candidatesCut(): void;
  /** Called when the snapshot was loaded, found current, or updated by the changes. */
  snapshotRead(how: 'load' | 'check' | 'refresh', seconds: number): void;
}

const nothing = (): void => undefined;

/** For a process without metrics. */
export const NO_OBSERVER: Observer = {
  transactionRetried: nothing,
  claimsTried: nothing,
  claimEnded: nothing,
  candidatesCut: nothing,
  snapshotRead: nothing,
};
