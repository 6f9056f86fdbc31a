import type { Connection } from 'mariadb';

/** How new rows of such a table are written: a BulkInsert of its id and name. */
interface NameInsert {
  readonly table: string;
  readonly columns: readonly [id: 'id', name: string];
  add(id: number, name: string): void;
  flush(): Promise<void>;
}

/** The rows of a table that only gives ids to names: those that are there, and new ones as they are asked for. */
export class NamedRows {
  private constructor(
    private readonly ids: Map<string, number>,
    private nextId: number,
    private readonly insert: NameInsert,
  ) {}

  static async read(connection: Connection, insert: NameInsert): Promise<NamedRows> {
    const sql = `SELECT ${insert.columns.join(', ')} FROM ${insert.table}`;
    const rows = await connection.query<[id: number, name: string][]>({ rowsAsArray: true, sql });
    const lastId = rows.reduce((last, [id]) => Math.max(last, id), 0);
    return new NamedRows(new Map(rows.map(([id, name]) => [name, id])), lastId + 1, insert);
  }

  /** The id of a name; a new one gets the next id, and a row with the next `flush`. */
  idOf(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.nextId++;
    this.ids.set(name, id);
    this.insert.add(id, name);
    return id;
  }

  flush(): Promise<void> {
    return this.insert.flush();
  }
}
