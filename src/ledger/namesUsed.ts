import type { UpsertResult } from 'mariadb';
import type { ConsumerAllocationsInput } from './allocationInput.js';
import type { Transaction } from './transaction.js';

/** The tables of outside names that consumers refer to; rows appear on first use and stay (rule 81). */
const COLUMN = { projects: 'external_id', users: 'external_id', consumer_types: 'name' } as const;
type OwnerTable = keyof typeof COLUMN;

/** The ids of the names that a write uses, as far as they have one. */
export interface NamesUsed {
  readonly classes: Map<string, number>;
  readonly projects: Map<string, number>;
  readonly users: Map<string, number>;
  readonly consumer_types: Map<string, number>;
}

interface NameRow {
  readonly kind: keyof NamesUsed;
  readonly id: number;
  readonly name: string;
}

/** Looks up every class, project, user and type that a write names, and more classes if asked, in one statement. */
export async function namesUsed(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[] = [],
): Promise<NamesUsed> {
  const wanted: Record<keyof NamesUsed, Set<string>> = {
    classes: new Set([
      ...moreClasses,
      ...inputs.flatMap(({ allocations }) =>
        allocations.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
      ),
    ]),
    projects: new Set(inputs.map(({ projectId }) => projectId)),
    users: new Set(inputs.map(({ userId }) => userId)),
    consumer_types: new Set(inputs.flatMap(({ consumerType }) => consumerType ?? [])),
  };
  const rows = await tx.query<NameRow[]>(
    `SELECT 'classes' AS kind, id, name FROM resource_classes WHERE name IN (?)
     UNION ALL SELECT 'projects', id, external_id FROM projects WHERE external_id IN (?)
     UNION ALL SELECT 'users', id, external_id FROM users WHERE external_id IN (?)
     UNION ALL SELECT 'consumer_types', id, name FROM consumer_types WHERE name IN (?)`,
    [wanted.classes, wanted.projects, wanted.users, wanted.consumer_types].map((names) =>
      names.size > 0 ? [...names] : [null],
    ),
  );
  const exact = (kind: keyof NamesUsed): Map<string, number> =>
    new Map(
      rows.flatMap((row) => (row.kind === kind && wanted[kind].has(row.name) ? [[row.name, row.id]] : [])),
    );
  const names: NamesUsed = {
    classes: exact('classes'),
    projects: exact('projects'),
    users: exact('users'),
    consumer_types: exact('consumer_types'),
  };
  for (const table of Object.keys(COLUMN) as OwnerTable[]) {
    if (rows.some(({ kind }) => kind === table)) await findOtherSpellings(tx, names, table, wanted[table]);
  }
  return names;
}

/**
 * Where the database's collation ignores case, or spaces at the end, it cannot hold two spellings of a name: the one that
 * it has serves both. Only the database knows which names it takes for the same.
 */
async function findOtherSpellings(
  tx: Transaction,
  names: NamesUsed,
  table: OwnerTable,
  wanted: ReadonlySet<string>,
): Promise<void> {
  for (const name of wanted) {
    if (names[table].has(name)) continue;
    const [row] = await tx.query<{ id: number }[]>(`SELECT id FROM ${table} WHERE ${COLUMN[table]} = ?`, [
      name,
    ]);
    if (row !== undefined) names[table].set(name, row.id);
  }
}

/** The id of a project, user or type, which is created if this is its first use. */
export async function ensureName(
  tx: Transaction,
  names: NamesUsed,
  table: OwnerTable,
  name: string,
  now: Date,
): Promise<number> {
  const known = names[table].get(name);
  if (known !== undefined) return known;
  const { insertId } = await tx.query<UpsertResult>(
    `INSERT INTO ${table} (${COLUMN[table]}, created_at) VALUES (?, ?)`,
    [name, now],
  );
  const id = Number(insertId);
  names[table].set(name, id);
  return id;
}
