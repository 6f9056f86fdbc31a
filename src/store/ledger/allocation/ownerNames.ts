import { isCatalogName } from '../../sql/catalog.js';
import { columns, insertion, read, select, unionAll, type Column, storable } from '../../sql/statements.js';
import {
  InvalidInput,
  classesNamed,
  CONSUMER_TYPE,
  type ConsumerAllocationsInput,
} from '../../../model/input.js';
import { batches, type Transaction } from '../transaction.js';

/** The tables of names that consumers refer to. Rows are created on first use and stay (rule 81). */
const NAME = {
  projects: columns('projects').external_id,
  users: columns('users').external_id,
  consumer_types: columns('consumer_types').name,
};
export type OwnerTable = keyof typeof NAME;

const OWNER_TABLES = Object.keys(NAME) as OwnerTable[];

/** Changes nothing. MySQL rejects `id = id` (1869) if one statement inserts a name in two equal spellings. */
export const KEEP_OWNER = 'ON DUPLICATE KEY UPDATE created_at = created_at';
const INSERT = {
  projects: insertion('projects', ['external_id', 'created_at'], KEEP_OWNER),
  users: insertion('users', ['external_id', 'created_at'], KEEP_OWNER),
  consumer_types: insertion('consumer_types', ['name', 'created_at'], KEEP_OWNER),
};

/** A project, user or type, with its name as the database spells it. */
export interface StoredName {
  readonly id: number;
  readonly name: string;
}

/** The stored objects with the names that a write uses. Omits missing names. */
export interface NamesUsed extends Readonly<Record<OwnerTable, Map<string, StoredName>>> {
  /** Maps the names of classes to ids. */
  readonly classes: Map<string, number>;
  /** Names that their table cannot store. */
  readonly unstorable: Unstorable;
}

export type Unstorable = Readonly<Record<'projects' | 'users', ReadonlySet<string>>>;

/** A row of one of the tables of names. */
export interface NameRow extends StoredName {
  readonly kind: NameKind;
}

type NameKind = OwnerTable | 'classes';

export type NamesWanted = Readonly<Record<NameKind, ReadonlySet<string>>>;

/**
 * Returns the storable classes, projects, users and types that consumers name, and more classes. Omits
 * impossible names of classes and types: they are rejected later, and the database may be unable to
 * compare them.
 */
export function namesWanted(
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[],
  { projects, users }: Unstorable,
): NamesWanted {
  const types = inputs.flatMap(({ type }) => type ?? []);
  return {
    classes: new Set([...moreClasses, ...classesNamed(inputs)].filter(isCatalogName)),
    projects: new Set(inputs.map(({ projectId }) => projectId).filter((id) => !projects.has(id))),
    users: new Set(inputs.map(({ userId }) => userId).filter((id) => !users.has(id))),
    consumer_types: new Set(types.filter((type) => CONSUMER_TYPE.test(type))),
  };
}

/** Returns the names of projects and users that their tables cannot store. */
export async function findUnstorable(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
): Promise<Unstorable> {
  const lost = async (table: 'projects' | 'users', field: 'projectId' | 'userId'): Promise<Set<string>> => {
    const names = [...new Set(inputs.map((input) => input[field]))];
    const held = await storable(tx, table, names);
    return new Set(names.filter((name) => !held.has(name)));
  };
  return { projects: await lost('projects', 'projectId'), users: await lost('users', 'userId') };
}

/** Rejects ids of projects and users that their tables cannot store (INVALID_INPUT). */
export function checkStorable(
  inputs: readonly ConsumerAllocationsInput[],
  path: readonly string[],
  { unstorable }: NamesUsed,
): void {
  if (unstorable.projects.size + unstorable.users.size === 0) return;
  inputs.forEach(({ projectId, userId }, index) => {
    const reject = (field: string, id: string): never => {
      const message = `${field} ${JSON.stringify(id)} has characters that its table cannot hold`;
      throw new InvalidInput([...path, String(index), field], message);
    };
    if (unstorable.projects.has(projectId)) reject('projectId', projectId);
    if (unstorable.users.has(userId)) reject('userId', userId);
  });
}

/** Groups the rows by kind. Compares names of classes itself, not by collation (rule 7, D8). */
export async function namesOf(
  tx: Transaction,
  wanted: NamesWanted,
  rows: readonly NameRow[],
  unstorable: Unstorable,
): Promise<NamesUsed> {
  const names: NamesUsed = {
    classes: new Map(),
    projects: new Map(),
    users: new Map(),
    consumer_types: new Map(),
    unstorable,
  };
  for (const row of rows) {
    if (!wanted[row.kind].has(row.name)) continue;
    if (row.kind === 'classes') names.classes.set(row.name, row.id);
    else names[row.kind].set(row.name, row);
  }
  const found = new Set(rows.map(({ kind }) => kind));
  const missing = missingNames(names, wanted).filter(({ table }) => found.has(table));
  await findSpellings(tx, names, missing);
  return names;
}

interface MissingName {
  readonly table: OwnerTable;
  readonly name: string;
}

function missingNames(names: NamesUsed, wanted: NamesWanted): MissingName[] {
  return OWNER_TABLES.flatMap((table) =>
    [...wanted[table]].filter((name) => !names[table].has(name)).map((name) => ({ table, name })),
  );
}

/** The maximum number of names that one statement looks up one by one. */
const SPELLINGS_AT_ONCE = 100;

/**
 * Finds the stored spellings of names. If the collation ignores case or trailing spaces, equal
 * names share one stored spelling. Only the database can decide which names are equal.
 */
async function findSpellings(
  tx: Transaction,
  names: NamesUsed,
  missing: readonly MissingName[],
): Promise<void> {
  for (const batch of batches(missing, SPELLINGS_AT_ONCE)) {
    const selects = batch.map(({ table }) => {
      const named = { position: '?' as Column<number>, id: columns(table).id, name: NAME[table] };
      return select(named, `FROM ${table} WHERE ${NAME[table]} = ?`);
    });
    const values = batch.flatMap(({ name }, position) => [position, name]);
    for (const { position, id, name } of await read(tx, unionAll(selects), values)) {
      const each = batch[position];
      names[each.table].set(each.name, { id, name });
    }
  }
}

/** Creates the missing projects, users and types. Concurrent writers may create the same ones. */
export async function ensureNames(
  tx: Transaction,
  names: NamesUsed,
  inputs: readonly ConsumerAllocationsInput[],
): Promise<void> {
  const missing = missingNames(names, namesWanted(inputs, [], names.unstorable));
  for (const table of OWNER_TABLES) {
    const created = missing.filter((each) => each.table === table).map(({ name }) => name);
    for (const batch of batches(created.sort())) {
      await tx.query(...INSERT[table](batch.map((name) => [name, tx.now])));
    }
  }
  await findSpellings(tx, names, missing);
}

/** Returns the project, user or type, which {@link ensureNames} has found or created. */
export function nameOf(names: NamesUsed, table: OwnerTable, name: string): StoredName {
  const stored = names[table].get(name);
  if (stored === undefined) throw new Error(`${table} has no ${name}`);
  return stored;
}
