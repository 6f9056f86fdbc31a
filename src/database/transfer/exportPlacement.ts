import { HISTORY_TABLE } from '../adoption/placementTables.js';
import { readStoredTables } from '../adoption/storedTables.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import { othersIn, requirePlacement } from './placementEnd.js';
import { transfer, type TransferOptions } from './transfer.js';

/**
 * Copies a database of ours, on which servers may go on writing, into one in which OpenStack Placement has made its tables. They stay
 * as they are, and get no table of ours beside them.
 *
 * @returns whether the copy is equal; if not, nothing is changed
 * @throws Error when the target is not as it must be
 */
export function exportPlacement(options: TransferOptions): Promise<boolean> {
  return transfer(options, {
    locked: ALEMBIC_TABLE,
    async check(source, target) {
      const { version, tables } = await requirePlacement(target, 'target');
      if (tables.has(HISTORY_TABLE)) {
        throw new Error(
          'this program works on the target, too: use `import`, with DATABASE_URL naming the target',
        );
      }
      options.onProgress(`the target: OpenStack Placement, ${version.releases}, version ${version.revision}`);
      for (const other of othersIn(await readStoredTables(source)))
        options.onProgress(`not copied: ${other}`);
    },
  });
}
