import type { Loaders } from './loaders/loaders.js';
import type { Services } from './services.js';
import type { ReadableDatabase } from '../store/database/database.js';
import type { ClaimWriter } from '../store/ledger/allocation/claimQueue.js';
import type { Ledger } from '../store/ledger/transaction.js';
import type { Operation } from '../model/operation/operation.js';
import type { Viewer } from '../model/viewer.js';

/**
 * The context of every resolver: services of the process, and the state of one operation. Each
 * operation has its own context.
 */
export interface Context extends Pick<
  Services,
  | 'databaseId'
  | 'excludedRootTraits'
  | 'log'
  | 'observer'
  | 'reads'
  | 'fleetReads'
  | 'snapshots'
  | 'consumers'
  | 'watch'
  | 'consumerWatch'
  | 'totalsWatch'
> {
  readonly operation: Operation;
  /** The sender of the request. Null if authentication is disabled; then everything is allowed. */
  readonly viewer: Viewer | null;
  /** The id of the HTTP request. Null for an operation without an HTTP request. */
  readonly requestId: string | null;
  /** Writes of this operation. If it aborts, they roll back unless COMMIT was already sent. */
  readonly ledger: Ledger;
  /** Claims of this operation. If it aborts, they are rejected as {@link ClaimWriter} describes. */
  readonly claims: ClaimWriter;
  /** Reads of this operation. They end if it aborts. */
  readonly database: ReadableDatabase;
  /**
   * The cached reads of this operation. Each mutation and each event of a subscription replaces
   * the loaders, so that payloads and events show the current state.
   */
  loaders: Loaders;
  /** The global ids of the objects that the current mutation has written. Null until it has committed. */
  written: readonly string[] | null;
}
