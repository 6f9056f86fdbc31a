import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { fileIn, folderOfFile } from '../support/folder.js';
import { clientOf, runClient } from './client.js';

const { api } = useApi();
const { run, outputOf, json } = clientOf(api);
const folder = folderOfFile();

const file = (name: string, text: string): string => fileIn(folder, name, text);

const csv = (...rows: string[]): string =>
  file('fleet.csv', ['host,class,total,traits,aggregates', ...rows].join('\n'));
const hosts = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `cn${at},VCPU,8,CUSTOM_FAST,rack-${at % 2}`);

const applyCsv = (...options: string[]) =>
  run('fleet apply --from csv', join(folder, 'fleet.csv'), ...options);

describe('fleet apply', () => {
  test('prints the hosts of a source, and writes them with custom traits and named aggregates', async () => {
    csv(...hosts(2));
    const printed = await run('fleet from csv', join(folder, 'fleet.csv'));
    expect(printed).toEqual({
      code: 0,
      error: '',
      out: `root:
  name: cn0
  inventories:
    VCPU:
      total: 8
  traits:
    - CUSTOM_FAST
  aggregates:
    - rack-0
---
root:
  name: cn1
  inventories:
    VCPU:
      total: 8
  traits:
    - CUSTOM_FAST
  aggregates:
    - rack-1
`,
    });
    expect(await run('fleet from csv -o name', join(folder, 'fleet.csv'))).toMatchObject({
      out: 'cn0\ncn1\n',
    });
    const path = file('fleet.yaml', printed.out);
    const dry = await run('fleet apply --dry-run -f', path);
    expect(dry.out).toMatch(
      /^CHANGE +NAME +DETAILS\ncreate +cn0 +\+VCPU total 8, \+CUSTOM_FAST, \+[\da-f-]{36}\ncreate +cn1 /,
    );
    expect((await run('provider show cn0')).code).toBe(3);
    expect(await run('fleet apply -f', path)).toEqual({ code: 0, error: '', out: `${dry.out}\napplied\n` });
    expect((await run('provider show cn0')).out).toMatch(/^aggregates +rack-0$/m);
    expect(await run('fleet apply -f', path)).toEqual({ code: 0, error: '', out: 'nothing differs\n' });
  });

  test('sets back what a person changes, and keeps what nobody owns unless it is taken over', async () => {
    await outputOf('inventory set cn0 VCPU=9');
    await outputOf('provider create other');
    await outputOf('inventory set other VCPU=1');
    csv(...hosts(2), 'other,VCPU,2,,');
    const { out } = await applyCsv();
    expect(out).toMatch(/^update +cn0 +VCPU total 9 -> total 8$/m);
    expect(out).toMatch(/^keep +other +VCPU total 1 -> total 2$/m);
    expect((await applyCsv('--take-over')).out).toMatch(/^take over +other +VCPU total 1 -> total 2$/m);
  });

  test('two owners of one part are rejected with both names, and the file changes nothing', async () => {
    csv('new,VCPU,1,,', ...hosts(1));
    const { code, error } = await applyCsv('--owner', 'second');
    expect(code).toBe(5);
    expect(error).toBe(
      'error: OWNED_BY_ANOTHER: host cn0: second and fleet both claim the inventory of VCPU of resource provider "cn0", ' +
        'and 2 more parts have other owners; nothing is changed\n',
    );
    expect((await run('provider show new')).code).toBe(3);
  });

  test('hosts that are missing are removed, but not those in use and not more than half of all', async () => {
    csv(...hosts(6));
    await outputOf('fleet apply --allow-removal --from csv', join(folder, 'fleet.csv'));
    await json('claim VCPU=1 --in-tree cn5 --project p --user u');
    csv(...hosts(2));
    const refused = await applyCsv();
    expect(refused.code).toBe(5);
    expect(refused.error).toMatch(
      /^error: 4 of the 6 hosts of fleet are missing, such as cn2: --allow-removal removes them\n$/,
    );
    const { out } = await applyCsv('--allow-removal');
    expect(out).toMatch(/^remove +cn2/m);
    expect(out).toMatch(/^in use +cn5 +consumers use cn5$/m);
    expect((await run('provider show cn2')).code).toBe(3);
    expect((await run('provider show cn5')).code).toBe(0);
  });

  test('an empty source, a repeated host and a wrong option change nothing', async () => {
    const before = await json('provider list');
    csv();
    expect((await applyCsv('--allow-removal')).error).toContain('there is no host in it');
    const twice = file('twice.yaml', 'root: { name: cn0 }\n---\nroot: { name: cn0 }\n');
    expect((await run('fleet apply -f', twice)).error).toContain('document 2: provider "cn0" is also in');
    expect((await run('fleet apply')).error).toBe('error: give either -f or --from\n');
    expect((await run('fleet from unknown', twice)).error).toContain('"unknown" is no source');
    expect((await run('fleet from csv')).error).toContain('name the files of csv');
    expect((await run('fleet from csv', join(folder, 'missing'))).error).toContain('ENOENT');
    const bad = file('bad.yaml', 'root: { name: cn0, inventories: { VCPU: 0 } }\n');
    const invalid = await run('fleet apply --allow-removal -f', bad);
    expect(invalid).toMatchObject({ code: 2, out: '' });
    expect(invalid.error).toContain('bad.yaml: total of the inventory of VCPU is 0');
    expect(await json('provider list')).toEqual(before);
  });

  test('a missing lstopo is named with its package', async () => {
    const { code, error } = await runClient(api.url, ['fleet', 'from', 'hwloc', '--discover'], {
      environment: { PATH: folder },
    });
    expect({ code, error }).toEqual({
      code: 1,
      error: 'error: lstopo is not installed: install the package hwloc\n',
    });
  });
});

const documents = (...roots: readonly string[]): string =>
  roots.map((root) => `root: ${root}`).join('\n---\n');

/** Applies documents as an owner. Returns the lines of the differences. */
async function applyAs(owner: string, ...roots: readonly string[]): Promise<string> {
  const { code, out, error } = await run(
    `fleet apply --owner ${owner} -f`,
    file('fleet.yaml', documents(...roots)),
  );
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out;
}

const names = async (): Promise<string[]> =>
  (await outputOf('provider list --limit all -o name')).split('\n');

describe('hosts of fleet apply', () => {
  test('a renamed host is not removed, however its uuid is spelled', async () => {
    const hostNamed = (name: string, uuid: string) =>
      `{ name: ${name}, uuid: ${uuid}, inventories: { VCPU: 4 } }`;
    const others = ['up2', 'up3'].map((name) => `{ name: ${name}, inventories: { VCPU: 4 } }`);
    await applyAs('spelled', hostNamed('up1', 'AAAA0000-0000-4000-8000-00000000000A'), ...others);
    for (const [before, after, uuid] of [
      ['up1', 'up8', 'AAAA0000-0000-4000-8000-00000000000A'],
      ['up8', 'up9', 'aaaa000000004000800000000000000a'],
    ]) {
      const out = await applyAs('spelled', hostNamed(after, uuid), ...others);
      expect(out).toMatch(new RegExp(`^update +${after} +${before} -> ${after}$`, 'm'));
      expect(out).not.toContain('remove');
    }
  });

  test('a host that was installed again has a new uuid: its provider is replaced, unless consumers use it', async () => {
    const installed = (uuid: string) => `{ name: ri1, uuid: ${uuid}, inventories: { VCPU: 4 } }`;
    const others = ['ri2', 'ri3'].map((name) => `{ name: ${name}, inventories: { VCPU: 4 } }`);
    const [first, second, third] = Array.from({ length: 3 }, () => randomUUID());
    await applyAs('installed', installed(first), ...others);
    const out = await applyAs('installed', installed(second), ...others);
    expect(out).toMatch(/^create +ri1/m);
    expect(out).toMatch(/^remove +ri1/m);
    expect(await outputOf('provider show ri1')).toContain(second);
    await json('claim VCPU=1 --in-tree ri1 --project p --user u');
    const path = file('again.yaml', documents(installed(third), ...others));
    const { code, error } = await run('fleet apply --owner installed -f', path);
    expect(code).toBe(5);
    expect(error).toMatch(/again.yaml, document 1: .*has the name "ri1" already; nothing is changed\n$/);
    expect(await outputOf('provider show ri1')).toContain(second);
  });

  test('a partition in use whose consumption differs stays, and the other hosts are written', async () => {
    const fleet = (amount: number, total: number) => {
      const consumes = `[{ resourceProvider: { name: pa1 }, resourceClass: CUSTOM_UNITS, amount: ${amount} }]`;
      return [
        `{ name: pa1, inventories: { CUSTOM_UNITS: 4, CUSTOM_PART: { total: 2, consumes: ${consumes} } } }`,
        `{ name: pa2, inventories: { VCPU: ${total} } }`,
      ];
    };
    await applyAs('parted', ...fleet(2, 4));
    await json('claim CUSTOM_PART=1 --in-tree pa1 --project p --user u');
    const out = await applyAs('parted', ...fleet(1, 8));
    expect(out).toMatch(/^in use +pa1 +CUSTOM_PART consumes 1 counters -> consumes 1 counters$/m);
    expect(out).toMatch(/^update +pa2 +VCPU total 4 -> total 8$/m);
    expect(out).toMatch(/\napplied\n$/);
  });

  test('one uuid in two documents is rejected in any spelling', async () => {
    const [one, two] = ['cccc0000-0000-4000-8000-00000000000c', 'CCCC0000000040008000-00000000000C'];
    const path = file('twice.yaml', documents(`{ name: tw1, uuid: ${one} }`, `{ name: tw2, uuid: ${two} }`));
    const { error } = await run('fleet apply -f', path);
    expect(error).toContain(`document 2: provider ${one} is also in`);
  });

  test('parts on a host of another owner are removed if the file omits the host, and then its owner can remove it', async () => {
    const base = ['ow1', 'ow2', 'ow3'].map((name) => `{ name: ${name}, inventories: { VCPU: 4 } }`);
    const parts = ['ow1', 'ow2', 'ow3'].map((name) => `{ name: ${name}, traits: [CUSTOM_LICENSED] }`);
    await applyAs('hardware', ...base);
    await applyAs('licences', ...parts);
    expect(await applyAs('hardware', ...base.slice(0, 2))).toMatch(/^keep +ow3 +ow3 has parts of licences$/m);
    expect(await applyAs('licences', ...parts.slice(0, 2))).toMatch(/^update +ow3 +-CUSTOM_LICENSED$/m);
    expect(await outputOf('provider show ow3')).not.toContain('CUSTOM_LICENSED');
    expect(await applyAs('hardware', ...base.slice(0, 2))).toMatch(/^remove +ow3/m);
    expect(await names()).not.toContain('ow3');
  });

  test('names of changed providers are printed once, without those that stay', async () => {
    await outputOf('provider create other-card');
    await outputOf('inventory set other-card VCPU=1');
    const roots = ['{ name: nn1, traits: [], inventories: { VCPU: 1 }, children: [{ name: nn2 }] }'];
    const path = file('names.yaml', documents(...roots, '{ name: other-card, inventories: { VCPU: 2 } }'));
    expect(await outputOf('fleet apply --owner names -o name --dry-run -f', path)).toBe('nn1\nnn2\n');
    expect(await outputOf('fleet apply --owner names -o name -f', path)).toBe('nn1\nnn2\n');
    expect(await outputOf('fleet apply --owner names -o name -f', path)).toBe('');
  });
});

describe('a device that moves between hosts of two transactions', () => {
  const CARD = '{ name: card-7, inventories: { FPGA: 1 } }';

  /** States 120 hosts with these devices by the number of the host, more than one transaction takes. */
  const fleet = (devices: Readonly<Record<number, string>>, count = 120): string[] =>
    Array.from({ length: count }, (_, at) => {
      return `{ name: bb${at}, inventories: { VCPU: 4 }, children: [${devices[at] ?? ''}] }`;
    });
  const hostOf = async (name: string): Promise<string> => (await run(`provider show ${name}`)).out;

  test('has its new host after one run', async () => {
    await applyAs('cards', ...fleet({ 110: CARD }));
    await applyAs('cards', ...fleet({ 5: CARD }));
    expect(await hostOf('card-7')).toMatch(/^parent +bb5\b/m);
    expect(await applyAs('cards', ...fleet({ 5: CARD }))).toBe('nothing differs\n');
  });

  test('has it if its old host leaves or becomes a child, and the dry run shows the differences of the run', async () => {
    await applyAs('cards', ...fleet({ 119: CARD }));
    const path = file('left.yaml', documents(...fleet({ 2: CARD }, 119)));
    const dry = await outputOf('fleet apply --owner cards --dry-run -f', path);
    expect(dry).toMatch(/^create +card-7 +below bb2, \+FPGA total 1$/m);
    expect(await outputOf('fleet apply --owner cards -f', path)).toBe(`${dry}\napplied\n`);
    expect(await hostOf('card-7')).toMatch(/^parent +bb2\b/m);
    await applyAs('cards', ...fleet({ 2: '{ name: bb118 }', 3: CARD }, 118));
    expect(await hostOf('bb118')).toMatch(/^parent +bb2\b/m);
    expect(await hostOf('card-7')).toMatch(/^parent +bb3\b/m);
  });

  test('has it if hosts of both transactions take devices of one host, and give it others', async () => {
    const devices = (...all: string[]): string => all.map((name) => `{ name: ${name} }`).join(', ');
    await applyAs('cards', ...fleet({ 1: devices('c1'), 7: devices('c2', 'c3'), 115: devices('c4') }));
    await applyAs('cards', ...fleet({ 1: devices('c2'), 7: devices('c1', 'c4'), 116: devices('c3') }));
    for (const [name, host] of Object.entries({ c1: 'bb7', c2: 'bb1', c3: 'bb116', c4: 'bb7' }))
      expect(await hostOf(name)).toMatch(new RegExp(`^parent +${host}\\b`, 'm'));
  });

  test('stays if consumers use its old host: the name is taken', async () => {
    await applyAs('cards', ...fleet({ 110: CARD }));
    await json('claim FPGA=1 --in-tree bb110 --project p --user u');
    const { code, error } = await run(
      'fleet apply --owner cards -f',
      file('used.yaml', documents(...fleet({ 5: CARD }))),
    );
    expect(code).toBe(5);
    expect(error).toMatch(/used.yaml, document 6: .*has the name "card-7" already; nothing is changed\n$/);
  });
});
