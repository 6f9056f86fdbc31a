import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { exportPlacement, importPlacement } from '../../src/tools/copy/transfer.js';
import { startApi } from '../support/api.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { Reference } from '../../bench/beside/reference.js';
import { stateOfApi, stateOfReference, type CommonState, type Known } from './state.js';

let [ours, theirs, again]: TestDatabase[] = [];
let reference: Reference;
let known: Known;
beforeAll(async () => {
  [ours, theirs, again] = [await testDatabase(), await emptyDatabase(), await testDatabase()];
  await loadDemoData(ours, { hosts: 4 });
  // it makes its tables, and at its start its own catalog
  await (await Reference.start(theirs.url)).stop();
}, 120_000);
afterAll(async () => {
  await reference?.stop();
  await Promise.all([ours, theirs, again].map((each) => each?.close()));
});

const onProgress = (): void => undefined;

async function stateIn(database: TestDatabase): Promise<CommonState> {
  const api = await startApi(database);
  try {
    const { emptyConsumers, ...shown } = await stateOfApi(api, known);
    expect(emptyConsumers).toEqual({});
    return shown;
  } finally {
    await api.close();
  }
}

test('OpenStack Placement shows what was exported to it, and writes there; it is imported again', async () => {
  const valuesOf = async (column: string, table: string): Promise<string[]> => {
    const sql = `SELECT ${column} FROM ${table}`;
    return (await ours.pool.query<string[][]>({ sql, rowsAsArray: true })).flat();
  };
  known = {
    consumers: await valuesOf('uuid', 'consumers'),
    projects: await valuesOf('external_id', 'projects'),
  };
  expect(await exportPlacement({ source: ours, target: theirs, onProgress })).toBe(true);
  reference = await Reference.start(theirs.url);
  const state = await stateOfReference(reference, known);
  expect(Object.keys(state.providers).length).toBeGreaterThan(10);
  expect(Object.keys(state.consumers).length).toBeGreaterThan(1);
  expect(state).toEqual(await stateIn(ours));
  expect(await reference.send('PUT', '/traits/CUSTOM_AFTERWARDS')).toMatchObject({ status: 201 });
  expect(await reference.send('PUT', '/resource_classes/CUSTOM_AFTERWARDS')).toMatchObject({ status: 201 });
  expect(await reference.send('POST', '/resource_providers', { name: 'new' })).toMatchObject({ status: 200 });
  expect(await importPlacement({ source: theirs, target: again, onProgress })).toBe(true);
  expect(await stateOfReference(reference, known)).toEqual(await stateIn(again));
}, 120_000);
