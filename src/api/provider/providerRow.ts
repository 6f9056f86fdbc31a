import type { InferResult } from 'kysely';
import { tables, dateOf } from '../../store/sql/statements.js';
import type { ProviderEntity } from '../../model/entities.js';

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
    'p.created_at as createdAt',
    'p.updated_at as updatedAt',
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
    createdAt: dateOf(row.createdAt),
    updatedAt: dateOf(row.updatedAt),
  };
}
