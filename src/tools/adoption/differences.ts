import {
  EXPECTED_TABLES,
  type ExpectedColumn,
  type ExpectedTable,
  NAMED_INDEXES,
  type StoredColumn,
  type StoredTable,
} from '../../store/migrations/tables.js';

/** The differences between a database and the tables that this program requires, one line each. */
export interface Differences {
  /** Differences that prevent this program from working. */
  readonly errors: readonly string[];
  /** Harmless differences. */
  readonly notes: readonly string[];
  readonly all: readonly Difference[];
}

interface Difference {
  readonly isHarmless: boolean;
  readonly line: string;
  /** A statement that removes the difference, if any. */
  readonly repair?: string;
}

interface Expectations {
  /**
   * The database is only read: indexes, keys and collations do not matter, and the user may be unable to see them.
   */
  readonly isOnlyRead?: boolean;
  /** Defaults to the tables of OpenStack Placement. */
  readonly expected?: Readonly<Record<string, ExpectedTable>>;
}

type Tell = (isHarmless: boolean, line: string, repair?: string) => void;

/** Returns all differences. Tables in `others` are allowed and not compared. */
export function findDifferences(
  tables: ReadonlyMap<string, StoredTable>,
  others: ReadonlySet<string>,
  { isOnlyRead = false, expected = EXPECTED_TABLES }: Expectations = {},
): Differences {
  const all: Difference[] = [];
  const tell: Tell = (isHarmless, line, repair) => void all.push({ isHarmless, line, repair });
  for (const [name, table] of Object.entries(expected)) {
    const stored = tables.get(name);
    if (stored === undefined) tell(false, `the table ${name} is missing`);
    else if (!stored.isTable) tell(false, `${name} is a view or of another kind, it must be a plain table`);
    else {
      if (stored.engine?.toLowerCase() !== 'innodb') {
        const line = `the table ${name} has the engine ${stored.engine}, which must be InnoDB`;
        tell(false, line, `ALTER TABLE ${name} ENGINE = InnoDB`);
      }
      compareColumns(name, table, stored, tell);
      if (isOnlyRead) continue;
      compareIndexes(name, table, stored, tell);
      compareForeignKeys(name, table, stored, tell);
    }
  }
  for (const name of tables.keys()) {
    if (!(name in expected) && !others.has(name)) {
      tell(true, `the table ${name} is not one of OpenStack Placement's`);
    }
  }
  if (!isOnlyRead) compareCollations(tables, tell);
  const linesOf = (isHarmless: boolean): string[] =>
    all.filter((each) => each.isHarmless === isHarmless).map(({ line }) => line);
  return { errors: linesOf(false), notes: linesOf(true), all };
}

function compareColumns(table: string, expected: ExpectedTable, { columns }: StoredTable, tell: Tell): void {
  for (const [name, column] of Object.entries(expected.columns)) {
    const stored = columns.find((each) => each.name === name);
    if (stored !== undefined) compareColumn(table, column, stored, tell);
    else {
      const repair = `ALTER TABLE ${table} ADD COLUMN ${definitionOf(name, column)}`;
      tell(false, `the column ${table}.${name} is missing`, repair);
    }
  }
  for (const { name, isNullable, default: value, extra } of columns) {
    if (name in expected.columns) continue;
    const isFilled = isNullable || value !== null || /generated|auto_increment/.test(extra);
    const problem = isFilled ? '' : ' and must be given a value, which only its own writer does';
    tell(isFilled, `the column ${table}.${name} is not one of OpenStack Placement's${problem}`);
  }
}

function compareColumn(table: string, expected: ExpectedColumn, stored: StoredColumn, tell: Tell): void {
  const name = `${table}.${stored.name}`;
  const repair = `ALTER TABLE ${table} MODIFY COLUMN ${definitionOf(stored.name, expected)}`;
  if (stored.type !== expected.type) {
    const isHarmless = isLonger(stored.type, expected.type);
    const line = `the column ${name} is ${stored.type}, not ${expected.type}`;
    tell(isHarmless, line, isHarmless ? undefined : repair);
  }
  if (stored.isNullable !== expected.isNullable) {
    const [is, must] = stored.isNullable ? ['NULL', 'NOT NULL'] : ['NOT NULL', 'NULL'];
    tell(false, `the column ${name} is ${is}, not ${must}`, repair);
  }
  const isCounted = stored.extra.includes('auto_increment');
  if (isCounted !== expected.isCounted) {
    tell(false, `the column ${name} ${isCounted ? 'must not be' : 'is not'} AUTO_INCREMENT`, repair);
  }
  // every write of ours gives every column a value
  if (stored.default?.toLowerCase() !== expected.default?.toLowerCase()) {
    tell(true, `the column ${name} has the default ${stored.default}, not ${expected.default}`);
  }
  const extra = stored.extra.replace('default_generated', '').trim(); // MySQL: the default is an expression
  if (extra !== '' && !isCounted) tell(true, `the column ${name} is also "${extra}"`);
}

function definitionOf(name: string, { type, isNullable, isCounted, default: value }: ExpectedColumn): string {
  const isText = type.startsWith('varchar') || type === 'text';
  return [
    name,
    type,
    ...(isText ? ['CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'] : []),
    isNullable ? 'NULL' : 'NOT NULL',
    ...(isCounted ? ['AUTO_INCREMENT'] : []),
    ...(value === null ? [] : [`DEFAULT ${value}`]),
  ].join(' ');
}

function isLonger(stored: string, expected: string): boolean {
  const length = (type: string): number => Number(/^varchar\((\d+)\)$/.exec(type)?.[1] ?? NaN);
  return length(stored) > length(expected);
}

function compareIndexes(table: string, expected: ExpectedTable, { indexes }: StoredTable, tell: Tell): void {
  const primary = indexes.find(({ name }) => name === 'PRIMARY');
  if (primary === undefined || !isSame(primary.columns, expected.primaryKey)) {
    const found = primary ? `is ${listOf(primary.columns)}, not` : 'is missing, it must be';
    tell(false, `the primary key of ${table} ${found} ${listOf(expected.primaryKey)}`);
  }
  const wanted = [
    ...Object.entries(expected.unique).map(([name, columns]) => ({ name, columns, isUnique: true })),
    ...Object.entries(expected.indexes).map(([name, columns]) => ({ name, columns, isUnique: false })),
  ];
  const used = new Set(['PRIMARY']);
  for (const { name, columns, isUnique } of wanted) {
    const kind = isUnique ? 'unique index' : 'index';
    const serves = indexes.filter((index) =>
      isUnique
        ? index.isUnique && isSame(index.columns, columns)
        : isSame(index.columns.slice(0, columns.length), columns),
    );
    const found = serves.find((index) => index.name === name) ?? serves.at(0);
    if (found === undefined) {
      const repair = `ALTER TABLE ${table} ADD ${kind.toUpperCase()} ${name} ${listOf(columns)}`;
      tell(false, `the ${kind} ${name} ${listOf(columns)} of ${table} is missing`, repair);
      continue;
    }
    used.add(found.name);
    if (found.name === name) continue;
    const repair = NAMED_INDEXES.has(name)
      ? `ALTER TABLE ${table} RENAME INDEX ${found.name} TO ${name}`
      : undefined;
    tell(repair === undefined, `the ${kind} ${name} of ${table} is named ${found.name}`, repair);
  }
  for (const { name, isUnique, columns } of indexes) {
    if (used.has(name)) continue;
    const isRedundant = Object.values(expected.unique).some((unique) => isSame(unique, columns));
    const isHarmless = !isUnique || isRedundant;
    const why = isHarmless ? 'is not needed' : 'refuses rows that this program writes';
    const line = `the ${isUnique ? 'unique index' : 'index'} ${name} ${listOf(columns)} of ${table} ${why}`;
    tell(isHarmless, line, isHarmless ? undefined : `ALTER TABLE ${table} DROP INDEX ${name}`);
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return String(some) === String(others);
}

function listOf(columns: readonly string[]): string {
  return `(${columns.join(', ')})`;
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
    if (!found) {
      const repair = `ALTER TABLE ${table} ADD FOREIGN KEY (${column}) REFERENCES ${target} (id)`;
      tell(false, `the foreign key of ${table} (${column}) to ${target} (id) is missing`, repair);
    }
  }
  for (const { name, columns, target, isCascading } of stored) {
    if (expected[String(columns)] !== target) {
      const line = `the foreign key ${name} of ${table} ${listOf(columns)} to ${target} must not be there`;
      tell(false, line, `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`);
    } else if (isCascading) {
      tell(false, `the foreign key ${name} of ${table} must be RESTRICT or NO ACTION, but it changes rows`);
    }
  }
}

function compareCollations(tables: ReadonlyMap<string, StoredTable>, tell: Tell): void {
  const collationOf = (table: string, column: string): string | null | undefined =>
    tables.get(table)?.columns.find(({ name }) => name === column)?.collation;
  // statements compare them with each other
  const [one, other] = [collationOf('allocations', 'consumer_id'), collationOf('consumers', 'uuid')];
  if (one != null && other != null && one !== other) {
    const line = `allocations.consumer_id is of ${one} and consumers.uuid of ${other}, which must be the same`;
    const characters = other.split('_')[0];
    tell(false, line, `ALTER TABLE allocations CONVERT TO CHARACTER SET ${characters} COLLATE ${other}`);
  }
  const inUse = Object.keys(EXPECTED_TABLES).flatMap(
    (table) => tables.get(table)?.columns.flatMap(({ collation }) => collation ?? []) ?? [],
  );
  for (const collation of [...new Set(inUse)].sort()) {
    if (!collation.endsWith('_bin')) {
      tell(true, `names of ${collation} that differ only by case or accents are equal to the database`);
    }
    if (!collation.startsWith('utf8mb4_')) {
      const problem = 'cannot have every character (such as emoji): writes of such are INVALID_INPUT';
      tell(true, `names of ${collation} ${problem}`);
    }
  }
}
