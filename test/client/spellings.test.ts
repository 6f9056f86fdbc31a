import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { usedOf } from '../support/claims.js';
import { folderOfFile } from '../support/folder.js';
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

const folder = folderOfFile();

/** Runs a command with a file in a row of documents. */
function runFile(line: string, ...texts: readonly string[]) {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, texts.join('\n---\n'));
  return run(line, path);
}

const OTHER = 'abcdef00-1b7d-4d32-9d0e-2f8c1a7e4b22';
const SPELLINGS = [OTHER.toUpperCase(), OTHER.toUpperCase().replaceAll('-', '')];

test.each(SPELLINGS)(
  'a tree that names its aggregates and a provider by %s is applied once',
  async (uuid) => {
    const tree = `root: { name: spelled, uuid: ${uuid}, aggregates: [${uuid}] }`;
    expect((await runFile('tree apply -f', tree)).out).toContain(`+${OTHER}`);
    expect(await runFile('tree apply -f', tree)).toMatchObject({ code: 0, out: 'nothing differs\n' });
  },
);

test('a provider in two documents is found by its uuid in another spelling', async () => {
  const { code, error } = await runFile(
    'tree apply -f',
    ...SPELLINGS.map((uuid, at) => `root: { name: n${at}, uuid: ${uuid} }`),
  );
  expect(code).toBe(2);
  expect(error).toContain(`document 2: provider ${OTHER} is also in`);
});

test.each(SPELLINGS)('a claimed consumer %s of a workload has its member', async (uuid) => {
  const member = `{ name: web, requests: [{ groups: [{ resources: { VCPU: 1 } }] }], consumers: [{ consumer: ${uuid}, projectId: p, userId: u }] }`;
  const { code, out } = await runFile('workload claim', `members: [${member}]`);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^web +${OTHER} `, 'm')) as unknown as string,
  });
});

test('a move leaves the tree of a consumer once, also if the request excludes it by another spelling', async () => {
  expect((await run(`claim VCPU=1 --consumer ${OTHER} --in-tree old --project p --user u`)).code).toBe(0);
  const moved = await run(`move ${OTHER} --request`, requestFile(OLD.toUpperCase()));
  expect(moved).toMatchObject({ code: 0 });
  expect([await usedOf(api, OLD), await usedOf(api, NEW)]).toEqual([{ VCPU: 0 }, { VCPU: 1 }]);
});

function requestFile(uuid: string): string {
  const path = join(folder, 'request.yaml');
  writeFileSync(path, `groups: [{ resources: { VCPU: 1 } }]\nnotInTrees: ['${uuid}']\n`);
  return path;
}
