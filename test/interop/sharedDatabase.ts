import { migrate } from '../../src/database/migrator.js';
import { startApi, type Api } from '../support/api.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { Reference } from './reference.js';

/** One database on which OpenStack Placement and this server run, with the tables that Placement made. */
export interface SharedDatabase {
  readonly database: TestDatabase;
  readonly reference: Reference;
  readonly api: Api;
  close(): Promise<void>;
}

/** @param session SQL that each connection of Placement's runs first */
export async function sharedDatabase(session?: string): Promise<SharedDatabase> {
  const database = await emptyDatabase();
  const reference = await Reference.start(database.url, session);
  await adopt(database);
  await database.prisma.$connect();
  const api = await startApi(database);
  const close = async (): Promise<void> => {
    await api.close();
    await reference.stop();
    await database.close();
  };
  return { database, reference, api, close };
}

const OWN_TABLES = ['_prisma_migrations', 'placement_feed_writers', 'placement_feed_changes'];

/** Adds this server's own tables to the database of a Placement: as the migrations make them, which are recorded as applied. */
async function adopt(database: TestDatabase): Promise<void> {
  const model = await testDatabase();
  const name = new URL(model.url).pathname.slice(1);
  for (const table of OWN_TABLES) await database.pool.query(`CREATE TABLE ${table} LIKE ${name}.${table}`);
  await database.pool.query(`INSERT INTO _prisma_migrations SELECT * FROM ${name}._prisma_migrations`);
  await model.close();
  await migrate(database);
}
