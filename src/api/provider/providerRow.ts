import type { InferResult } from 'kysely';
import { tables } from '../../store/sql/statements.js';
import { mapValues } from '../../model/collections.js';
import { ROW_FIELDS, type ProviderEntity, type RowField } from '../entities.js';

type RowColumn = { [Name in RowField]: `p.${(typeof ROW_FIELDS)[Name]['column']} as ${Name}` }[RowField];

const rowColumns = mapValues(ROW_FIELDS, ({ column }, name) => `p.${column} as ${name}` as RowColumn);

/** The providers `p`. All statements that return providers extend this query. */
export const PROVIDERS = tables
  .selectFrom('resource_providers as p')
  .select([
    'p.id',
    'p.uuid',
    'p.name',
    'p.generation',
    'p.parent_provider_id as parentId',
    'p.root_provider_id as rootId',
    ...Object.values(rowColumns),
  ]);

/** Some columns may be NULL in a database that other programs wrote. */
export type StoredProvider = InferResult<typeof PROVIDERS>[number];

export function providerOf(row: StoredProvider): ProviderEntity {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name ?? '',
    generation: row.generation ?? 0,
    parentId: row.parentId,
    rootId: row.rootId ?? row.id,
    ...mapValues(ROW_FIELDS, ({ valueOf }, name) => valueOf(row[name])),
  };
}
