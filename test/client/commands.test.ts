import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Command as Program } from 'commander';
import { isSingle } from '../../src/command/options.js';
import { addClientCommands } from '../../src/command/program.js';
import { addServerCommands } from '../../src/server/commands/serverCommands.js';
import { AUDIT_CHECKS } from '../../src/store/audit/rule.js';
import { useApi } from '../support/api.js';
import { folderOfFile } from '../support/folder.js';
import { clientOf, MAIN, runClient, runProcess } from './client.js';

const ZONE = 'bbbbbbbb-0000-4000-8000-000000000001';
const GUEST = 'cccccccc-0000-4000-8000-000000000001';
const folder = folderOfFile();

const { api } = useApi();
const { run, outputOf, json } = clientOf(api);

describe('a host', () => {
  test('a provider is created by name, with its inventories and traits', async () => {
    await json('provider create host1');
    await json('inventory set host1 VCPU=16 MEMORY_MB=2048 MEMORY_MB:step_size=128');
    await json('provider create host1-gpu --parent host1');
    await json('inventory put host1-gpu VGPU=2 VGPU:max_unit=1');
    await json('trait create CUSTOM_FAST');
    await json('trait add host1 CUSTOM_FAST COMPUTE_NODE');
    await json('trait remove host1 COMPUTE_NODE');
    await json('aggregate add host1', ZONE);
    expect(await json('provider show host1')).toMatchObject({
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

  test.each([
    ['--resource VCPU=8', 'host1\n'],
    [`--required CUSTOM_FAST,COMPUTE_NODE --member-of ${ZONE}`, 'host1\n'],
    ['--in-tree host1-gpu --limit 1', 'host1\n'],
    ['--forbidden CUSTOM_FAST', 'host1-gpu\n'],
  ])('is found by %s', async (options, names) => {
    expect(await outputOf('provider list -o name', options)).toBe(names);
  });

  test('has one field of an inventory changed, also by its aggregate, and first in a dry run', async () => {
    expect(await outputOf('provider tree host1-gpu')).toMatch(
      /^host1 .*MEMORY_MB=0\/2048, VCPU=0\/16\n {2}host1-gpu .*VGPU=0\/2\n/m,
    );
    expect(await json('inventory set host1 VCPU:reserved=2 --amend --dry-run')).toMatchObject([
      { total: 2048, stepSize: 128 },
      { total: 16, reserved: 2 },
    ]);
    expect(await json('inventory show host1 VCPU')).toMatchObject({ reserved: 0 });
    await json('inventory set', ZONE, '--aggregate --amend VCPU:allocation_ratio=1.5');
    expect(await json('inventory list host1')).toMatchObject([
      { total: 2048, stepSize: 128 },
      { total: 16, reserved: 0, allocationRatio: 1.5, capacity: 24 },
    ]);
  });

  test('is renamed, moved and deleted', async () => {
    await json('provider create doomed --parent host1');
    const renamed = await json('provider set doomed --name doomed2 --root');
    expect(renamed).toMatchObject({ name: 'doomed2', parent: null });
    await json('provider delete doomed2');
    expect((await run('provider show doomed2')).code).toBe(3);
  });
});

describe('a request', () => {
  const GROUPS = 'VCPU=2 --group gpu:VGPU=1 --in-tree host1 --root-required CUSTOM_FAST';

  test('has candidates, by groups or from a file', async () => {
    expect((await outputOf('candidates', GROUPS)).split('\n').slice(1).sort()).toEqual([
      '',
      '1  host1      VCPU=2  VCPU=0/24      (unsuffixed)',
      '1  host1-gpu  VGPU=1  VGPU=0/2       gpu',
    ]);
    const file = join(folder, 'request.yaml');
    writeFileSync(file, 'groups:\n  - resources: [{ resourceClass: VCPU, amount: 2 }]\n');
    expect(await json('candidates --request', file)).toMatchObject({
      complete: true,
      allocationRequests: [
        { allocations: [{ resources: [{ resourceClass: { name: 'VCPU' }, amount: 2 }] }] },
      ],
    });
    const input = JSON.stringify({ groups: [{ resources: [{ resourceClass: 'VGPU', amount: 1 }] }] });
    const { out: counted } = await runProcess(api.url, ['headroom', '--request', '-', '--json'], { input });
    expect(JSON.parse(counted)).toMatchObject({ count: 2, exact: true, trees: 1 });
    expect(await json('headroom --group gpu:VGPU=1')).toMatchObject({ count: 2 });
  });

  test('a consumer is claimed, read, changed and released', async () => {
    const owner = '--project p1 --user u1';
    await json('claim', GROUPS, owner, '--type INSTANCE --consumer', GUEST);
    expect(await json('usage --project p1')).toMatchObject({
      byType: [{ type: { name: 'INSTANCE' }, consumerCount: 1 }],
    });
    const allocations = '--allocation host1:VCPU=3,MEMORY_MB=128 --allocation rp=host1-gpu,VGPU=1';
    await json('consumer set', GUEST, allocations, owner);
    await json('consumer unset', GUEST, '--provider host1 --class MEMORY_MB');
    expect(await outputOf('consumer list --in-tree host1')).toContain('host1: VCPU=3; host1-gpu: VGPU=1');
    expect(await outputOf('provider show host1 --allocations')).toMatch(/INSTANCE +p1 +u1 +VCPU +3/);
    expect(await outputOf('top')).toMatch(/^host1 +VCPU +3 +24 +21 +12.5%$/m);
    await json('release', GUEST);
    expect(await json('consumer list')).toEqual([]);
  });

  test('that has been left on a second host is found and removed there', async () => {
    await json('provider create host2');
    await json('inventory set host2 VCPU=8 MEMORY_MB=512');
    const allocations =
      '--allocation host1:VCPU=3 --allocation host1-gpu:VGPU=1 --allocation host2:VCPU=3,MEMORY_MB=8';
    await json('consumer set', GUEST, allocations, '--project p1 --user u1');
    expect(await outputOf('consumer list --several-trees -o name')).toBe(`${GUEST}\n`);
    expect(await outputOf('drain host2 --dry-run')).toContain('has allocations in several trees');
    expect((await run('move', GUEST)).error).toContain('consumer unset --in-tree');
    expect((await run('consumer unset', GUEST, '--in-tree host2 --provider host1')).code).toBe(2);
    await json('consumer unset', GUEST, '--in-tree host2 --class MEMORY_MB');
    await json('consumer unset', GUEST, '--in-tree host1-gpu');
    expect(await json('consumer list --several-trees')).toEqual([]);
    expect(await outputOf('consumer list')).toContain('host2: VCPU=3');
    expect(await outputOf('consumer unset', GUEST, '--in-tree host1')).toContain('host2');
    await json('consumer unset', GUEST, '--in-tree host2');
    expect(await json('consumer list')).toEqual([]);
    await json('provider delete host2');
  });
});

describe('what exists', () => {
  const [FIRST, SECOND, OLD] = [1, 2, 3].map((n) => `dddddddd-0000-4000-8000-00000000000${n}`);
  interface Shown {
    readonly allocations: readonly { readonly resourceProvider: { readonly name: string } }[];
  }
  const hostsOf = async (consumer: string): Promise<string[]> =>
    (await json<Shown>('consumer show', consumer)).allocations.map((each) => each.resourceProvider.name);

  test('a host is drained as far as capacity allows, and the rest later', async () => {
    await json('class create CUSTOM_SLOT');
    for (const name of ['full', 'spare']) await json('provider create', name);
    await json('inventory set full CUSTOM_SLOT=4');
    await json('inventory set spare CUSTOM_SLOT=2');
    const consumers = `--consumer ${FIRST} --consumer ${SECOND}`;
    await json('claim CUSTOM_SLOT=2 --project p1 --user u1 --in-tree full', consumers);
    expect(await json('drain full --dry-run')).toMatchObject({ complete: false, roots: [{ name: 'full' }] });
    expect(await run('drain full')).toEqual({
      code: 5,
      error: 'full: 1 of 1 moves done\n',
      out: expect.stringMatching(
        /^CONSUMER +MOVED TO\n\S+ +spare\n\nCONSUMER +CANNOT GO\n\S+ +.*CUSTOM_SLOT/,
      ) as unknown,
    });
    await json('inventory set spare CUSTOM_SLOT=4 --amend');
    const requests = join(folder, 'requests.json');
    const request = { groups: [{ resources: [{ resourceClass: 'CUSTOM_SLOT', amount: 1 }] }] };
    const both = [FIRST, SECOND].map((uuid) => ({ consumers: { uuid }, request }));
    writeFileSync(requests, JSON.stringify(both));
    expect(await json('drain full --requests', requests)).toMatchObject({
      moved: [{ providers: ['spare'] }],
      left: [],
    });
    expect(await json('usage full')).toMatchObject([{ used: 0 }]);
    expect(await json('usage spare')).toMatchObject([{ used: 3 }]);
  });

  test('is moved, another size as well, and what it had is kept until that is released', async () => {
    await json('move', FIRST, '--not-in-tree spare --keep-type MIGRATION --keep-as', OLD);
    expect([await hostsOf(FIRST), await hostsOf(OLD)]).toEqual([['full'], ['spare']]);
    await json('move', FIRST, 'CUSTOM_SLOT=3 --allow-same-tree');
    expect(await json('usage full')).toMatchObject([{ used: 3 }]);
    expect((await run('move', FIRST, 'CUSTOM_SLOT=5')).code).toBe(5);
    await json('release', FIRST, SECOND, OLD);
  });
});

test('audit takes each check of the schema', async () => {
  const names = AUDIT_CHECKS.map((check) => check.toLowerCase().replaceAll('_', '-'));
  const { code, out, error } = await run(names.reduce((line, name) => `${line} --check ${name}`, 'audit'));
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toBe((await run('audit')).out);
});

describe('exit codes', () => {
  test.each<[number, string, RegExp]>([
    [0, 'audit', /^$/],
    [2, 'provider show', /missing required argument 'provider'/],
    [2, 'provider show host1 -o xml', /Allowed choices are table, wide, json, yaml, csv, name/],
    [3, `release ${GUEST}`, /NOT_FOUND/],
    [4, `aggregate set host1 ${ZONE} --generation 99`, /PROVIDER_GENERATION_CONFLICT/],
    [5, 'provider delete host1', /PROVIDER_HAS_CHILDREN/],
    [5, 'claim VCPU=99 --project p --user u', /NO_CANDIDATES: .*VCPU/],
  ])('%d: %s', async (code, line, message) => {
    expect(await run(line)).toMatchObject({ code, error: expect.stringMatching(message) as unknown });
  });

  test('with --json the reason is an object', async () => {
    const { error } = await run('provider show nothing-like-it --json');
    const message = 'there is no resource provider "nothing-like-it"';
    expect(JSON.parse(error)).toEqual({ error: { code: 'NOT_FOUND', message, path: [], exit: 3 } });
  });

  test('exit code 6: no server answers; 8: the outcome is unknown', async () => {
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
    const ended = await clientOf({ url }).run(line, GUEST);
    proxy.close();
    expect(ended.error).toMatch(
      new RegExp(` answers ${status} .*, which is no answer of placement-graphql: `),
    );
    expect(ended.code).toBe(code);
  });
});

describe('watch', () => {
  const watch = (options: string) =>
    spawn(process.execPath, [MAIN, 'watch', ...options.split(' ')], {
      env: { PATH: process.env.PATH, PLACEMENT_URL: api.url },
    });
  const inventory = '--in-tree host1 --kind inventory';
  let total = 4;
  const changeInventory = () => json('inventory put host1-gpu', `VGPU=${total++}`);
  const claimAndRelease = async () => {
    const uuid = randomUUID();
    await json('claim VCPU=1 --project watched --user u --consumer', uuid);
    await json('release', uuid);
  };

  test.each([
    [inventory, changeInventory, /^host1-gpu {2}generation \d+ {2}inventory {2}VGPU=0\n/],
    ['--project watched', claimAndRelease, /^[-0-9a-f]{36} {2}(generation 1|deleted) {2}project watched\n/],
    ['--totals --in-tree host1', () => Promise.resolve(), /^VCPU {2}\d+ of \d+ used, \d+ free$/m],
  ])('%s prints changes as they come, and ends at Ctrl-C', async (options, change, lines) => {
    const child = watch(options);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for (; !printed.includes('\n'); await sleep(50)) await change(); // until the stream has begun
    expect(printed).toMatch(lines);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('watch ends when its output is closed', async () => {
    const child = watch(inventory);
    let isOver = false;
    const ended = once(child, 'close').finally(() => (isOver = true));
    child.stdout.destroy();
    for (; !isOver; await sleep(50)) await changeInventory();
    expect(await ended).toEqual([0, null]);
  });
});

test('an aggregate gets a name, and loses it', async () => {
  const uuid = randomUUID();
  await json('aggregate add host1', uuid);
  expect(await json('aggregate name', uuid, 'a-rack')).toEqual([{ uuid, name: 'a-rack' }]);
  expect(await json('aggregate list --provider host1')).toContainEqual({ uuid, name: 'a-rack' });
  expect(await json('aggregate name', uuid)).toEqual([{ uuid, name: null }]);
  await json('aggregate remove host1', uuid);
});

test('bash completes commands, options and values', async () => {
  const script = await outputOf('completion bash');
  const complete = async (line: string): Promise<string> => {
    const words = `COMP_WORDS=(placement-graphql ${line}); COMP_CWORD=${line.split(' ').length}`;
    const commands = `${script}\n${words}; _placement_graphql; echo "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)('bash', ['-c', commands])).stdout;
  };
  expect(await complete('prov')).toBe('provider\n');
  expect(await complete('provider show host1 --al')).toBe('--allocations\n');
  expect(await complete('provider list -o ""')).toBe('table wide json yaml csv name\n');
  expect(await complete('serve --ho')).toMatch(/^(?=.*--hosts\b)(?=.*--host\b)/);
});

test('bash completes names of hosts, traits and classes, which it never executes', async () => {
  const script = await outputOf('completion bash');
  const marker = join(folder, 'executed');
  const names = ['host-1', 'host-2', `host-$(touch ${marker})`];
  const program = `placement-graphql() { printf '%s\\n' "$*" >&2; case "$1" in
    provider) printf '%s\\n' ${names.map((name) => `'${name}'`).join(' ')} ;;
    trait) echo CUSTOM_GOLD ;;
    class) echo VCPU ;;
  esac; }`;
  const complete = async (line: string): Promise<string[]> => {
    const words = `COMP_WORDS=(placement-graphql ${line}); COMP_CWORD=${line.split(' ').length}`;
    const commands = `${program}\n${script}\n${words}; _placement_graphql; printf '%s\n' "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)('bash', ['-c', commands])).stdout.trim().split('\n');
  };
  expect(await complete('provider show host-1')).toEqual(['host-1']);
  expect(await complete('cordon ho')).toEqual(['host-1', 'host-2', expect.stringMatching(/^host-\\\$\\\(/)]);
  expect(existsSync(marker)).toBe(false);
  expect(await complete('provider create x --parent host-2')).toEqual(['host-2']);
  expect(await complete('trait show CUST')).toEqual(['CUSTOM_GOLD']);
  expect(await complete('candidates VC')).toEqual(['VCPU']);
  expect(await complete('inventory show host-1 VC')).toEqual(['VCPU']);
  expect(await complete('provider show --al')).toEqual(['--allocations']);
  expect(await complete('provider list --limit 1 --in-tree host-1')).toEqual(['host-1']);
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
  const ours = /^dist\/(main|production|command\/.+|generated\/client\/operations|store\/version)\.js$/;
  const theirs =
    /^node_modules\/(commander|string-width|strip-ansi|ansi-regex|get-east-asian-width|wrap-ansi|ansi-styles)\//;
  expect(loaded).toContainEqual(expect.stringMatching(ours));
  expect(loaded.filter((url) => !ours.test(url) && !theirs.test(url))).toEqual([]);
});

describe('an option with one value that is given twice', () => {
  const program = new Program('placement-graphql');
  addClientCommands(program);
  addServerCommands(program, false);
  const leavesOf = (command: Program): Program[] =>
    command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];
  const chainOf = (command: Program): string[] =>
    command.parent === null ? [] : [...chainOf(command.parent), command.name()];
  const cases = leavesOf(program).flatMap((command) =>
    command.options.filter(isSingle).map(({ long, argChoices, flags }) => {
      const values = { uuid: GUEST, '<time>': '1d', '<url>': 'http://placement.example' };
      const value = Object.entries(values).find(([word]) => flags.includes(word))?.[1] ?? '1';
      return [...chainOf(command), long!, argChoices?.[0] ?? value, long!, argChoices?.[0] ?? value];
    }),
  );

  test('is refused by every command', async () => {
    expect(cases.length).toBeGreaterThan(100);
    const accepted: string[] = [];
    for (const words of cases) {
      const { code, error } = await runClient(api.url, words);
      if (code !== 2 || !error.includes("' is given twice")) accepted.push(`${words.join(' ')}: ${error}`);
    }
    expect(accepted).toEqual([]);
  });

  test('is refused within a group, and accepted in each', async () => {
    const line = 'candidates --group a:VCPU=1 --in-tree host1';
    expect(await run(line, '--in-tree host2')).toMatchObject({
      code: 2,
      error: 'error: --in-tree is given twice for a group\n',
    });
    expect((await run(line, '--group b:VCPU=1 --in-tree host1')).error).not.toContain('twice');
  });
});

test('limits of a project are set, listed with their usage, and removed', async () => {
  await json('provider create limited');
  await json('inventory set limited VCPU=16');
  await json('consumer set', randomUUID(), '--allocation limited:VCPU=1 --project team --user someone');
  expect(await outputOf('quota set --project team VCPU=4 consumers=2')).toMatch(/^team +VCPU +4 +1 +0 +3 /m);
  expect(await outputOf('quota list --project team')).toMatch(/^team +consumers +2 +1 +0 +1 /m);
  await json('quota set --project team consumers=none');
  expect(await outputOf('quota list --project team')).not.toContain('consumers');
  expect((await run('quota set --project team NO_CLASS=4')).code).toBe(2);
  expect((await run('quota set VCPU=4')).code).toBe(2);
});

test('of several consumers, all or none are released', async () => {
  await json('provider create released');
  await json('inventory set released VCPU=8');
  const [first, second, absent] = [randomUUID(), randomUUID(), randomUUID()];
  for (const consumer of [first, second])
    await json('consumer set', consumer, '--allocation released:VCPU=1 --project leaving --user someone');
  const isThere = async (consumer: string) => (await run('consumer show', consumer)).code === 0;
  expect(await run('release', first, absent)).toMatchObject({ code: 3 });
  expect((await run('release', first, first)).code).toBe(2);
  expect(await isThere(first)).toBe(true);
  expect(await outputOf('release', first, second)).toBe(`released ${first}\nreleased ${second}\n`);
  expect([await isThere(first), await isThere(second)]).toEqual([false, false]);
});

test('an offer is claimed for a time, extended and confirmed', async () => {
  await json('provider create offering');
  await json('inventory set offering VCPU=8');
  const owner = '--project team --user someone';
  const offer = randomUUID();
  const lasts = async (): Promise<number | null> => {
    const { expiresAt } = await json<{ expiresAt: string | null }>('consumer show', offer);
    return expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);
  };
  await json(`claim VCPU=2 --in-tree offering --consumer ${offer} ${owner} --until 30m`);
  expect(await lasts()).toBe(30);
  expect(await outputOf('consumer list --expiring -o name')).toBe(`${offer}\n`);
  await json(`consumer extend ${offer} --until 2h`);
  expect(await lasts()).toBe(120);
  await json('consumer confirm', offer);
  expect(await lasts()).toBeNull();
  expect((await run(`claim VCPU=1 --in-tree offering ${owner} --until soon`)).code).toBe(2);
  const day = await run(`claim VCPU=1 --in-tree offering ${owner} --until 2027-02-30T00:00:00Z`);
  expect(day).toMatchObject({ code: 2, error: expect.stringContaining('2027-02-30') as unknown });
  const past = await run(`claim VCPU=1 --in-tree offering ${owner} --until 2020-01-01T00:00:00Z`);
  expect(past).toMatchObject({ code: 2, error: expect.stringContaining('has passed') as unknown });
});
