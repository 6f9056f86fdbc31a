import { sql } from 'kysely';
import type { UpsertResult } from 'mariadb';
import { isStandard, idsByName } from '../sql/catalog.js';
import {
  columns,
  deletionFrom,
  insertion,
  read,
  statement,
  tables,
  updateOf,
  value,
  write,
} from '../sql/statements.js';
import { kindSet, CATALOG } from '../../model/recordedChanges.js';
import { NotFound, ResourceClassInUse, StandardIsImmutable } from '../../model/rejections.js';
import { lockRows, type Ledger, type Transaction, WriteConflict, inTransaction } from './transaction.js';
import { checkCustomName, isCustomName } from '../../model/input.js';

type CatalogTable = 'traits' | 'resource_classes';
const KIND = { traits: 'trait', resource_classes: 'resource class' } as const;
const ENTITY = { traits: 'TRAIT', resource_classes: 'RESOURCE_CLASS' } as const;

/** Creates a custom trait or resource class unless it exists. Rejections: INVALID_INPUT. */
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
 * Deletes a custom trait or resource class. Rejections: NOT_FOUND (an unknown name, custom or not),
 * STANDARD_IS_IMMUTABLE, and the rejections of `remove`.
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

/** The first id of custom resource classes. Standard classes have lower ids (rule 74). */
const FIRST_CUSTOM_ID = 10000;

const INSERT = insertion('resource_classes', ['name', 'created_at']);
const INSERT_FIRST = insertion('resource_classes', ['id', 'name', 'created_at']);
const DELETE = { text: `${deletionFrom('resource_classes')} WHERE ${columns('resource_classes').id} = ?` };
const INVENTORY = statement(
  tables
    .selectFrom('inventories')
    .select('id')
    .where('resource_class_id', '=', value<number>())
    .limit(sql.lit(1)),
);

/** Creates a custom resource class unless it exists (rule 75). Rejections: INVALID_INPUT. */
export function createResourceClass(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string; created: boolean }> {
  return createCustom(ledger, 'resource_classes', name, (tx) => insertResourceClass(tx, name));
}

async function insertResourceClass(tx: Transaction, name: string): Promise<void> {
  const { insertId } = await tx.query<UpsertResult>(...INSERT([[name, tx.now]]));
  if (insertId >= FIRST_CUSTOM_ID) return;
  // in a Placement database, new ids follow the standard ids until the first custom id is used
  await write(tx, DELETE, [insertId]);
  await tx.query(...INSERT_FIRST([[FIRST_CUSTOM_ID, name, tx.now]]));
}

const INSERT_TRAIT = insertion('traits', ['name', 'created_at']);

export async function insertTrait(tx: Transaction, name: string): Promise<void> {
  await tx.query(...INSERT_TRAIT([[name, tx.now]]));
}

const INSERTIONS = { traits: insertTrait, resource_classes: insertResourceClass };

/**
 * Returns the ids of names. Creates the custom names that are missing; in a dry run these have negative ids. Omits
 * unknown names that are no custom names.
 */
export async function idsWithNew(
  tx: Transaction,
  table: CatalogTable,
  names: readonly string[],
  isDry: boolean,
): Promise<ReadonlyMap<string, number>> {
  const ids = await idsByName(tx, table, names);
  const missing = [...new Set(names)].filter((name) => !ids.has(name) && isCustomName(name));
  if (missing.length === 0) return ids;
  if (isDry) return new Map([...ids, ...missing.map((name, at) => [name, -1 - at] as const)]);
  tx.recorded.addProviders([CATALOG], kindSet());
  for (const name of missing) await INSERTIONS[table](tx, name);
  return idsByName(tx, table, names);
}

const RENAME = {
  text: `${updateOf('resource_classes')} SET ${columns('resource_classes').name} = ?, ${columns('resource_classes').updated_at} = ?
    WHERE ${columns('resource_classes').id} = ?`,
};

/**
 * Renames a custom resource class with its inventories and allocations, which refer to its id. Returns false if
 * another class has the new name.
 *
 * Rejections: INVALID_INPUT (the new name), NOT_FOUND, STANDARD_IS_IMMUTABLE.
 */
export async function renameResourceClass(
  ledger: Ledger,
  { name, newName }: { readonly name: string; readonly newName: string },
): Promise<boolean> {
  checkCustomName(newName, 'resource class');
  return inTransaction(ledger, async (tx) => {
    const ids = await idsByName(tx, 'resource_classes', [name, newName]);
    const id = ids.get(name);
    if (id === undefined) throw new NotFound('RESOURCE_CLASS', name);
    if (isStandard(name)) throw new StandardIsImmutable(name);
    if (newName === name) return true;
    if (ids.has(newName)) return false;
    tx.recorded.addProviders([CATALOG], kindSet());
    const { affectedRows } = await write(tx, RENAME, [newName, tx.now, id]);
    if (affectedRows !== 1) throw new WriteConflict('a resource class was deleted concurrently');
    return true;
  });
}

/**
 * Deletes a custom resource class without inventories, and so without allocations (rule 76).
 *
 * Rejections: NOT_FOUND, STANDARD_IS_IMMUTABLE, RESOURCE_CLASS_IN_USE.
 */
export function deleteResourceClass(
  ledger: Ledger,
  { name }: { readonly name: string },
): Promise<{ name: string }> {
  return deleteCustom(ledger, 'resource_classes', name, async (tx, id) => {
    // deletes the row before the read: a new inventory also writes it, so the read misses none
    await write(tx, DELETE, [id]);
    if ((await read(tx, INVENTORY, [id])).length > 0) throw new ResourceClassInUse(name);
  });
}

/**
 * Prevents the deletion of custom classes until the end of a transaction that adds inventories of
 * them. No foreign key does so; therefore each new inventory and the deletion write the row of the
 * class. Throws WriteConflict if a class is missing. Standard classes cannot be deleted.
 */
export async function lockClasses(tx: Transaction, classIds: readonly number[]): Promise<void> {
  const custom = new Set(classIds.filter((id) => id >= FIRST_CUSTOM_ID));
  if (custom.size === 0) return;
  if ((await lockRows(tx, 'resource_classes', custom)) !== custom.size) {
    throw new WriteConflict('a resource class was deleted concurrently');
  }
}
