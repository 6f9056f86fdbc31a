import type { NotNull } from 'kysely';
import { list, read, statement, tables } from '../../database/statements.js';
import type { ProviderFields } from '../../domain/provider.js';
import { batches } from '../batches.js';
import { NotFound } from '../errors.js';
import { type Transaction } from '../transaction.js';

/** A row of resource_providers as a transaction has read it. */
export type ProviderRow = ProviderFields;

const PROVIDERS = tables
  .selectFrom('resource_providers')
  .select([
    'id',
    'uuid',
    'name',
    'generation',
    'root_provider_id as rootId',
    'parent_provider_id as parentId',
  ])
  .$narrowType<{ name: NotNull; generation: NotNull; rootId: NotNull }>();
const WITH_UUIDS = statement(PROVIDERS.where('uuid', 'in', list<string>()));
const WITH_UUIDS_OR_IDS = statement(
  PROVIDERS.where((where) =>
    where.or([where('uuid', 'in', list<string>()), where('id', 'in', list<number>())]),
  ),
);
const WITH_ROOTS = statement(PROVIDERS.where('root_provider_id', 'in', list<number>()));
const WITH_NAMES = statement(PROVIDERS.where('name', 'in', list<string>()));

/** The providers with these uuids and those with these ids, by uuid; unknown ones are left out. */
export async function findProviders(
  tx: Transaction,
  uuids: readonly string[],
  ids: readonly number[] = [],
): Promise<Map<string, ProviderRow>> {
  if (uuids.length + ids.length === 0) return new Map();
  const rows =
    ids.length === 0
      ? await read(tx, WITH_UUIDS, [uuids])
      : await read(tx, WITH_UUIDS_OR_IDS, [uuids.length > 0 ? uuids : [''], ids]);
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** What a write of one provider names: the provider, and the generation that it was read at. */
export interface ProviderVersion {
  readonly resourceProvider: string;
  readonly generation: number;
}

/** The same of a write that may do without the generation, because it removes: null is whatever it is now. */
export interface LooseProviderVersion extends Omit<ProviderVersion, 'generation'> {
  readonly generation?: number | null;
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
  return rootIds.length === 0 ? [] : read(tx, WITH_ROOTS, [rootIds]);
}

/** The providers that the database takes to have one of these names: where its collation ignores case, also other spellings. */
export async function findNameHolders(tx: Transaction, names: readonly string[]): Promise<ProviderRow[]> {
  const holders: ProviderRow[] = [];
  for (const batch of batches(names)) holders.push(...(await read(tx, WITH_NAMES, [batch])));
  return holders;
}
