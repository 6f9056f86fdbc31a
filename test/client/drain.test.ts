import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, takes, usedOf } from '../support/claims.js';
import { folderOfFile } from '../support/folder.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumers } from '../support/manyConsumers.js';
import { clientOf } from './client.js';

const { api, database } = useApi();
const folder = folderOfFile();
const PLAN = join(folder, 'plan.yaml');

const { run } = clientOf(api, 'drain');

const [OLD, NEW, SPARE] = ['old', 'new', 'spare'].map((name) => uuidOf('provider', name));
let small: string;
let large: string;

/** Two consumers on a host to drain, and a plan that moves both to the fullest host on which they fit. */
beforeEach(async () => {
  await loadForest(
    database,
    forest(`
      old    VCPU:8
      new    VCPU:8
      spare  VCPU:16
    `),
  );
  await claimed(api, { [NEW]: { VCPU: 1 } });
  small = await claimed(api, { [OLD]: { VCPU: 2 } });
  large = await claimed(api, { [OLD]: { VCPU: 5 } });
  expect((await run('old', '--save', PLAN)).code).toBe(0);
});

test('a saved plan has the generations of the consumers, and moves nothing until it is executed', async () => {
  const { request, moves } = parse(readFileSync(PLAN, 'utf8')) as { request: object; moves: object[] };
  expect(request).toEqual({
    from: { providers: [{ name: 'old' }] },
    requests: [],
    keepTraits: false,
    keepAggregates: false,
  });
  const allocationsOf = (VCPU: number) => ({
    providers: [{ resourceProvider: { uuid: NEW }, resources: [{ resourceClass: 'VCPU', amount: VCPU }] }],
  });
  expect(moves).toHaveLength(2);
  expect(moves).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ consumer: small, generation: 1, allocations: allocationsOf(2) }),
      expect.objectContaining({ consumer: large, generation: 1, allocations: allocationsOf(5) }),
    ]),
  );
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 7 });
  const { code, out, error } = await run('--plan', PLAN);
  expect({ code, error }).toEqual({ code: 0, error: 'old: 2 of 2 moves done\n' });
  expect(out).toMatch(/^CONSUMER +MOVED TO\n\S+ +new\n\S+ +new\n$/);
  expect([await usedOf(api, OLD), await usedOf(api, NEW)]).toEqual([{ VCPU: 0 }, { VCPU: 8 }]);
});

test('a consumer that has changed and one that has arrived are planned again', async () => {
  await setAllocations(api, takes(large, 1, { [OLD]: { VCPU: 4 } }));
  await claimed(api, { [OLD]: { VCPU: 2 } });
  const { code, error } = await run('--plan', PLAN);
  expect({ code, error }).toEqual({ code: 0, error: 'old: 1 of 2 moves done\nold: 2 of 2 moves done\n' });
  expect([await usedOf(api, OLD), await usedOf(api, NEW)]).toEqual([{ VCPU: 0 }, { VCPU: 7 }]);
  expect(await usedOf(api, SPARE)).toEqual({ VCPU: 2 });
});

test('a destination that has been taken is planned again; a consumer that fits nowhere stays', async () => {
  await claimed(api, { [NEW]: { VCPU: 7 } });
  await claimed(api, { [SPARE]: { VCPU: 13 } });
  const { code, out } = await run('--plan', PLAN, '--batch', '1');
  expect(code).toBe(5);
  expect(out).toMatch(
    new RegExp(`^CONSUMER +MOVED TO\n${small} +spare\n\nCONSUMER +CANNOT GO\n${large} .*VCPU`),
  );
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 5 });
});

test('--dry-run recomputes and shows a saved plan', async () => {
  await setAllocations(api, takes(large, 1, { [OLD]: { VCPU: 6 } }));
  const { code, out } = await run('--plan', PLAN, '--dry-run');
  expect({ code, isNew: out.includes('new: VCPU=6') }).toEqual({ code: 0, isNew: true });
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 8 });
});

test.each([
  [{ moves: [] }, /lacks the field request; --plan takes a file that drain --save has written/],
  [{ request: { goal: 'FIX' }, moves: [] }, /request has no field goal; .* drain --save has written/],
  [{ request: {}, moves: [] }, /request lacks the field from; .* drain --save has written/],
  [[], /must have the fields request, moves; .* drain --save has written/],
])('%j is not a plan of a drain', async (content, message) => {
  const file = join(folder, 'other.json');
  writeFileSync(file, JSON.stringify(content));
  const { code, error } = await run('--plan', file);
  expect(code).toBe(2);
  expect(error).toMatch(message);
});

test.each([
  [['old', '--plan', PLAN], /name the providers to drain, an aggregate, or a file/],
  [['--plan', PLAN, '--keep-traits'], /--plan has its own request: give no --keep-traits beside it/],
  [['--plan', join(folder, 'none.yaml')], /ENOENT/],
  [['old', '--scale', 'VCPU=2'], /needs --dry-run/],
  [['old', '--dry-run', '--save', PLAN, '--scale', 'VCPU=2'], /cannot be saved/],
])('%j is invalid', async (options, message) => {
  const { code, error } = await run(...options);
  expect(code).toBe(2);
  expect(error).toMatch(message);
});

test('a drain executes all parts: 1000 consumers without a place hide no other one', async () => {
  await loadForest(database, forest('old VCPU:2000 MEMORY_MB:8 +CUSTOM_FAST\nnew MEMORY_MB:8'));
  await addConsumers(database, OLD, 1000);
  const last = await claimed(api, { [OLD]: { MEMORY_MB: 2 } });
  const shown = await run('old', '--dry-run');
  expect({ code: shown.code, lines: shown.out.split('\n').filter((line) => line.startsWith(last)) }).toEqual({
    code: 0,
    lines: [expect.stringContaining('new: MEMORY_MB=2'), expect.stringContaining('CUSTOM_FAST')],
  });
  const { code, out, error } = await run('old', '--batch', '100');
  expect(code).toBe(5);
  expect(error).toBe('1 move loses traits: CUSTOM_FAST; --keep-traits keeps them\nold: 1 of 1 moves done\n');
  expect(out).toMatch(new RegExp(`^CONSUMER +MOVED TO\n${last} +new\n`));
  expect(await usedOf(api, OLD)).toEqual({ VCPU: 1000, MEMORY_MB: 0 });
}, 240_000);
