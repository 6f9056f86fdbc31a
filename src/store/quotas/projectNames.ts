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
