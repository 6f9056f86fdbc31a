import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { open } from '../authentication/support.js';
import { MAIN, runClient, runProcess, type Ended } from './client.js';

const ZONE = 'bbbbbbbb-0000-4000-8000-000000000001';
const GUEST = 'cccccccc-0000-4000-8000-000000000001';
const folder = mkdtempSync(join(tmpdir(), 'placement-client-'));

let database: TestDatabase;
let api: Api;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
});

afterAll(async () => {
  await api.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const run = (...options: string[]): Promise<Ended> => runClient(api.url, options);

/** What a command that succeeds answers, as JSON. */
async function json<Data = unknown>(...options: string[]): Promise<Data> {
  const { code, out, error } = await run(...options, '--json');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out) as Data;
}

describe('a host', () => {
  test('is made, with what it offers, by name', async () => {
    await json('provider', 'create', 'host1');
    await json('inventory', 'set', 'host1', 'VCPU=16', 'MEMORY_MB=2048', 'MEMORY_MB:step_size=128');
    await json('provider', 'create', 'host1-gpu', '--parent', 'host1');
    await json('inventory', 'put', 'host1-gpu', 'VGPU=2', 'VGPU:max_unit=1');
    await json('trait', 'create', 'CUSTOM_FAST');
    await json('trait', 'add', 'host1', 'CUSTOM_FAST', 'COMPUTE_NODE');
    await json('trait', 'remove', 'host1', 'COMPUTE_NODE');
    await json('aggregate', 'add', 'host1', ZONE);
    const host = await json('provider', 'show', 'host1');
    expect(host).toMatchObject({
      name: 'host1',
      children: [{ name: 'host1-gpu' }],
      traits: [{ name: 'CUSTOM_FAST' }],
      aggregates: [{ uuid: ZONE }],
      inventories: [
        { resourceClass: { name: 'MEMORY_MB' }, total: 2048, stepSize: 128 },
        { resourceClass: { name: 'VCPU' }, total: 16, stepSize: 1 },
      ],
    });
  });

  test('is found by what it has, and its tree is shown', async () => {
    const names = async (...options: string[]): Promise<string[]> =>
      (await json<{ name: string }[]>('provider', 'list', ...options)).map(({ name }) => name);
    expect(await names('--resource', 'VCPU=8')).toEqual(['host1']);
    expect(await names('--required', 'CUSTOM_FAST,COMPUTE_NODE', '--member-of', ZONE)).toEqual(['host1']);
    expect(await names('--in-tree', 'host1-gpu', '--limit', '1')).toEqual(['host1']);
    expect(await names('--forbidden', 'CUSTOM_FAST')).toEqual(['host1-gpu']);
    const { out } = await run('provider', 'tree', 'host1-gpu');
    expect(out).toMatch(/^host1 .*MEMORY_MB=0\/2048, VCPU=0\/16\n {2}host1-gpu .*VGPU=0\/2\n/m);
  });

  test('has one field of an inventory changed, also by its aggregate, and first in a dry run', async () => {
    const planned = await json('inventory', 'set', 'host1', 'VCPU:reserved=2', '--amend', '--dry-run');
    expect(planned).toMatchObject([
      { total: 2048, stepSize: 128 },
      { total: 16, reserved: 2 },
    ]);
    expect(await json('inventory', 'show', 'host1', 'VCPU')).toMatchObject({ reserved: 0 });
    await json('inventory', 'set', ZONE, '--aggregate', '--amend', 'VCPU:allocation_ratio=1.5');
    expect(await json('inventory', 'list', 'host1')).toMatchObject([
      { total: 2048, stepSize: 128 },
      { total: 16, reserved: 0, allocationRatio: 1.5, capacity: 24 },
    ]);
  });

  test('is renamed, moved and deleted', async () => {
    await json('provider', 'create', 'doomed', '--parent', 'host1');
    expect(await json('provider', 'set', 'doomed', '--name', 'doomed2', '--root')).toMatchObject({
      name: 'doomed2',
      parent: null,
    });
    await json('provider', 'delete', 'doomed2');
    expect((await run('provider', 'show', 'doomed2')).code).toBe(3);
  });
});

describe('a request', () => {
  const GROUPS = ['VCPU=2', '--group', 'gpu:VGPU=1', '--in-tree', 'host1', '--root-required', 'CUSTOM_FAST'];

  test('has candidates, by groups or from a file', async () => {
    const { out } = await run('candidates', ...GROUPS);
    expect(out.split('\n').slice(1).sort()).toEqual([
      '',
      '1  host1      VCPU=2  VCPU=0/24      (unsuffixed)',
      '1  host1-gpu  VGPU=1  VGPU=0/2       gpu',
    ]);
    const file = join(folder, 'request.yaml');
    writeFileSync(file, 'groups:\n  - resources: [{ resourceClass: VCPU, amount: 2 }]\n');
    expect(await json('candidates', '--request', file)).toMatchObject({
      complete: true,
      allocationRequests: [
        { allocations: [{ resources: [{ resourceClass: { name: 'VCPU' }, amount: 2 }] }] },
      ],
    });
    const input = JSON.stringify({ groups: [{ resources: [{ resourceClass: 'VGPU', amount: 1 }] }] });
    const { out: counted } = await runProcess(api.url, ['headroom', '--request', '-', '--json'], { input });
    expect(JSON.parse(counted)).toMatchObject({ count: 2, exact: true, trees: 1 });
  });

  test('may be of granular groups alone', async () => {
    expect(await json('headroom', '--group', 'gpu:VGPU=1')).toMatchObject({ count: 2 });
  });

  test('that nothing fits is no failure of candidates, and is explained', async () => {
    const { code, out } = await run('candidates', 'VCPU=2', '--required', 'COMPUTE_NODE');
    expect({ code, out }).toEqual({ code: 0, out: 'no candidates: `why` tells the reason\n' });
    const explained = await run('why', 'VCPU=2', '--required', 'COMPUTE_NODE');
    expect(explained.code).toBe(0);
    expect(explained.out).toContain('COMPUTE_NODE');
  });

  test('is claimed, looked at, changed and released', async () => {
    const owner = ['--project', 'p1', '--user', 'u1'];
    await json('claim', ...GROUPS, ...owner, '--type', 'INSTANCE', '--consumer', GUEST);
    expect(await json('usage', '--project', 'p1')).toMatchObject({
      byType: [{ type: { name: 'INSTANCE' }, consumerCount: 1 }],
    });
    await json(
      'consumer',
      'set',
      GUEST,
      '--allocation',
      'host1:VCPU=3,MEMORY_MB=128',
      '--allocation',
      'rp=host1-gpu,VGPU=1',
      ...owner,
    );
    await json('consumer', 'unset', GUEST, '--provider', 'host1', '--class', 'MEMORY_MB');
    const { out } = await run('consumer', 'list', '--in-tree', 'host1');
    expect(out).toContain('host1: VCPU=3; host1-gpu: VGPU=1');
    expect((await run('provider', 'show', 'host1', '--allocations')).out).toMatch(
      /INSTANCE +p1 +u1 +VCPU +3/,
    );
    expect((await run('top')).out).toMatch(/^host1 +VCPU +3 +24 +21 +12.5%$/m);
    await json('release', GUEST);
    expect(await json('consumer', 'list')).toEqual([]);
  });
});

describe('what exists', () => {
  const [FIRST, SECOND, OLD] = [1, 2, 3].map((n) => `dddddddd-0000-4000-8000-00000000000${n}`);
  const slotsOf = async (consumer: string): Promise<string[]> => {
    const { allocations } = await json<{ allocations: { resourceProvider: { name: string } }[] }>(
      'consumer',
      'show',
      consumer,
    );
    return allocations.map(({ resourceProvider }) => resourceProvider.name);
  };

  test('is drained as far as there is room, and the rest when there is more', async () => {
    await json('class', 'create', 'CUSTOM_SLOT');
    for (const [host, slots] of [
      ['full', 4],
      ['spare', 2],
    ]) {
      await json('provider', 'create', String(host));
      await json('inventory', 'set', String(host), `CUSTOM_SLOT=${slots}`);
    }
    const owner = ['--project', 'p1', '--user', 'u1', '--in-tree', 'full'];
    await json('claim', 'CUSTOM_SLOT=2', ...owner, '--consumer', FIRST, '--consumer', SECOND);
    expect(await json('drain', 'full', '--dry-run')).toMatchObject({
      complete: false,
      roots: [{ name: 'full' }],
    });
    const { code, out, error } = await run('drain', 'full');
    expect({ code, error }).toEqual({ code: 5, error: 'full: 1 of 1 moves done\n' });
    expect(out).toMatch(/^CONSUMER +MOVED TO\n\S+ +spare\n\nCONSUMER +CANNOT GO\n\S+ +.*CUSTOM_SLOT/);
    await json('inventory', 'set', 'spare', 'CUSTOM_SLOT=4', '--amend');
    const requests = join(folder, 'requests.json');
    const request = { groups: [{ resources: [{ resourceClass: 'CUSTOM_SLOT', amount: 1 }] }] };
    const both = [FIRST, SECOND].map((uuid) => ({ consumers: { uuid }, request }));
    writeFileSync(requests, JSON.stringify(both));
    expect(await json('drain', 'full', '--requests', requests)).toMatchObject({
      moved: [{ providers: ['spare'] }],
      left: [],
    });
    expect(await json('usage', 'full')).toMatchObject([{ used: 0 }]);
    expect(await json('usage', 'spare')).toMatchObject([{ used: 3 }]);
  });

  test('is moved, another size as well, and what it had is kept until that is released', async () => {
    await json('move', FIRST, '--not-in-tree', 'spare', '--keep-as', OLD, '--keep-type', 'MIGRATION');
    expect([await slotsOf(FIRST), await slotsOf(OLD)]).toEqual([['full'], ['spare']]);
    await json('move', FIRST, 'CUSTOM_SLOT=3', '--allow-same-tree');
    expect(await json('usage', 'full')).toMatchObject([{ used: 3 }]);
    expect((await run('move', FIRST, 'CUSTOM_SLOT=5')).code).toBe(5);
    await json('release', FIRST, SECOND, OLD);
  });
});

test('answers are tables as wide as the terminal, JSON, or YAML of the same', async () => {
  const { out } = await runClient(api.url, ['provider', 'list'], { environment: { COLUMNS: '60' } });
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(out.replaceAll(/\s+/g, '')).toContain('host1-gpu');
  const { out: yaml } = await run('provider', 'list', '-o', 'yaml');
  expect(parse(yaml)).toEqual(await json('provider', 'list'));
});

describe('exit codes', () => {
  test.each<[number, string, RegExp]>([
    [0, 'audit', /^$/],
    [2, 'candidates VCPU', /"VCPU" must be a resource class and an amount/],
    [2, 'candidates VCPUS=1', /INVALID_INPUT: .*VCPUS/],
    [2, 'provider show', /missing required argument 'provider'/],
    [2, 'provider show host1 -o xml', /Allowed choices are table, wide, json, yaml, csv, name/],
    [3, 'provider show host2', /NOT_FOUND: there is no resource provider "host2"/],
    [3, `release ${GUEST}`, /NOT_FOUND/],
    [2, 'prvider list', /unknown command 'prvider'\n\(Did you mean provider\?\)/],
    [4, `aggregate set host1 ${ZONE} --generation 99`, /PROVIDER_GENERATION_CONFLICT/],
    [5, 'provider delete host1', /PROVIDER_HAS_CHILDREN/],
    [5, 'claim VCPU=99 --project p --user u', /NO_CANDIDATES: .*VCPU/],
  ])('%d: %s', async (code, line, said) => {
    const ended = await run(...line.split(' '));
    expect(ended.error).toMatch(said);
    expect(ended.code).toBe(code);
  });

  test('with --json the reason is an object', async () => {
    const { error } = await run('provider', 'show', 'nothing-like-it', '--json');
    const message = 'there is no resource provider "nothing-like-it"';
    expect(JSON.parse(error)).toEqual({ error: { code: 'NOT_FOUND', message, path: [], exit: 3 } });
  });

  test('6: nobody is there; 8: nobody knows whether it was done', async () => {
    const rude = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const url = `http://127.0.0.1:${(rude.address() as AddressInfo).port}`;
    expect((await runClient(url, ['provider', 'list'])).code).toBe(6);
    expect((await runClient(url, ['release', GUEST])).code).toBe(8);
    rude.close();
    await once(rude, 'close');
    const { code, error } = await runProcess(url, ['release', GUEST]);
    expect(code).toBe(6);
    expect(error).toContain(`${url}/graphql cannot be reached: connect ECONNREFUSED`);
  });

  test.each([
    [502, 'release', 8],
    [504, 'release', 8],
    [200, 'release', 8],
    [404, 'release', 6],
    [502, 'consumer show', 6],
  ])('a proxy answers %d to `%s`: %d', async (status, line, code) => {
    const proxy = createHttpServer((_request, response) => response.writeHead(status).end('<html>'));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const ended = await runClient(url, [...line.split(' '), GUEST]);
    proxy.close();
    expect(ended.error).toMatch(new RegExp(` answers ${status} .*, not as a placement server: `));
    expect(ended.code).toBe(code);
  });

  test('7: without a token that holds; it is taken from the environment or a file', async () => {
    const tokens = join(folder, 'tokens.yaml');
    await promisify(execFile)(
      process.execPath,
      [MAIN, 'token', 'create', '--name', 'ops', '--role', 'admin'],
      {
        env: { PATH: process.env.PATH, PLACEMENT_TOKENS_FILE: tokens },
      },
    ).then(({ stdout }) =>
      writeFileSync(
        join(folder, 'token'),
        stdout.split('\n').find((line) => line.startsWith('pgt_'))!,
      ),
    );
    const guarded = await startApi(database, {
      authenticator: open({ 'tokens.file': tokens }).authenticator,
    });
    try {
      const file = { environment: { PLACEMENT_TOKEN_FILE: join(folder, 'token') } };
      expect((await runClient(guarded.url, ['class', 'list'])).code).toBe(7);
      expect((await runClient(guarded.url, ['class', 'list'], file)).code).toBe(0);
      const wrong = { environment: { ...file.environment, PLACEMENT_TOKEN: 'pgt_wrong' } };
      expect((await runClient(guarded.url, ['class', 'list'], wrong)).code).toBe(7);
    } finally {
      await guarded.close();
    }
  });
});

test('watch tells changes as they come, and ends at Ctrl-C', async () => {
  const child = spawn(process.execPath, [MAIN, 'watch', '--in-tree', 'host1', '--kind', 'inventory'], {
    env: { PATH: process.env.PATH, PLACEMENT_URL: api.url },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  for (let total = 4; !said.includes('\n'); total++)
    await json('inventory', 'put', 'host1-gpu', `VGPU=${total}`); // until the stream has begun
  expect(said).toMatch(/^host1-gpu {2}generation \d+ {2}inventory {2}VGPU=0\n/);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('watch ends when nobody reads it any more', async () => {
  const child = spawn(process.execPath, [MAIN, 'watch', '--in-tree', 'host1', '--kind', 'inventory'], {
    env: { PATH: process.env.PATH, PLACEMENT_URL: api.url },
  });
  let isOver = false;
  const ended = once(child, 'close').finally(() => (isOver = true));
  child.stdout.destroy();
  for (let total = 4; !isOver; total++) await json('inventory', 'put', 'host1-gpu', `VGPU=${total}`);
  expect(await ended).toEqual([0, null]);
});

test('watch --consumers and --totals tell of those', async () => {
  const watch = (...options: string[]) => {
    const child = spawn(process.execPath, [MAIN, 'watch', ...options], {
      env: { PATH: process.env.PATH, PLACEMENT_URL: api.url },
    });
    const stream = { said: '', child };
    child.stdout.on('data', (chunk: Buffer) => (stream.said += chunk.toString()));
    return stream;
  };
  const [consumers, totals] = [watch('--project', 'watched'), watch('--totals', '--in-tree', 'host1')];
  while (!totals.said.includes('VCPU  ')) await sleep(50);
  while (consumers.said === '') {
    const uuid = randomUUID(); // until the stream has begun
    await json('claim', 'VCPU=1', '--consumer', uuid, '--project', 'watched', '--user', 'u');
    await json('release', uuid);
  }
  expect(consumers.said).toMatch(/^[-0-9a-f]{36} {2}(generation 1|deleted) {2}project watched\n/);
  expect(totals.said).toMatch(/^VCPU {2}\d+ of \d+ used, \d+ free$/m);
  for (const { child } of [consumers, totals]) {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  }
}, 60_000);

test('an aggregate gets a name, and loses it', async () => {
  const aggregate = randomUUID();
  await json('aggregate', 'add', 'host1', aggregate);
  expect(await json('aggregate', 'name', aggregate, 'a rack')).toEqual([{ uuid: aggregate, name: 'a rack' }]);
  expect(await json('aggregate', 'list', '--provider', 'host1')).toContainEqual({
    uuid: aggregate,
    name: 'a rack',
  });
  expect(await json('aggregate', 'name', aggregate)).toEqual([{ uuid: aggregate, name: null }]);
  await json('aggregate', 'remove', 'host1', aggregate);
});

test('bash completes commands, options and values', async () => {
  const { out: script } = await run('completion', 'bash');
  const complete = async (...words: string[]): Promise<string[]> => {
    const line = `COMP_WORDS=(placement-graphql ${words.join(' ')}); COMP_CWORD=${words.length}; _placement_graphql`;
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `${script}\n${line}; echo "\${COMPREPLY[@]}"`,
    ]);
    return stdout.trim().split(' ');
  };
  expect(await complete('prov')).toEqual(['provider']);
  expect(await complete('provider', 'show', 'host1', '--al')).toEqual(['--allocations']);
  expect(await complete('provider', 'list', '-o', '""')).toEqual([
    'table',
    'wide',
    'json',
    'yaml',
    'csv',
    'name',
  ]);
  expect(await complete('serve', '--ho')).toEqual(expect.arrayContaining(['--hosts', '--host']));
});

test('nothing of the server is loaded', async () => {
  const coverage = join(folder, 'coverage');
  await runProcess(api.url, ['provider', 'list'], { environment: { NODE_V8_COVERAGE: coverage } });
  const loaded = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result
      .map(({ url }) => url.replace(/^.*\/(dist|node_modules)\//, '$1/'))
      .filter((url) => /^(dist|node_modules)\//.test(url));
  });
  const ours =
    /^dist\/(cli\/(main|production|lostOutput|client\/.+)|generated\/client\/operations|runtime\/version)\.js$/;
  const theirs =
    /^node_modules\/(commander|string-width|strip-ansi|ansi-regex|get-east-asian-width|wrap-ansi|ansi-styles)\//;
  expect(loaded).toContainEqual(expect.stringMatching(ours));
  expect(loaded.filter((url) => !ours.test(url) && !theirs.test(url))).toEqual([]);
});
