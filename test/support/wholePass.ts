import { CHECKSUM_KINDS } from '../../src/store/external/checksums.js';
import type { Reconciliation } from '../../src/store/external/reconciliation.js';

/** Compares the whole of a small fleet, as the background jobs do repeatedly. */
export async function wholePass(reconciliation: Reconciliation): Promise<void> {
  for (const kind of CHECKSUM_KINDS) await reconciliation.step(kind);
}
