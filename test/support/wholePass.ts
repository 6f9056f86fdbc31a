import { CHECKSUM_KINDS } from '../../src/snapshot/reconciliation/checksums.js';
import type { Reconciliation } from '../../src/snapshot/reconciliation/reconciliation.js';

/** Compares the whole of a small fleet, as the background jobs do repeatedly. */
export async function wholePass(reconciliation: Reconciliation): Promise<void> {
  for (const kind of CHECKSUM_KINDS) await reconciliation.step(kind);
}
