import type { Connection } from 'mariadb';
import { HISTORY_TABLE, readStoredTables } from '../adoption/tables.js';
import { reason } from '../failures.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import type { Head, TableEnd } from './readBackup.js';
import { type Row, areEqual, insertion, lineOf, readFigures } from './rows.js';
import { type CopiedTable, storedTables } from './tables.js';

/** As OpenStack Placement makes it. */
const ALEMBIC = `CREATE TABLE ${ALEMBIC_TABLE} (version_num varchar(32) NOT NULL, PRIMARY KEY (version_num))`;

/** Ids may be 0, and whatever is stored can be restored, be it a date that no calendar has. */
const MODES = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES';

interface Tell {
  readonly onProgress: (line: string) => void;
  readonly onRows?: (line: string) => void;
}

/** The tables of a database into which a backup is written, one after the other. */
export class LoadedTables {
  /** Of the migrations as they were, which are not written here. */
  readonly history: { columns: readonly string[]; rows: Row[] } = { columns: [], rows: [] };
  private table: CopiedTable | null = null;
  private readonly written: { readonly table: CopiedTable; readonly figures: TableEnd['figures'] }[] = [];
  private count = 0;

  private constructor(
    private readonly target: Connection,
    private readonly tables: ReadonlyMap<string, CopiedTable>,
    private readonly nextIds: Head['nextIds'],
    private readonly tell: Tell,
  ) {}

  /** Of a database that the recorded migrations have made. */
  static async on(target: Connection, { nextIds }: Head, tell: Tell): Promise<LoadedTables> {
    await target.query(`SET SESSION foreign_key_checks = 0, sql_mode = '${MODES}'`);
    const stored = storedTables(await readStoredTables(target));
    return new LoadedTables(target, new Map(stored.map((table) => [table.name, table])), nextIds, tell);
  }

  async begin(name: string, columns: readonly string[]): Promise<void> {
    this.count = 0;
    if (name === HISTORY_TABLE) {
      this.history.columns = this.columnsOf(name, columns).columns;
      this.table = null;
      return;
    }
    if (name === ALEMBIC_TABLE) await this.target.query(ALEMBIC);
    this.table = name === ALEMBIC_TABLE ? PLACEMENTS_RECORD : this.columnsOf(name, columns);
    if (name in this.nextIds)
      await this.target.query(`ALTER TABLE ${name} AUTO_INCREMENT = ${this.nextIds[name]}`);
  }

  async write(rows: readonly Row[]): Promise<void> {
    if (this.table === null) return void this.history.rows.push(...rows);
    const { table } = this;
    await this.target.query(insertion(this.target, table, rows)).catch((error: unknown) => {
      throw new Error(`cannot restore ${table.name}: ${reason(error)}`, { cause: error });
    });
    this.count += rows.length;
    this.tell.onRows?.(`${table.name}: ${this.count} rows`);
  }

  end({ figures }: TableEnd): void {
    if (this.table === null) return;
    this.written.push({ table: this.table, figures });
    this.tell.onProgress(`restored ${this.table.name}: ${this.count} rows`);
  }

  /** To be called when all tables are there, because sums of one have names of another. @throws Error when one is not as it was */
  async compare(): Promise<void> {
    for (const { table, figures } of this.written) {
      const [before, now] = [new Map(Object.entries(figures)), await readFigures(this.target, table)];
      if (!areEqual(before, now))
        throw new Error(`the copy differs from the backup: ${lineOf(table, before, now)}`);
      this.tell.onProgress(`equal: ${lineOf(table, now)}`);
    }
  }

  /** The table with the columns of the backup, in their order: names in statements are those of the database. */
  private columnsOf(name: string, columns: readonly string[]): CopiedTable {
    const table = this.tables.get(name);
    const positions = columns.map((column) => table?.columns.indexOf(column) ?? -1);
    if (table === undefined || positions.includes(-1))
      throw new Error(`the backup has ${name} (${columns.join(', ')}), which its migrations do not make`);
    return {
      ...table,
      columns: positions.map((at) => table.columns[at]),
      values: positions.map((at) => table.values[at]),
    };
  }
}

const PLACEMENTS_RECORD: CopiedTable = {
  name: ALEMBIC_TABLE,
  columns: ['version_num'],
  values: ['version_num'],
  key: ['version_num'],
  isCounted: false,
};
