import { batches } from '../batches.js';
import { NotFound } from '../errors.js';
import { type Transaction } from '../transaction.js';

/** A row of resource_providers as a transaction has read it. */
export interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly rootId: number;
  /** Null for a root. */
  readonly parentId: number | null;
}

const PROVIDER = `SELECT id, uuid, name, generation, root_provider_id AS rootId, parent_provider_id AS parentId
  FROM resource_providers`;

/** The providers with these uuids, by uuid; unknown ones are left out. */
export async function findProviders(
  tx: Transaction,
  uuids: readonly string[],
): Promise<Map<string, ProviderRow>> {
  if (uuids.length === 0) return new Map();
  const rows = await tx.query<ProviderRow[]>(`${PROVIDER} WHERE uuid IN (?)`, [uuids]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The provider, or NOT_FOUND. */
export async function requireProvider(tx: Transaction, uuid: string): Promise<ProviderRow> {
  return required(await findProviders(tx, [uuid]), uuid);
}

/** The provider out of those found, or NOT_FOUND. */
export function required(found: ReadonlyMap<string, ProviderRow>, uuid: string): ProviderRow {
  const provider = found.get(uuid);
  if (provider === undefined) throw new NotFound('RESOURCE_PROVIDER', uuid);
  return provider;
}

/** All providers of the trees with these roots. */
export async function treeMembers(tx: Transaction, rootIds: readonly number[]): Promise<ProviderRow[]> {
  if (rootIds.length === 0) return [];
  return tx.query<ProviderRow[]>(`${PROVIDER} WHERE root_provider_id IN (?)`, [rootIds]);
}

/** The provider that the database takes to have this name: where its collation ignores case, also another spelling. */
export async function findNameHolder(tx: Transaction, name: string): Promise<ProviderRow | undefined> {
  return (await tx.query<ProviderRow[]>(`${PROVIDER} WHERE name = ?`, [name]))[0];
}

/** The providers with these uuids and those with these ids, by uuid; unknown ones are left out. */
export async function findProvidersOf(
  tx: Transaction,
  uuids: readonly string[],
  ids: readonly number[],
): Promise<Map<string, ProviderRow>> {
  if (uuids.length + ids.length === 0) return new Map();
  const rows = await tx.query<ProviderRow[]>(`${PROVIDER} WHERE uuid IN (?) OR id IN (?)`, [
    uuids.length > 0 ? uuids : [''],
    ids.length > 0 ? ids : [-1],
  ]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** The providers that the database takes to have one of these names: where its collation ignores case, also other spellings. */
export async function findNameHolders(tx: Transaction, names: readonly string[]): Promise<ProviderRow[]> {
  const holders: ProviderRow[] = [];
  for (const batch of batches(names)) {
    for (const row of await tx.query<ProviderRow[]>(`${PROVIDER} WHERE name IN (?)`, [batch]))
      holders.push(row);
  }
  return holders;
}
