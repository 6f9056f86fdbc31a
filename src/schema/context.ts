import type { Loaders } from '../reads/loaders.js';
import type { Process } from '../process/process.js';
import type { ReadableDatabase } from '../database/database.js';
import type { ClaimWriter } from '../ledger/allocation/claimQueue.js';
import type { Ledger } from '../ledger/transaction.js';
import type { Operation } from '../runtime/operation.js';
import type { Viewer } from '../authentication/viewer.js';

/**
 * What every resolver gets: the parts of the process, and what belongs to the operation. One object per
 * operation.
 */
export interface Context extends Pick<
  Process,
  'databaseId' | 'log' | 'reads' | 'snapshots' | 'consumers' | 'watch' | 'consumerWatch' | 'totalsWatch'
> {
  readonly operation: Operation;
  /** Who sends it; null where nobody is asked: everything is allowed then. */
  readonly viewer: Viewer | null;
  /** The id of the HTTP request; null where there is none. */
  readonly requestId: string | null;
  /** Writes for the operation end with it, until they begin to commit; so do claims. */
  readonly ledger: Ledger;
  readonly claims: ClaimWriter;
  /** Reads for the operation end with it. */
  readonly database: ReadableDatabase;
  /**
   * What this operation has read so far; a mutation replaces them, so that its payload shows what it wrote,
   * and each event does.
   */
  loaders: Loaders;
}
