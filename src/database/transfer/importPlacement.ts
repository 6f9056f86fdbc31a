import type { Connection } from 'mariadb';
import { loadCatalog, readCatalog } from '../catalog.js';
import { PACKAGE } from '../migrator.js';
import { othersIn, requirePlacement } from './placementEnd.js';
import { transfer, type TransferOptions } from './transfer.js';

export interface ImportOptions extends TransferOptions {
  /** Called in the transaction that writes the copy, when all is there. */
  readonly onCopied?: (target: Connection) => Promise<void>;
}

/**
 * Copies the database of an OpenStack Placement, which may go on writing, into one of ours that is migrated and empty. The standard
 * traits and resource classes of the target give way to those of the source, whose ids are in its rows; what the source lacks of them is
 * added then, as at the start of a server.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error when the source or the target is not as it must be
 */
export function importPlacement(options: ImportOptions): Promise<boolean> {
  return transfer(options, {
    locked: 'resource_classes',
    async check(source) {
      const { version, tables } = await requirePlacement(source, 'source');
      options.onProgress(`the source: OpenStack Placement, ${version.releases}, version ${version.revision}`);
      for (const other of othersIn(tables)) options.onProgress(`not copied: ${other}`);
    },
    async finish(target) {
      await loadCatalog(target, readCatalog(PACKAGE));
      await options.onCopied?.(target);
    },
  });
}
