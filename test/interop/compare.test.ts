import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { exportPlacement } from '../../src/tools/copy/transfer.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { Reference } from '../../bench/beside/reference.js';
import { runClient } from '../client/client.js';
import { startApi, type Api } from '../support/api.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';

let [ours, theirs]: TestDatabase[] = [];
let reference: Reference;
/** Servers on a copy of Placement's database, and on the database itself. */
let [apart, beside]: Api[] = [];

beforeAll(async () => {
  [ours, theirs] = [await testDatabase(), await emptyDatabase()];
  await loadDemoData(ours, { hosts: 6 });
  reference = await Reference.start(theirs.url);
  await exportPlacement({ source: ours, target: theirs, onProgress: () => undefined });
  await adopt(theirs);
  [apart, beside] = [await startApi(ours), await startApi(theirs)];
}, 120_000);

afterAll(async () => {
  await Promise.all([apart, beside].map((each) => each?.close()));
  await reference?.stop();
  await Promise.all([ours, theirs].map((each) => each?.close()));
});

const compare = (api: Api, ...options: string[]) =>
  runClient(api.url, ['compare', reference.url, ...options], {
    environment: { PLACEMENT_OTHER_TOKEN: 'admin' },
  });

test('compare finds no difference between this server and OpenStack Placement, on one database and on a copy', async () => {
  for (const api of [beside, apart]) {
    const { code, out, error } = await compare(api);
    expect({ code, out }).toEqual({ code: 0, out: 'no differences\n' });
    expect(Number(/compared (\d+) reads\n$/.exec(error)?.[1])).toBeGreaterThan(200);
  }
}, 120_000);

test('compare finds a write to one of two databases', async () => {
  await reference.send('PUT', '/traits/CUSTOM_THERE');
  const options = ['--providers', '0', '--candidates', '0', '--json'];
  const { code, out } = await compare(apart, ...options);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual([
    { read: 'GET /traits', at: 'traits.CUSTOM_THERE', there: 'CUSTOM_THERE' },
  ]);
  expect(await compare(beside, ...options)).toMatchObject({ code: 0, out: '[]\n' });
}, 60_000);
