import { sql, type InferResult } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import { Spellings } from '../../store/sql/catalog.js';
import { list, read, statement, tables, value, dateOf } from '../../store/sql/statements.js';

const WRITTEN = tables
  .selectFrom('consumers as c')
  .innerJoin('allocations as a', 'a.consumer_id', 'c.uuid')
  .innerJoin('resource_providers as p', 'p.id', 'a.resource_provider_id')
  .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
  .leftJoin('projects as o', 'o.id', 'c.project_id')
  .leftJoin('users as u', 'u.id', 'c.user_id')
  .leftJoin('consumer_types as t', 't.id', 'c.consumer_type_id')
  .select(({ fn }) => [
    'a.id',
    'c.uuid',
    'c.generation',
    't.name as consumerType',
    fn.coalesce('o.external_id', sql.lit('')).as('projectId'),
    fn.coalesce('u.external_id', sql.lit('')).as('userId'),
    'p.uuid as providerUuid',
    fn.coalesce('p.generation', sql.lit(0)).as('providerGeneration'),
    'k.name as resourceClass',
    'a.used',
    'a.created_at as createdAt',
    'a.updated_at as updatedAt',
  ]);

type Row = InferResult<typeof WRITTEN>[number];

/** An allocation with its provider and its consumer, of one moment. */
export interface WrittenAllocation extends Omit<Row, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

const OF_CONSUMER = statement(
  WRITTEN.where('c.uuid', 'in', list<string>()).unionAll(
    WRITTEN.where(sql<boolean>`${sql.raw(Spellings.isNew('c'))}`).where('c.uuid', 'not in', list<string>()),
  ),
);
const OF_PROVIDER = statement(WRITTEN.where('p.id', '=', value<number>()));

/** Reads the allocations of a consumer by one statement, in the order in which they were written. */
export async function readAllocationsOfConsumer(
  { pool, spellings }: ReadableDatabase,
  uuid: string,
): Promise<WrittenAllocation[]> {
  return inOrder(await spellings.consumers.find(pool, OF_CONSUMER, [uuid]));
}

/** Reads the allocations of a provider with their consumers by one statement, in the order in which they were written. */
export async function readAllocationsOfProvider(
  { pool, spellings }: ReadableDatabase,
  providerId: number,
): Promise<WrittenAllocation[]> {
  const rows = await read(pool, OF_PROVIDER, [providerId]);
  return inOrder(rows.map((row) => ({ ...row, uuid: spellings.consumers.uuidOf(row.uuid) })));
}

function inOrder(rows: readonly Row[]): WrittenAllocation[] {
  return rows
    .map((row) => ({ ...row, createdAt: dateOf(row.createdAt), updatedAt: dateOf(row.updatedAt) }))
    .sort((one, other) => one.id - other.id);
}
