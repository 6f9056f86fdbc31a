import { reason } from '../../store/database/failures.js';

/*
 * One copier serves `backup`, `restore`, `import` and `export`. Each end is a database (databaseEnd.ts) or a backup
 * file (backupFile.ts).
 */

export type Value = string | number | null;
export type Row = readonly Value[];

/** An INSERT of a page is well below the smallest default packet limit of a server (16 MB). */
export const PAGE_ROWS = 5_000;

/** The checks of a table as text, by label: the number of rows, sums, and a checksum of all values. */
export type TableChecks = Readonly<Record<string, string>>;

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Reads all rows in the order of the key. A table of a file must be read to its end before the next one. */
  pages(): AsyncIterable<readonly Row[]>;
  /** To be called after {@link pages} has ended. */
  checks(): Promise<TableChecks>;
}

/** The tables of one end, in the order of copying. The order has no effect: foreign keys are not checked meanwhile. */
export type CopyReader<Table extends SourceTable = SourceTable> = Iterable<Table> | AsyncIterable<Table>;

export interface CopyWriter<Table extends SourceTable = SourceTable> {
  begin(table: Table): Promise<void> | void;
  write(rows: readonly Row[]): Promise<void>;
  /** Ends the table after `count` rows were written. */
  end(count: number): Promise<void> | void;
}

export interface Progress {
  readonly onProgress: (line: string) => void;
  /** Called several times a second with the number of rows so far. */
  readonly onRows?: (line: string) => void;
}

export async function copyTables<Table extends SourceTable>(
  tables: CopyReader<Table>,
  writer: CopyWriter<Table>,
  { onRows }: Pick<Progress, 'onRows'>,
): Promise<void> {
  for await (const table of tables) {
    await writer.begin(table);
    let count = 0;
    for await (const rows of table.pages()) {
      await writer.write(rows);
      count += rows.length;
      onRows?.(`${table.name}: ${count} rows`);
    }
    await writer.end(count);
  }
}

/** The comparison of the checks of a table in the source and in the copy. */
export interface Comparison {
  readonly isEqual: boolean;
  /** The checks in one line, with both values of a check that differs. */
  readonly line: string;
}

export function compareChecks(name: string, source: TableChecks, copy: TableChecks = source): Comparison {
  const labels = [...new Set([...Object.keys(source), ...Object.keys(copy)])];
  const checks = labels.map((label) => {
    const [here, there] = [source, copy].map((each) => each[label] ?? 'none');
    return `${label} ${here === there ? here : `${here}, in the copy ${there}`}`;
  });
  const isEqual = labels.every((label) => source[label] === copy[label]);
  return { isEqual, line: `${name}: ${checks.join('; ')}` };
}

/** Returns an error handler that adds the failed action to the reason. */
export function failWith(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${what}: ${reason(error)}`, { cause: error });
  };
}
