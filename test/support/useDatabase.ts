import { afterAll, beforeAll } from '@jest/globals';
import type { DatabaseOptions } from '../../src/store/database/database.js';
import { testDatabase, type TestDatabase } from './database.js';

/** Returns a database for all tests of a file. Its members exist from `beforeAll` on. */
export function useDatabase(options: DatabaseOptions = {}): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => void Object.assign(database, await testDatabase(options)));
  afterAll(() => database.close());
  return database;
}
