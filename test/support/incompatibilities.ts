import type { StoredColumn, StoredTable } from '../../src/store/migrations/tables.js';
import type { Migration } from '../../src/store/migrations/migrator.js';

type Tables = ReadonlyMap<string, StoredTable>;

/**
 * Returns the changes of a migration to tables of older versions with which these versions would
 * fail.
 */
export function incompatibilities({ statements }: Migration, before: Tables, after: Tables): string[] {
  return [
    ...statements.flatMap((statement) => ofStatement(statement, before)),
    ...[...before].flatMap(([name, old]) => {
      const now = after.get(name);
      return now === undefined ? [`the table ${name} is gone`] : ofTable(name, old, now);
    }),
  ];
}

/** Returns the incompatibilities of a statement that the later tables do not show. */
function ofStatement(statement: string, before: Tables): string[] {
  const [first] = statement.split('\n');
  const added = /^INSERT INTO (\w+)/i.exec(statement)?.[1];
  if (added !== undefined) return before.has(added) ? [`writes rows of ${added}: ${first}`] : [];
  return /^(CREATE TABLE|ALTER TABLE|CREATE INDEX)\b/i.test(statement)
    ? []
    : [`is neither a new table nor a new column or index: ${first}`];
}

function ofTable(name: string, old: StoredTable, now: StoredTable): string[] {
  const found = old.columns.flatMap((column) => {
    const next = now.columns.find((each) => each.name === column.name);
    return next === undefined ? [`the column ${name}.${column.name} is gone`] : ofColumn(name, column, next);
  });
  for (const column of now.columns) {
    if (old.columns.some((each) => each.name === column.name)) continue;
    const isFilled = column.isNullable || column.default !== null || /generated/.test(column.extra);
    if (!isFilled) found.push(`the new column ${name}.${column.name} must be given a value`);
  }
  for (const { name: index, columns, isUnique } of old.indexes) {
    const next = now.indexes.find((each) => each.name === index);
    if (next?.isUnique !== isUnique || String(next.columns) !== String(columns))
      found.push(`the index ${index} of ${name} is gone or another one`);
  }
  for (const { name: index, isUnique } of now.indexes) {
    if (isUnique && !old.indexes.some((each) => each.name === index))
      found.push(`the new unique index ${index} of ${name} refuses rows`);
  }
  for (const { name: key } of now.foreignKeys) {
    if (!old.foreignKeys.some((each) => each.name === key))
      found.push(`the new foreign key ${key} of ${name} refuses rows`);
  }
  if (old.engine !== now.engine || old.isTable !== now.isTable)
    found.push(`the table ${name} is of another kind`);
  return found;
}

function ofColumn(table: string, old: StoredColumn, now: StoredColumn): string[] {
  const name = `${table}.${old.name}`;
  return [
    ...(isAsWide(old.type, now.type) ? [] : [`the column ${name} is ${now.type} and was ${old.type}`]),
    ...(old.isNullable && !now.isNullable ? [`the column ${name} must have a value now`] : []),
    ...(old.default !== null && now.default !== old.default
      ? [`the column ${name} has lost its default`]
      : []),
    ...(old.collation === now.collation ? [] : [`the column ${name} is of another collation`]),
    ...(old.extra === now.extra ? [] : [`the column ${name} is "${now.extra}" and was "${old.extra}"`]),
  ];
}

const INTEGERS = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];

/** Returns whether a type can store every value of another type. */
function isAsWide(old: string, now: string): boolean {
  if (old === now) return true;
  const [length, newLength] = [old, now].map((type) => Number(/^varchar\((\d+)\)$/.exec(type)?.[1] ?? NaN));
  if (newLength >= length) return true;
  const [size, newSize] = [old, now].map((type) => INTEGERS.indexOf(type));
  return size >= 0 && newSize >= size;
}
