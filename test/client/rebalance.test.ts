import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { useApi } from '../support/api.js';
import { claimed, setAllocations, takes, usedOf } from '../support/claims.js';
import { folderOfFile } from '../support/folder.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { clientOf } from './client.js';

const { api, database } = useApi();
const folder = folderOfFile();
const PLAN = join(folder, 'plan.yaml');

const { run, json } = clientOf(api, 'rebalance');

const [HOST1, HOST2, HOST3] = ['host1', 'host2', 'host3'].map((name) => uuidOf('provider', name));
let small: string;
let large: string;

/** One host with a small consumer, one with a large consumer, and an empty host. */
beforeEach(async () => {
  await loadForest(
    database,
    forest(`
      host1  VCPU:8
      host2  VCPU:8
      host3  VCPU:8
    `),
  );
  small = await claimed(api, { [HOST1]: { VCPU: 2 } });
  large = await claimed(api, { [HOST2]: { VCPU: 5 } });
});

test('a dry run shows the moves and the metrics, and moves nothing', async () => {
  const { code, out } = await run('--goal free-hosts --dry-run');
  expect(code).toBe(0);
  expect(out).toMatch(/^CONSUMER +FROM +TO\n\S+ +host1: VCPU=2 +host2: VCPU=2\n\nMETRIC/);
  expect(out).toMatch(/used hosts +2 +1\n/);
  expect(await usedOf(api, HOST1)).toEqual({ VCPU: 2 });
});

test('moves are executed; then nothing is worth moving', async () => {
  expect(await json('--goal free-hosts')).toEqual({
    moved: [{ consumer: small, providers: ['host2'], reason: null }],
    failed: null,
  });
  expect(await usedOf(api, HOST2)).toEqual({ VCPU: 7 });
  const { code, out } = await run('--goal free-hosts --dry-run');
  expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: 'nothing worth moving' });
});

test('options limit the plan', async () => {
  const limits = ['--keep', small, '--keep-type', 'DATABASE', '--max-moves', '1', '--min-gain', '0.5'];
  const { moves } = await json<{ moves: { consumer: { uuid: string } }[] }>(
    ...['--goal', 'free-hosts', '--dry-run', ...limits],
  );
  expect(moves.map(({ consumer }) => consumer.uuid)).toEqual([large]);
});

test('a dry run can assume a modified fleet', async () => {
  const { code, out } = await run('--goal free-hosts --dry-run --without host2');
  expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: 'nothing worth moving' });
  const scaled = ['--goal', 'even-out', '--dry-run', '--scale', 'VCPU=0.625'];
  expect((await json<{ before: object }>(...scaled)).before).toMatchObject({ maxUtilization: 1 });
});

describe('a saved plan', () => {
  const save = () => run('--goal', 'free-hosts', '--save', PLAN);

  test('is the input of setAllocations with generations, and moves nothing until it is executed', async () => {
    expect((await save()).code).toBe(0);
    expect(parse(readFileSync(PLAN, 'utf8'))).toMatchObject({
      request: { goal: 'FREE_HOSTS', maxMoves: 100 },
      moves: [
        {
          consumer: small,
          generation: 1,
          allocations: {
            providers: [
              { resourceProvider: { uuid: HOST2 }, resources: [{ resourceClass: 'VCPU', amount: 2 }] },
            ],
          },
        },
      ],
    });
    expect(await usedOf(api, HOST1)).toEqual({ VCPU: 2 });
    expect(await json('--plan', PLAN)).toMatchObject({ moved: [{ consumer: small, providers: ['host2'] }] });
  });

  test('is planned again if the consumer or the capacity has changed', async () => {
    await save();
    await setAllocations(api, takes(small, 1, { [HOST1]: { VCPU: 3 } }));
    await setAllocations(api, takes(large, 1, { [HOST3]: { VCPU: 5 } }));
    expect(await json('--plan', PLAN)).toMatchObject({
      moved: [{ consumer: small, providers: ['host3'] }],
      failed: null,
    });
    expect(await usedOf(api, HOST3)).toEqual({ VCPU: 8 });
  });

  test('the command moves nothing if no move improves the fleet', async () => {
    await save();
    await setAllocations(api, takes(large, 1, { [HOST2]: { VCPU: 8 } }));
    expect(await json('--plan', PLAN)).toEqual({ moved: [], failed: null });
  });
});

test.each([
  [[], /give either --goal or --plan/],
  [['--goal', 'fix', '--plan', PLAN], /give either --goal or --plan/],
  [['--plan', PLAN, '--max-moves', '3'], /--plan has its own request: give no --max-moves beside it/],
  [['--plan', PLAN, '--keep', randomUUID()], /give no --keep beside it/],
  [['--goal', 'fix', '--min-gain', 'x'], /"x" must be a number from 0/],
  [['--goal', 'fix', '--scale', 'VCPU=2'], /needs --dry-run/],
  [['--goal', 'fix', '--save', join(folder, 'none', 'plan.yaml')], /ENOENT/],
])('%j is invalid', async (options, message) => {
  const { code, error } = await run(...options);
  expect(code).toBe(2);
  expect(error).toMatch(message);
});
