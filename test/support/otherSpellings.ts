import type { Database } from '../../src/store/database/database.js';
import { recordChanges } from './changeFeed.js';
import type { ProcessDatabase } from './database.js';

/** Spellings of a uuid that OpenStack Placement stores as they are. */
export const SPELLINGS = {
  'upper case': (uuid: string) => uuid.toUpperCase(),
  'mixed case': (uuid: string) => uuid.replace(/[a-f]/, (letter) => letter.toUpperCase()),
  'dashes elsewhere': (uuid: string) => uuid.replaceAll('-', '').replace(/^(.)(.*)$/, '$1----$2'),
  'no dashes': (uuid: string) => uuid.replaceAll('-', ''),
  'a urn': (uuid: string) => `urn:${uuid.replaceAll('-', '')}`,
} as const;

type Pool = Pick<Database, 'pool'>;

/** Adds a row of an aggregate with these providers, as OpenStack Placement does, and returns its id. */
export async function addAggregate(
  database: ProcessDatabase,
  text: string,
  ...providers: readonly string[]
): Promise<number> {
  const { pool } = database;
  await pool.query('INSERT INTO placement_aggregates (uuid) VALUES (?)', [text]);
  const [{ id }] = await pool.query<{ id: number }[]>(
    'SELECT id FROM placement_aggregates WHERE BINARY uuid = ?',
    [text],
  );
  const rows = await pool.query<{ id: number }[]>('SELECT id FROM resource_providers WHERE uuid IN (?)', [
    ['', ...providers],
  ]);
  for (const row of rows)
    await pool.query(
      'INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (?, ?)',
      [row.id, id],
    );
  await recordChanges(
    database,
    rows.map((row) => row.id),
  );
  return id;
}

/** Adds a row of a consumer with VCPU of a provider, as OpenStack Placement does. */
export async function addConsumer({ pool }: Pool, text: string, provider: string, used = 1): Promise<void> {
  await pool.query("INSERT IGNORE INTO projects (external_id) VALUES ('theirs')");
  await pool.query("INSERT IGNORE INTO users (external_id) VALUES ('theirs')");
  await pool.query(
    `INSERT INTO consumers (uuid, project_id, user_id, generation)
     SELECT ?, p.id, u.id, 1 FROM projects p, users u WHERE p.external_id = 'theirs' AND u.external_id = 'theirs'`,
    [text],
  );
  await pool.query(
    `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used)
     SELECT ?, id, 0, ? FROM resource_providers WHERE uuid = ?`,
    [text, used, provider],
  );
}

/** Returns the stored texts of consumers, and of their allocations, by age. */
export async function storedTexts({ pool }: Pool): Promise<{ consumers: string[]; allocations: string[] }> {
  const texts = async (sql: string): Promise<string[]> =>
    (await pool.query<{ text: string }[]>(sql)).map(({ text }) => text);
  return {
    consumers: await texts('SELECT uuid AS text FROM consumers ORDER BY id'),
    allocations: await texts('SELECT consumer_id AS text FROM allocations ORDER BY id'),
  };
}
