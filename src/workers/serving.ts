/** What serves at an address: one process, or several. */
export interface Serving {
  /** Listens; requests are refused until {@link begin} has ended. Gives the address. Rejects when it is taken. */
  open(): Promise<string>;
  /** Has those requests answered with the reason why they have to wait. */
  wait(reason: string): void;
  /** Serves: the database is up to date. @param isShared whether OpenStack Placement works on it, too */
  begin(isShared: boolean): Promise<void>;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}
