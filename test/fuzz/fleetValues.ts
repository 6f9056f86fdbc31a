import type { Database } from '../../src/store/database/database.js';
import type { Random } from '../oracle/random.js';

/** A provider or consumer in the state of the last refresh. */
interface Versioned {
  readonly uuid: string;
  readonly generation: number;
}

/** The number of rows read from each table. */
const SOME = 300;
/** The maximum number of remembered cursors, and of global ids. */
const MOST_REMEMBERED = 500;

/** The names and ids of the fleet, for documents that refer to them. */
export class FleetValues {
  providers: (Versioned & { readonly name: string })[] = [];
  consumers: Versioned[] = [];
  aggregates: string[] = [];
  traits: string[] = [];
  classes: string[] = [];
  projects: string[] = [];
  users: string[] = [];
  types: string[] = [];
  /** Cursors and ids from earlier answers of the server. */
  readonly cursors: string[] = [];
  readonly ids: string[] = [];

  /** Reads the fleet again: some rows of each table, including its first and last rows. */
  async refresh({ pool }: Pick<Database, 'pool'>, random: Random): Promise<void> {
    const some = async <T>(columns: string, table: string): Promise<T[]> => {
      const ends = ['ASC', 'DESC'].map(
        (order) => `(SELECT id FROM ${table} ORDER BY id ${order} LIMIT ${SOME / 2})`,
      );
      const drawn = `(SELECT id FROM ${table} WHERE id % 97 = ${random.between(0, 96)} LIMIT ${SOME})`;
      return pool.query<T[]>(
        `SELECT ${columns} FROM ${table} JOIN (${[...ends, drawn].join(' UNION ')}) AS drawn USING (id) ORDER BY id`,
      );
    };
    const names = async (column: string, table: string): Promise<string[]> =>
      (await some<{ name: string }>(`${column} AS name`, table)).map(({ name }) => name);
    this.providers = await some('uuid, name, generation', 'resource_providers');
    this.consumers = await some('uuid, generation', 'consumers');
    this.aggregates = await names('uuid', 'placement_aggregates');
    this.traits = await names('name', 'traits');
    this.classes = await names('name', 'resource_classes');
    this.projects = await names('external_id', 'projects');
    this.users = await names('external_id', 'users');
    this.types = await names('name', 'consumer_types');
  }

  /** Remembers the cursors and ids of an answer, which can be sent again. */
  learn(key: string, value: unknown, random: Random): void {
    const list = key.endsWith('ursor') ? this.cursors : key === 'id' ? this.ids : null;
    if (list === null || typeof value !== 'string') return;
    if (list.length < MOST_REMEMBERED) list.push(value);
    else list[random.between(0, MOST_REMEMBERED - 1)] = value;
  }
}
