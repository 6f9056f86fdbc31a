import { afterAll, beforeAll } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { recordReset } from '../../src/store/feed/writer.js';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { startApi, type Api } from '../support/api.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { Reference } from '../../bench/beside/reference.js';

/** One database on which OpenStack Placement and this server run, with the tables that Placement made. */
export interface SharedDatabase {
  readonly database: TestDatabase;
  readonly reference: Reference;
  readonly api: Api;
  /** Makes this server read everything again. It would find Placement's writes later by itself (foreignWrites.test.ts). */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** With this statement OpenStack Placement does not exceed capacities (docs/reliability.md). */
export const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** @param session SQL that each connection of Placement runs first */
export async function sharedDatabase(session?: string): Promise<SharedDatabase> {
  const database = await emptyDatabase();
  const reference = await Reference.start(database.url, session);
  await adopt(database);
  await migrate(database);
  await database.prisma.$connect();
  const api = await startApi(database, { limits: { ...OPERATION_LIMITS, candidates: 10_000 } });
  const close = async (): Promise<void> => {
    await api.close();
    await reference.stop();
    await database.close();
  };
  const reload = (): Promise<void> => recordReset(database.pool);
  return { database, reference, api, reload, close };
}

/** Returns a shared database for all tests of a file. Its members exist from `beforeAll` on. */
export function useSharedDatabase(): SharedDatabase {
  const shared: Partial<SharedDatabase> = {};
  beforeAll(async () => void Object.assign(shared, await sharedDatabase()), 120_000);
  afterAll(() => shared.close?.());
  return shared as SharedDatabase;
}
