import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { usedOf } from '../support/claims.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumer } from '../support/otherSpellings.js';
import { clientOf } from './client.js';

const { api, database } = useApi();
const { run } = clientOf(api);

const [OLD, NEW] = ['old', 'new'].map((name) => uuidOf('provider', name));
const GUEST = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b11';
const NO_UUID = 'ABCDEF00-1b7d-4d32-9d0e-2f8c1a7e4b-1';

beforeEach(() => loadForest(database, forest('old VCPU:8\nnew VCPU:8')));

test('consumers in another spelling, and under a key that is no UUID, are drained and released', async () => {
  for (const text of [GUEST.toUpperCase(), NO_UUID]) await addConsumer(database, text, OLD);
  const drained = await run('drain old');
  expect({ code: drained.code, error: drained.error }).toEqual({
    code: 0,
    error: 'old: 2 of 2 moves done\n',
  });
  expect([await usedOf(api, OLD), await usedOf(api, NEW)]).toEqual([{ VCPU: 0 }, { VCPU: 2 }]);
  for (const name of [GUEST, NO_UUID]) {
    expect((await run(`consumer show ${name}`)).code).toBe(0);
    expect(await run(`release ${name}`)).toMatchObject({ code: 0, out: `released ${name}\n` });
  }
  expect(await usedOf(api, NEW)).toEqual({ VCPU: 0 });
});

test('a drain moves the others if a consumer with several rows cannot go', async () => {
  const other = GUEST.replace('11', '12');
  for (const text of [GUEST.toUpperCase(), GUEST, other]) await addConsumer(database, text, OLD);
  const { code, out } = await run('drain old');
  expect(code).not.toBe(0);
  expect(out).toContain(`${GUEST}  is stored in several spellings: delete it`);
  expect([await usedOf(api, OLD), await usedOf(api, NEW)]).toEqual([{ VCPU: 2 }, { VCPU: 1 }]);
  expect((await run(`release ${GUEST}`)).code).toBe(0);
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 0 });
});
