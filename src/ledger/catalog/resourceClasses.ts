import { type UpsertResult } from 'mariadb';
import { isStandard } from '../../database/catalog.js';
import { CATALOG } from '../../feed/writer.js';
import { idsByName } from '../../database/catalogNames.js';
import { NotFound, ResourceClassInUse, StandardIsImmutable } from '../errors.js';
import { checkCustomName } from '../names.js';
import { touch } from '../lockRows.js';
import { inTransaction, LostRace, type Transaction, type Ledger } from '../transaction.js';

/** Custom resource classes have ids from here on; those below are the catalog's (rule 74). */
const FIRST_CUSTOM_ID = 10000;

/** Creates a custom resource class, or finds it there already (rule 75). Refusals: INVALID_INPUT. */
export async function createResourceClass(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  checkCustomName(name, 'resource class');
  const created = await inTransaction(ledger, async (tx) => {
    const now = tx.now;
    if ((await idsByName(tx, 'resource_classes', [name])).has(name)) return false;
    tx.announce([CATALOG]);
    const { insertId } = await tx.query<UpsertResult>(
      'INSERT INTO resource_classes (name, created_at) VALUES (?, ?)',
      [name, now],
    );
    if (insertId < FIRST_CUSTOM_ID) {
      // a database that the reference made counts on from its standard classes; naming the first id once mends that
      await tx.query('DELETE FROM resource_classes WHERE id = ?', [insertId]);
      await tx.query('INSERT INTO resource_classes (id, name, created_at) VALUES (?, ?, ?)', [
        FIRST_CUSTOM_ID,
        name,
        now,
      ]);
    }
    return true;
  });
  return { name, created };
}

/**
 * Deletes a custom resource class of which no provider has an inventory; there are no allocations then either (rule 76).
 *
 * Refusals: NOT_FOUND (of an unknown name whether it is custom or not), STANDARD_IS_IMMUTABLE, RESOURCE_CLASS_IN_USE.
 */
export async function deleteResourceClass(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string }> {
  await inTransaction(ledger, async (tx) => {
    const id = (await idsByName(tx, 'resource_classes', [name])).get(name);
    if (id === undefined) throw new NotFound('RESOURCE_CLASS', name);
    if (isStandard(name)) throw new StandardIsImmutable(name);
    // first the row that a new inventory writes too, then the look at the inventories: none can come in between
    tx.announce([CATALOG]);
    await tx.query('DELETE FROM resource_classes WHERE id = ?', [id]);
    const users = await tx.query<unknown[]>('SELECT 1 FROM inventories WHERE resource_class_id = ? LIMIT 1', [
      id,
    ]);
    if (users.length > 0) throw new ResourceClassInUse(name);
  });
  return { name };
}

/**
 * Keeps the custom classes among these in place until the end of the transaction, which adds inventories of them.
 * inventories has no foreign key that would; so the row of the class is written by whoever starts to use it and
 * by whoever deletes it. If one is gone, the race is lost. Standard classes cannot be deleted and are left alone.
 */
export async function holdClasses(tx: Transaction, classIds: readonly number[], now: Date): Promise<void> {
  const custom = new Set(classIds.filter((id) => id >= FIRST_CUSTOM_ID));
  if (custom.size === 0) return;
  if ((await touch(tx, 'resource_classes', custom, now)) !== custom.size) {
    throw new LostRace('a resource class was deleted by a rival');
  }
}
