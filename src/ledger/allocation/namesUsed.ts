import { batches } from '../batches.js';
import { classesNamed, type ConsumerAllocationsInput } from './allocationInput.js';
import type { Transaction } from '../transaction.js';

/** The tables of outside names that consumers refer to; rows appear on first use and stay (rule 81). */
const COLUMN = { projects: 'external_id', users: 'external_id', consumer_types: 'name' } as const;
export type OwnerTable = keyof typeof COLUMN;

const OWNER_TABLES = Object.keys(COLUMN) as OwnerTable[];

/** A project, user or type, with its name as the database spells it. */
export interface StoredName {
  readonly id: number;
  readonly name: string;
}

/** What there is under the names that a write uses, as far as it is there. */
export interface NamesUsed extends Readonly<Record<OwnerTable, Map<string, StoredName>>> {
  /** Ids. */
  readonly classes: Map<string, number>;
}

/** A row of one of the tables of names. */
export interface NameRow extends StoredName {
  readonly kind: keyof NamesUsed;
}

export type NamesWanted = Readonly<Record<keyof NamesUsed, ReadonlySet<string>>>;

/** Every class, project, user and type that these consumers name, and more classes. */
export function namesWanted(
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[],
): NamesWanted {
  return {
    classes: new Set([...moreClasses, ...classesNamed(inputs)]),
    projects: new Set(inputs.map(({ projectId }) => projectId)),
    users: new Set(inputs.map(({ userId }) => userId)),
    consumer_types: new Set(inputs.flatMap(({ consumerType }) => consumerType ?? [])),
  };
}

/** Sorts out the rows found for names. Equality of classes is judged here and not by the database (rule 7, decision D8). */
export async function namesOf(
  tx: Transaction,
  wanted: NamesWanted,
  rows: readonly NameRow[],
): Promise<NamesUsed> {
  const exact = (kind: keyof NamesUsed): StoredName[] =>
    rows.filter((row) => row.kind === kind && wanted[kind].has(row.name));
  const byName = (kind: OwnerTable): Map<string, StoredName> =>
    new Map(exact(kind).map((row) => [row.name, row]));
  const names: NamesUsed = {
    classes: new Map(exact('classes').map(({ id, name }) => [name, id])),
    projects: byName('projects'),
    users: byName('users'),
    consumer_types: byName('consumer_types'),
  };
  const found = new Set(rows.map(({ kind }) => kind));
  const missing = missingNames(names, wanted).filter(({ table }) => found.has(table));
  await findSpellings(tx, names, missing);
  return names;
}

interface MissingName {
  readonly table: OwnerTable;
  readonly name: string;
}

function missingNames(
  names: NamesUsed,
  wanted: Readonly<Record<OwnerTable, Iterable<string>>>,
): MissingName[] {
  return OWNER_TABLES.flatMap((table) =>
    [...wanted[table]].filter((name) => !names[table].has(name)).map((name) => ({ table, name })),
  );
}

/** Names of one statement that looks up each by itself. */
const SPELLED_AT_ONCE = 100;

/**
 * Where the database's collation ignores case, or spaces at the end, it cannot hold two spellings of a name: the one that
 * it has serves both. Only the database knows which names it takes for the same.
 */
async function findSpellings(
  tx: Transaction,
  names: NamesUsed,
  missing: readonly MissingName[],
): Promise<void> {
  for (const batch of batches(missing, SPELLED_AT_ONCE)) {
    const rows = await tx.query<(StoredName & { readonly position: number })[]>(
      batch
        .map(
          ({ table }) =>
            `SELECT ? AS position, id, ${COLUMN[table]} AS name FROM ${table} WHERE ${COLUMN[table]} = ?`,
        )
        .join(' UNION ALL '),
      batch.flatMap(({ name }, position) => [position, name]),
    );
    for (const { position, id, name } of rows) {
      const each = batch[position];
      names[each.table].set(each.name, { id, name });
    }
  }
}

/** Creates the projects, users and types of these consumers that are not there yet. A rival may do so at the same time. */
export async function ensureNames(
  tx: Transaction,
  names: NamesUsed,
  inputs: readonly ConsumerAllocationsInput[],
  now: Date,
): Promise<void> {
  const missing = missingNames(names, namesWanted(inputs, []));
  for (const table of OWNER_TABLES) {
    const created = missing.filter((each) => each.table === table).map(({ name }) => name);
    for (const batch of batches(created.sort())) {
      await tx.query(
        `INSERT INTO ${table} (${COLUMN[table]}, created_at) VALUES ${batch.map(() => '(?)').join(', ')}
         ON DUPLICATE KEY UPDATE id = id`,
        batch.map((name) => [name, now]),
      );
    }
  }
  await findSpellings(tx, names, missing);
}

/** The project, user or type, which {@link ensureNames} has seen to. */
export function nameOf(names: NamesUsed, table: OwnerTable, name: string): StoredName {
  const stored = names[table].get(name);
  if (stored === undefined) throw new Error(`${table} has no ${name}`);
  return stored;
}
