import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProcess, type Process } from '../../src/server/process.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { serve, type Served } from './server.js';

let database: TestDatabase;
let served: Served;
const reported: [error: unknown, during: string][] = [];
const bug = new Error('a secret of the server');

beforeAll(async () => {
  database = await testDatabase();
  const process = createProcess(database, {
    report: (error, during) => void reported.push([error, during]),
  });
  let isBroken = false;
  const breaking = Object.defineProperty({ ...process }, 'snapshots', {
    get(): Process['snapshots'] {
      if (isBroken) throw bug;
      return process.snapshots;
    },
  });
  served = await serve(breaking, { hasDashboard: false });
  isBroken = true;
});

afterAll(async () => {
  await served.server.close();
  await database.close();
});

test('an unexpected error is answered without details and reported with the id of the request', async () => {
  const answer = await fetch(`${served.origin}/healthz`, { headers: { 'x-request-id': 'unlucky-1' } });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([500, 'unlucky-1']);
  const text = await answer.text();
  expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"');
  expect(text).toContain('unlucky-1');
  expect(text).not.toMatch(/secret|node_modules|\.[jt]s\b/);
  expect(reported).toEqual([[bug, expect.stringContaining('unlucky-1') as unknown]]);
  expect((await fetch(`${served.origin}/`, { redirect: 'manual' })).status).toBe(302);
});
