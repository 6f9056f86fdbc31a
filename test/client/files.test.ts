import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { useApi } from '../support/api.js';
import { folderOfFile } from '../support/folder.js';
import { clientOf, runClient } from './client.js';

const { api } = useApi();
const { run, outputOf, json } = clientOf(api);
const folder = folderOfFile();

function file(content: unknown): string {
  const path = join(folder, 'input.yaml');
  writeFileSync(path, stringify(content));
  return path;
}

const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';

/** The allocations of a consumer in a file, in their short form. */
const taking = (consumer: string, resourceProvider: string, VCPU: number) => ({
  consumer,
  generation: 1,
  projectId: 'p',
  userId: 'u',
  allocations: { providers: [{ resourceProvider, resources: { VCPU } }] },
});

describe('tree apply', () => {
  const tree = (memory: string, ...children: object[]) => ({
    root: {
      name: 'node-1',
      traits: ['COMPUTE_NODE'],
      inventories: { MEMORY_MB: memory, VCPU: { total: 8, reserved: 1 } },
      children,
    },
  });
  const apply = (content: object, ...options: string[]) => run('tree apply -f', file(content), ...options);

  test('shows the differences, creates the tree, and changes nothing when it is applied again', async () => {
    const planned = await apply(tree('4G', { name: 'node-1-gpu', inventories: { VGPU: 2 } }), '--dry-run');
    const expected = `CHANGE  NAME        DETAILS
create  node-1      +MEMORY_MB=4096, +VCPU=8, VCPU reserved 1, +COMPUTE_NODE
create  node-1-gpu  below node-1, +VGPU=2
`;
    expect(planned).toEqual({ code: 0, out: expected, error: '' });
    expect((await run('provider show node-1')).code).toBe(3);
    const applied = await apply(tree('4G', { name: 'node-1-gpu', inventories: { VGPU: 2 } }));
    expect(applied).toEqual({ code: 0, out: `${expected}\napplied\n`, error: '' });
    const before = await json('provider tree node-1');
    const again = await apply(tree('4G', { name: 'node-1-gpu', inventories: { VGPU: 2 } }));
    expect(again).toEqual({ code: 0, out: 'nothing differs\n', error: '' });
    expect(await json('provider tree node-1')).toEqual(before);
  });

  test('prints the names of changed providers, each once, without consumers', async () => {
    await outputOf('provider create names-1');
    const root = { name: 'names-1', inventories: { VCPU: 8 }, children: [{ name: 'names-2' }] };
    const allocations = [{ ...taking(CONSUMER.replace(/1$/, '7'), 'names-1', 1), generation: null }];
    expect((await apply({ root, allocations }, '-o', 'name', '--dry-run')).out).toBe('names-1\nnames-2\n');
    expect((await apply({ root, allocations }, '-o', 'name')).out).toBe('names-1\nnames-2\n');
    expect((await apply({ root, allocations: [] }, '-o', 'name')).out).toBe('');
    await outputOf('release', CONSUMER.replace(/1$/, '7'));
    await outputOf('provider delete names-1 --recursive');
  });

  test('names aggregates by name, and shows what is renamed, moved and changed', async () => {
    const rack = 'aaaaaaaa-0000-4000-8000-000000000001';
    await json('aggregate', 'add', 'node-1', rack);
    await json('aggregate', 'name', rack, 'rack-1');
    await json('aggregate remove node-1 rack-1');
    const [{ uuid }] = await json<{ uuid: string }[]>('provider list --name node-1-gpu');
    const content = tree('8G', {
      name: 'node-1-nic',
      children: [{ name: 'node-1-gpu0', uuid, aggregates: ['rack-1'] }],
    });
    expect((await apply(content)).out).toBe(`CHANGE  NAME         DETAILS
update  node-1       MEMORY_MB total 4096 -> 8192
create  node-1-nic   below node-1
update  node-1-gpu0  renamed from node-1-gpu, below node-1-nic, +rack-1

applied
`);
    const { out } = await run('provider show node-1-gpu0');
    expect(out).toMatch(/^aggregates +rack-1$/m);
  });

  test('keeps providers that the file does not name, unless they are to be pruned', async () => {
    expect((await apply(tree('8G'))).out).toBe('nothing differs\n');
    const { out } = await apply(tree('8G'), '--prune', '--dry-run');
    expect(out).toBe('CHANGE  NAME         DETAILS\ndelete  node-1-nic\ndelete  node-1-gpu0\n');
    expect((await run('provider tree node-1')).out.split('\n')).toHaveLength(5);
    await apply(tree('8G'), '--prune');
    expect((await run('provider tree node-1 -o name')).out).toBe('node-1\n');
  });

  test('moves allocations with their inventories, and names the consumers if the file does not', async () => {
    await json('claim VCPU=2 --in-tree node-1 --project p --user u --consumer', CONSUMER);
    const numa = {
      name: 'node-1-numa',
      uuid: 'aaaaaaaa-0000-4000-8000-00000000000a',
      inventories: { VCPU: 8 },
    };
    const content = { root: { name: 'node-1', inventories: {}, children: [numa] } };
    const refused = await apply(content);
    expect(refused).toMatchObject({ code: 5, out: '' });
    expect(refused.error).toMatch(new RegExp(`^error: RESHAPE_NEEDED: .*: ${CONSUMER}\n$`));
    const allocations = [taking(CONSUMER, numa.uuid, 2)];
    const { out } = await apply({ ...content, allocations });
    expect(out).toContain(`reallocate  ${CONSUMER}  -node-1: VCPU=2; +${numa.uuid}: VCPU=2\n`);
    expect((await run('usage node-1')).out).toMatch(/^ {2}node-1-numa +VCPU +2 +8 +6 +25.0%$/m);
  });

  test.each<[string, unknown, string]>([
    ['an unknown field', { root: { name: 'a', trait: [] } }, 'root has no field trait; the fields are '],
    ['a missing field', { root: { traits: [] } }, 'root lacks the field name'],
    [
      'a wrong type',
      { root: { name: 'a', children: [{ name: 3 }] } },
      'root.children[0].name must be a text',
    ],
    ['a size without a unit', { root: { name: 'a', inventories: { VCPU: '1G' } } }, 'VCPU=1G: only amounts'],
    ['nothing', null, 'it must have the fields '],
  ])('%s is reported with its path, and nothing is sent', async (_what, content, said) => {
    const path = file(content);
    const { code, error } = await runClient('http://127.0.0.1:1', ['tree', 'apply', '-f', path]);
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining(`error: ${path}: ${said}`) as unknown as string,
    });
  });
});

test('reshape shows the differences, and moves inventories with their allocations', async () => {
  await json('provider create left');
  await json('provider create right');
  await json('inventory set left VCPU=4');
  const consumer = 'cccccccc-0000-4000-8000-000000000002';
  await json('claim VCPU=3 --in-tree left --project p --user u --consumer', consumer);
  const generationOf = async (name: string) =>
    (await json<{ generation: number }>('provider', 'show', name)).generation;
  const content = {
    inventories: [
      { resourceProvider: 'left', generation: await generationOf('left'), inventories: {} },
      {
        resourceProvider: { name: 'right' },
        generation: 0,
        inventories: [{ resourceClass: 'VCPU', total: 4 }],
      },
    ],
    allocations: [taking(consumer, 'right', 3)],
  };
  const refused = await run('reshape', '-f', file({ ...content, allocations: [] }));
  expect(refused).toMatchObject({ code: 5, out: '' });
  expect(refused.error).toMatch(/^error: RESHAPE_REFUSED: .*: .*VCPU.*has allocations\n$/);
  const expected = `CHANGE      NAME                                  DETAILS
update      left                                  -VCPU
update      right                                 +VCPU=4
reallocate  ${consumer}  -left: VCPU=3; +right: VCPU=3
`;
  const input = JSON.stringify(content);
  const dry = await runClient(api.url, ['reshape', '-f', '-', '--dry-run'], { input });
  expect(dry).toEqual({ code: 0, out: expected, error: '' });
  expect(await outputOf('reshape -f', file(content))).toBe(`${expected}\napplied\n`);
  expect(await json('usage right')).toMatchObject([{ used: 3, capacity: 4 }]);
});

describe('a workload', () => {
  const member = (name: string, count: number, ...requests: object[]) => ({
    name,
    consumers: { count, projectId: 'w', userId: 'u', type: 'INSTANCE' },
    requests,
  });
  const of = (amounts: object) => ({ groups: [{ resources: amounts }] });
  const workload = {
    members: [
      member('db', 1, of({ CUSTOM_SLOT: 9 }), of({ CUSTOM_SLOT: 2 })),
      member('web', 2, of({ CUSTOM_SLOT: 1 })),
    ],
    topology: [
      { level: { tree: true }, members: ['db', 'web'], rule: 'DIFFERENT' },
      { level: { trait: 'CUSTOM_SWITCH' }, members: ['web'], rule: 'SAME', allowOutside: true },
    ],
  };

  test('is planned without a write', async () => {
    await json('class create CUSTOM_SLOT');
    await json('trait create CUSTOM_SWITCH');
    for (const name of ['slots-1', 'slots-2', 'slots-3']) {
      await json('provider', 'create', name);
      await json('inventory', 'set', name, 'CUSTOM_SLOT=2');
    }
    for (const command of ['plan', 'claim --dry-run']) {
      const out = await outputOf('workload', command, file(workload));
      expect(out).toMatch(/^MEMBER +CONSUMER +PROVIDER +TAKES\ndb +\S{36} +slots-\d +CUSTOM_SLOT=2\nweb /);
      expect(out).toMatch(/^MEMBER +REQUEST +NOT CHOSEN BECAUSE\ndb +1 +\S/m);
      expect(out.match(/^1 DIFFERENT +slots-\d +1$/gm)).toHaveLength(3);
      expect(out).toMatch(/^2 SAME +\(outside\) +2$/m);
      expect(out).toMatch(/^CUSTOM_SLOT +0\/6 +4\/6$/m);
    }
    expect(await json('consumer list --project w')).toEqual([]);
  });

  test('is claimed as a whole, or not at all', async () => {
    const out = await outputOf('workload claim', file(workload));
    expect(out.match(/^(db|web) +\S{36} +slots-\d +CUSTOM_SLOT=\d$/gm)).toHaveLength(3);
    expect(out).toMatch(/^2 SAME +\(outside\) +2$/m);
    const failed = await run('workload', 'claim', file(workload));
    expect(failed).toMatchObject({ code: 5, out: '' });
    expect(failed.error).toMatch(/^error: NO_CANDIDATES: .*member db, no consumer fits/);
    expect(await json('consumer list --project w')).toHaveLength(3);
    const planned = await run('workload', 'plan', file(workload));
    expect(planned).toMatchObject({ code: 5, error: '' });
    expect(planned.out).toMatch(/^impossible: .*member db, no consumer fits/);
  });
});

describe('tree apply of several documents', () => {
  const host = (name: string, VCPU: number) => stringify({ root: { name, inventories: { VCPU } } });
  const write = (name: string, ...documents: string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, documents.join('---\n'));
    return path;
  };
  const known = async (): Promise<string> => outputOf('provider list --starts-with several- -o name');

  test('takes files, documents and folders, and shows all differences first', async () => {
    const trees = join(folder, 'trees');
    mkdirSync(trees, { recursive: true });
    write('trees/b.yaml', host('several-4', 4));
    write('trees/a.json', JSON.stringify({ root: { name: 'several-3', inventories: { VCPU: 3 } } }));
    write('trees/notes.txt', 'no tree');
    const two = write('two.yaml', host('several-1', 1), host('several-2', 2), '');
    const { out, code } = await run('tree apply -f', two, '--file', trees);
    expect({ code, out }).toEqual({
      code: 0,
      out: `CHANGE  NAME       DETAILS
create  several-1  +VCPU=1
create  several-2  +VCPU=2
create  several-3  +VCPU=3
create  several-4  +VCPU=4

applied
`,
    });
    expect((await run('tree apply -f', two, '-f', trees)).out).toBe('nothing differs\n');
    await outputOf('provider delete several-1 several-2 several-3 several-4');
  });

  test.each([
    ['an unknown field', 'root: { name: several-b, trait: [] }\n', 'root has no field trait'],
    ['a syntax error', 'root: { name: several-b\n', 'at line'],
    ['an unknown trait', 'root: { name: several-b, traits: [CUSTOM_NONE] }\n', 'CUSTOM_NONE'],
    ['the provider of the first', 'root: { name: several-a }\n', 'provider "several-a" is also in'],
  ])('a wrong second document (%s) applies none', async (_what, second, message) => {
    const path = write('wrong.yaml', host('several-a', 1), second);
    const { code, out, error } = await run('tree apply -f', path);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toContain(message === 'at line' ? path : `${path}, document 2`);
    expect(error.trim().split('\n')).toHaveLength(1);
    expect(await known()).toBe('');
  });

  test('an empty folder, and several documents for another command, are refused', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    expect(await run('tree apply -f', empty)).toMatchObject({
      code: 2,
      error: `error: ${empty} has no files of YAML or JSON\n`,
    });
    const two = write('requests.yaml', '{ groups: [] }\n', '{ groups: [] }\n');
    expect((await run('candidates --request', two)).error).toContain('has 2 documents: only tree apply');
  });
});

describe('values in files', () => {
  test('sizes work in each form of inventories and amounts', async () => {
    const forms = [
      { DISK_GB: { total: '2T', reserved: '1T', maxUnit: '1024G' } },
      [{ resourceClass: 'DISK_GB', total: '2TiB', reserved: 1024, maxUnit: '1T' }],
    ];
    for (const inventories of forms) {
      await run('tree apply -f', file({ root: { name: 'sized', inventories } }));
      expect(await json('inventory show sized DISK_GB')).toMatchObject({
        total: 2048,
        reserved: 1024,
        maxUnit: 1024,
      });
    }
    for (const resources of [{ DISK_GB: '1T' }, [{ resourceClass: 'DISK_GB', amount: '1T' }]])
      expect((await run('candidates --request', file({ groups: [{ resources }] }), '-o csv')).out).toContain(
        'sized',
      );
    await outputOf('provider delete sized');
  });

  test('a ratio with more digits than are stored is no difference', async () => {
    const tree = (total: number, allocationRatio: number) =>
      file({ root: { name: 'ratio', inventories: { VCPU: { total, allocationRatio } } } });
    await run('tree apply -f', tree(3, 0.33333333333));
    const { out } = await run('tree apply -f', tree(6, 0.33333333333));
    expect(out).toMatch(/^update +ratio +VCPU total 3 -> 6$/m);
    await outputOf('provider delete ratio');
    await run('fleet apply --owner ratios -f', tree(3, 1.1));
    expect((await run('fleet apply --owner ratios -f', tree(3, 0.1))).out).toMatch(
      /^update +ratio +VCPU allocationRatio 1.1 -> allocationRatio 0.1$/m,
    );
    await outputOf('provider delete ratio');
  });

  const TWELVE = '12345678901234567890123456789012';
  test.each([
    [`root: { name: a, uuid: ${TWELVE} }`, 'root.uuid must be a uuid: write it in quotes'],
    ['root: { name: 007 }', 'root.name must be a text: write it in quotes'],
    [
      'root: { name: a, aggregates: [1234] }',
      'root.aggregates[0] must be a name or a uuid: write it in quotes',
    ],
    ['root: { name: a, inventories: { VCPU: .inf } }', 'a whole number of at most 2147483647, not Infinity'],
    [
      'root: { name: a, inventories: { VCPU: { total: 1, allocationRatio: .inf } } }',
      'must be a number, not Infinity',
    ],
    [
      'root: { name: a, inventories: { MEMORY_MB: 4GB } }',
      'MEMORY_MB=4GB must be a whole number, or a size: 4G or 4GiB',
    ],
  ])('%s is reported: %s', async (text, message) => {
    const path = join(folder, 'value.yaml');
    writeFileSync(path, text);
    const { code, error } = await run('tree apply -f', path);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) as unknown });
  });
});
