import { isStandard } from '../../database/catalog.js';
import { idsByName } from '../../database/catalogNames.js';
import { kindSet } from '../../feed/kinds.js';
import { CATALOG } from '../../feed/recordedChanges.js';
import { NotFound, StandardIsImmutable } from '../errors.js';
import { checkCustomName } from '../names.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';

type CatalogTable = 'traits' | 'resource_classes';
const KIND = { traits: 'trait', resource_classes: 'resource class' } as const;
const ENTITY = { traits: 'TRAIT', resource_classes: 'RESOURCE_CLASS' } as const;

/** Creates a custom trait or resource class, or finds it there already. Rejections: INVALID_INPUT. */
export async function createCustom(
  ledger: Ledger,
  table: CatalogTable,
  name: string,
  insert: (tx: Transaction) => Promise<unknown>,
): Promise<{ name: string; created: boolean }> {
  checkCustomName(name, KIND[table]);
  const created = await inTransaction(ledger, async (tx) => {
    if ((await idsByName(tx, table, [name])).has(name)) return false;
    tx.recorded.addProviders([CATALOG], kindSet());
    await insert(tx);
    return true;
  });
  return { name, created };
}

/**
 * Deletes a custom trait or resource class. Rejections: NOT_FOUND (of an unknown name whether it is custom or not),
 * STANDARD_IS_IMMUTABLE, those of `remove`.
 */
export async function deleteCustom(
  ledger: Ledger,
  table: CatalogTable,
  name: string,
  remove: (tx: Transaction, id: number) => Promise<void>,
): Promise<{ name: string }> {
  await inTransaction(ledger, async (tx) => {
    const id = (await idsByName(tx, table, [name])).get(name);
    if (id === undefined) throw new NotFound(ENTITY[table], name);
    if (isStandard(name)) throw new StandardIsImmutable(name);
    tx.recorded.addProviders([CATALOG], kindSet());
    await remove(tx, id);
  });
  return { name };
}
