import {
  NAMED_INDEXES,
  EXPECTED_TABLES,
  type ExpectedColumn,
  type ExpectedTable,
} from './placementTables.js';
import type { StoredColumn, StoredTable } from './storedTables.js';

/** How a database differs from what this program relies on, one line each. */
export interface Differences {
  /** With these it would not work. */
  readonly errors: readonly string[];
  /** With these it does. */
  readonly notes: readonly string[];
}

type Tell = (isHarmless: boolean, line: string) => void;

/**
 * All differences at once; tables in `others` belong there although they are none of OpenStack Placement's. Of a database that is only
 * read, indexes, keys and collations do not matter; a user with no other right is not even shown all of them.
 */
export function findDifferences(
  tables: ReadonlyMap<string, StoredTable>,
  others: ReadonlySet<string>,
  { isOnlyRead = false } = {},
): Differences {
  const errors: string[] = [];
  const notes: string[] = [];
  const tell: Tell = (isHarmless, line) => void (isHarmless ? notes : errors).push(line);
  for (const [name, expected] of Object.entries(EXPECTED_TABLES)) {
    const stored = tables.get(name);
    if (stored === undefined) tell(false, `the table ${name} is missing`);
    else {
      compareTable(name, expected, stored, tell);
      if (!isOnlyRead) compareKeys(name, expected, stored, tell);
    }
  }
  for (const name of tables.keys()) {
    if (!(name in EXPECTED_TABLES) && !others.has(name)) {
      tell(true, `the table ${name} is none of OpenStack Placement's`);
    }
  }
  if (!isOnlyRead) compareCollations(tables, tell);
  return { errors, notes };
}

function compareTable(name: string, expected: ExpectedTable, stored: StoredTable, tell: Tell): void {
  if (!stored.isTable) return tell(false, `${name} is a view or of another kind, it must be a plain table`);
  if (stored.engine?.toLowerCase() !== 'innodb') {
    tell(false, `the table ${name} has the engine ${stored.engine}, which must be InnoDB`);
  }
  compareColumns(name, expected, stored, tell);
}

function compareKeys(name: string, expected: ExpectedTable, stored: StoredTable, tell: Tell): void {
  if (!stored.isTable) return;
  compareIndexes(name, expected, stored, tell);
  compareForeignKeys(name, expected, stored, tell);
}

function compareColumns(table: string, expected: ExpectedTable, { columns }: StoredTable, tell: Tell): void {
  for (const [name, column] of Object.entries(expected.columns)) {
    const stored = columns.find((each) => each.name === name);
    if (stored === undefined) tell(false, `the column ${table}.${name} is missing`);
    else compareColumn(`${table}.${name}`, column, stored, tell);
  }
  for (const { name, isNullable, default: value, extra } of columns) {
    if (name in expected.columns) continue;
    const isFilled = isNullable || value !== null || /generated|auto_increment/.test(extra);
    const problem = isFilled ? '' : ' and must be given a value, which only its own writer does';
    tell(isFilled, `the column ${table}.${name} is none of OpenStack Placement's${problem}`);
  }
}

function compareColumn(name: string, expected: ExpectedColumn, stored: StoredColumn, tell: Tell): void {
  if (stored.type !== expected.type) {
    tell(isLonger(stored.type, expected.type), `the column ${name} is ${stored.type}, not ${expected.type}`);
  }
  if (stored.isNullable !== expected.isNullable) {
    const nullable = (can: boolean): string => (can ? 'NULL' : 'NOT NULL');
    tell(false, `the column ${name} is ${nullable(stored.isNullable)}, not ${nullable(expected.isNullable)}`);
  }
  const isCounted = stored.extra.includes('auto_increment');
  if (isCounted !== expected.isCounted) {
    tell(false, `the column ${name} ${isCounted ? 'must not be' : 'is not'} AUTO_INCREMENT`);
  }
  // every write of ours gives every column a value
  if (stored.default !== expected.default) {
    tell(true, `the column ${name} has the default ${stored.default}, not ${expected.default}`);
  }
  if (stored.extra !== '' && !isCounted) tell(true, `the column ${name} is also "${stored.extra}"`);
}

/** Whether a text column holds more than is expected of it. */
function isLonger(stored: string, expected: string): boolean {
  const length = (type: string): number => Number(/^varchar\((\d+)\)$/.exec(type)?.[1] ?? NaN);
  return length(stored) > length(expected);
}

function compareIndexes(table: string, expected: ExpectedTable, { indexes }: StoredTable, tell: Tell): void {
  const wanted = new Set<string>();
  const isSame = (some: readonly string[], others: readonly string[]): boolean =>
    String(some) === String(others);
  const list = (columns: readonly string[]): string => `(${columns.join(', ')})`;
  const primary = indexes.find(({ name }) => name === 'PRIMARY');
  if (primary === undefined || !isSame(primary.columns, expected.primaryKey)) {
    const found = primary ? `is ${list(primary.columns)}, not` : 'is missing, it must be';
    tell(false, `the primary key of ${table} ${found} ${list(expected.primaryKey)}`);
  }
  for (const [isUnique, named] of [
    [true, expected.unique],
    [false, expected.indexes],
  ] as const) {
    for (const [name, columns] of Object.entries(named)) {
      const kind = isUnique ? 'unique index' : 'index';
      const serves = indexes.filter(
        (index) =>
          (index.isUnique || !isUnique) &&
          isSame(isUnique ? index.columns : index.columns.slice(0, columns.length), columns),
      );
      const found = serves.find((index) => index.name === name) ?? serves.at(0);
      if (found === undefined) tell(false, `the ${kind} ${name} ${list(columns)} of ${table} is missing`);
      else {
        wanted.add(found.name);
        if (found.name !== name) {
          tell(!NAMED_INDEXES.has(name), `the ${kind} ${name} of ${table} is named ${found.name}`);
        }
      }
    }
  }
  for (const { name, isUnique, columns } of indexes) {
    if (name === 'PRIMARY' || wanted.has(name)) continue;
    const isRedundant = Object.values(expected.unique).some((unique) => isSame(unique, columns));
    const isHarmless = !isUnique || isRedundant;
    const why = isHarmless ? 'is not needed' : 'refuses rows that this program writes';
    tell(
      isHarmless,
      `the ${isUnique ? 'unique index' : 'index'} ${name} ${list(columns)} of ${table} ${why}`,
    );
  }
}

function compareForeignKeys(
  table: string,
  { foreignKeys: expected }: ExpectedTable,
  { foreignKeys: stored }: StoredTable,
  tell: Tell,
): void {
  for (const [column, target] of Object.entries(expected)) {
    const found = stored.some(
      (key) => String(key.columns) === column && key.target === target && String(key.targetColumns) === 'id',
    );
    if (!found) tell(false, `the foreign key of ${table} (${column}) to ${target} (id) is missing`);
  }
  for (const { name, columns, target, isCascading } of stored) {
    if (expected[String(columns)] !== target) {
      tell(
        false,
        `the foreign key ${name} of ${table} (${columns.join(', ')}) to ${target} must not be there`,
      );
    } else if (isCascading) {
      tell(false, `the foreign key ${name} of ${table} must only refuse, but it changes rows`);
    }
  }
}

function compareCollations(tables: ReadonlyMap<string, StoredTable>, tell: Tell): void {
  const collationOf = (table: string, column: string): string | null | undefined =>
    tables.get(table)?.columns.find(({ name }) => name === column)?.collation;
  // statements compare them with each other
  const [one, other] = [collationOf('allocations', 'consumer_id'), collationOf('consumers', 'uuid')];
  if (one != null && other != null && one !== other) {
    tell(
      false,
      `allocations.consumer_id is of ${one} and consumers.uuid of ${other}, which must be the same`,
    );
  }
  const inUse = Object.keys(EXPECTED_TABLES).flatMap(
    (table) => tables.get(table)?.columns.flatMap(({ collation }) => collation ?? []) ?? [],
  );
  for (const collation of [...new Set(inUse)].sort()) {
    if (!collation.endsWith('_bin')) {
      tell(true, `names of ${collation} that differ only by case or accents are one to the database`);
    }
    if (!collation.startsWith('utf8mb4_')) {
      tell(
        true,
        `names of ${collation} cannot have every character (such as emoji): writes of such are INVALID_INPUT`,
      );
    }
  }
}
