import { sql, type Compilable, type InferResult } from 'kysely';
import type { ReadableDatabase } from '../../store/database/database.js';
import { Spellings } from '../../store/sql/catalog.js';
import { execute, list, read, statement, tables, dateOf } from '../../store/sql/statements.js';
import type { ConsumerFiguresSource } from '../../model/listing/consumerFigures.js';
import type { ConsumerEntity } from '../../model/entities.js';

export interface ConsumerRow extends ConsumerEntity {
  readonly id: number;
}

/** Joined in one statement: schedulers read consumers constantly, and Prisma sends one per relation. */
export const CONSUMERS = tables
  .selectFrom('consumers as c')
  .leftJoin('projects', 'projects.id', 'c.project_id')
  .leftJoin('users', 'users.id', 'c.user_id')
  .leftJoin('consumer_types', 'consumer_types.id', 'c.consumer_type_id')
  .select(({ fn }) => [
    'c.id',
    'c.uuid',
    'c.generation',
    'c.created_at as createdAt',
    'c.updated_at as updatedAt',
    'consumer_types.name as consumerType',
    fn.coalesce('projects.external_id', sql.lit('')).as('projectId'),
    fn.coalesce('users.external_id', sql.lit('')).as('userId'),
  ]);
type Columns = InferResult<typeof CONSUMERS>[number];

const BY_UUID = statement(
  CONSUMERS.where('c.uuid', 'in', list<string>()).unionAll(
    CONSUMERS.where(sql<boolean>`${sql.raw(Spellings.isNew('c'))}`).where('c.uuid', 'not in', list<string>()),
  ),
);
const BY_ID = statement(CONSUMERS.where('c.id', 'in', list<number>()));

/**
 * Reads consumers in no particular order. A missing project or user is shown as an empty id. Of a consumer with rows in
 * several spellings it returns the oldest row.
 */
export async function readConsumersByUuid(
  { pool, spellings }: Pick<ReadableDatabase, 'pool' | 'spellings'>,
  uuids: readonly string[],
): Promise<ConsumerRow[]> {
  const rows = await spellings.consumers.find(pool, BY_UUID, uuids);
  const oldestLast = rows.sort((one, other) => other.id - one.id);
  return [...new Map(oldestLast.map((row) => [row.uuid, withDates(row)])).values()];
}

/** Reads the consumers with these ids, by id. Ids without a consumer are absent. */
export async function readConsumersById(
  { pool, spellings }: Pick<ReadableDatabase, 'pool' | 'spellings'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ConsumerRow>> {
  const rows = ids.length === 0 ? [] : await read(pool, BY_ID, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, consumerOf(row, spellings)]));
}

/**
 * Reads a page of consumers by a query that extends {@link CONSUMERS}. One statement selects the page and reads the
 * rows: a page of ids whose rows are deleted meanwhile would seem to be the last page.
 */
export async function readConsumers<Row extends Columns>(
  { pool, spellings }: Pick<ReadableDatabase, 'pool' | 'spellings'>,
  query: Compilable<Row>,
) {
  return (await execute(pool, query)).map((row) => consumerOf(row, spellings));
}

function consumerOf<Row extends Columns>(row: Row, { consumers }: ReadableDatabase['spellings']) {
  return withDates({ ...row, uuid: consumers.uuidOf(row.uuid) });
}

function withDates<Row extends Columns>({ createdAt, updatedAt, ...row }: Row) {
  return { ...row, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) };
}

/** The database and the map of consumers, from which lists of consumers are read. */
export interface ConsumerListSource {
  readonly database: ReadableDatabase;
  readonly consumers: ConsumerFiguresSource;
}
