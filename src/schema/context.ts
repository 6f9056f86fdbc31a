import type { Loaders } from '../reads/loaders.js';
import type { Process } from '../process/process.js';

/**
 * What every resolver gets: the parts of the process, and what belongs to the operation. One object per
 * operation.
 */
export interface Context extends Pick<
  Process,
  'database' | 'ledger' | 'claims' | 'reads' | 'snapshots' | 'watch'
> {
  /** Aborted when the client goes away: long work stops. */
  readonly signal?: AbortSignal;
  /**
   * What this operation has read so far; a mutation replaces them, so that its payload shows what it wrote,
   * and each event does.
   */
  loaders: Loaders;
}
