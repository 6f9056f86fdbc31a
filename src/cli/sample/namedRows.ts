import type { Connection } from 'mariadb';
import { BulkInsert } from './bulkInsert.js';

/** The rows of a table that only gives numbers to names: those that are there, and new ones as they are asked for. */
export class NamedRows {
  private constructor(
    private readonly ids: Map<string, number>,
    private nextId: number,
    private readonly fresh: BulkInsert,
  ) {}

  static async read(connection: Connection, table: string, column: string): Promise<NamedRows> {
    const rows = await connection.query<{ id: number; name: string }[]>(
      `SELECT id, ${column} AS name FROM ${table}`,
    );
    const ids = new Map(rows.map(({ id, name }) => [name, id]));
    const lastId = rows.reduce((last, { id }) => Math.max(last, id), 0);
    return new NamedRows(ids, lastId + 1, new BulkInsert(connection, table, `id, ${column}`));
  }

  /** The id of a name; a new one gets the next id, and a row with the next `flush`. */
  idOf(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.nextId++;
    this.ids.set(name, id);
    this.fresh.add(id, name);
    return id;
  }

  flush(): Promise<void> {
    return this.fresh.flush();
  }
}
