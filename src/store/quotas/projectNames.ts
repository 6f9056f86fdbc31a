import { columns, read, select, storable, unionAll, type Column, type Queryable } from '../sql/statements.js';
import { batches } from '../ledger/transaction.js';

/** A project in its stored spelling. */
export interface StoredProject {
  readonly id: number;
  readonly externalId: string;
}

/** The maximum number of names that one statement looks up one by one. */
const NAMES_AT_ONCE = 100;

const p = columns('projects');
const POSITION: Column<number> = '?';
const BY_NAME = select(
  { position: POSITION, id: p.id, externalId: p.external_id },
  `FROM projects WHERE ${p.external_id} = ?`,
);

/**
 * Reads the projects with these names, by the given names. If the collation ignores case or trailing spaces, equal names
 * are one project, as in claims. Only the database can decide which names are equal.
 */
export async function projectsNamed(
  reader: Queryable,
  names: readonly string[],
): Promise<Map<string, StoredProject>> {
  const wanted = [...(await storable(reader, 'projects', [...new Set(names)]))];
  const found = new Map<string, StoredProject>();
  for (const batch of batches(wanted, NAMES_AT_ONCE)) {
    const values = batch.flatMap((name, position) => [position, name]);
    for (const { position, id, externalId } of await read(reader, unionAll(batch.map(() => BY_NAME)), values))
      found.set(batch[position], { id, externalId });
  }
  return found;
}

/** The first query gives the names the collation of the column. */
const NO_NAME = `SELECT ${p.external_id} AS name, 0 AS position FROM projects WHERE FALSE`;

/** Maps each name without a project to the first of these names that a claim would create as the same project. */
export async function firstSpellings(
  reader: Queryable,
  names: readonly string[],
): Promise<Map<string, string>> {
  const firsts = new Map(names.map((name) => [name, name]));
  const comparable = [...(await storable(reader, 'projects', [...firsts.keys()]))];
  if (comparable.length < 2) return firsts;
  const listed = comparable.map(() => 'UNION ALL SELECT ?, ?').join(' ');
  const text = `SELECT n.position AS position, MIN(n.position) OVER (PARTITION BY n.name) AS first
    FROM (${NO_NAME} ${listed}) n`;
  const rows = await read<{ position: number; first: number }>(
    reader,
    { text },
    comparable.flatMap((name, position) => [name, position]),
  );
  for (const { position, first } of rows) firsts.set(comparable[Number(position)], comparable[Number(first)]);
  return firsts;
}
