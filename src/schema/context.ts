import type { Loaders } from '../reads/loaders.js';
import type { Process } from '../process/process.js';
import type { ReadableDatabase } from '../database/database.js';
import type { ClaimWriter } from '../ledger/allocation/claimQueue.js';
import type { Ledger } from '../ledger/transaction.js';
import type { Operation } from '../runtime/operation.js';
import type { Viewer } from '../authentication/viewer.js';

/**
 * The context of every resolver: parts of the process, and the state of one operation. Each
 * operation has its own context.
 */
export interface Context extends Pick<
  Process,
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
