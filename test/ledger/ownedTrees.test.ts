import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readAudit, repairAudit } from '../../src/store/audit/audit.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { updateProvider } from '../../src/store/ledger/provider/updateProvider.js';
import { applyProviderTrees, type ApplyProviderTreesInput } from '../../src/store/ledger/tree/applyTrees.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { unchanged } from '../support/unchanged.js';
import { useDatabase } from '../support/useDatabase.js';
import { allocate, expectRefused, inventory, storedProviders, uniqueNames } from './support.js';
import { grow, shapeOf, treeOf } from './treeSupport.js';

const database = useDatabase();

type Options = Partial<Omit<ApplyProviderTreesInput, 'trees'>>;

/** Applies trees and returns the differences as short texts. Compares the dry run with the write. */
async function fleet(trees: readonly DesiredProvider[], options: Options = {}) {
  const input = { owner: 'fleet', remove: [], takeOver: false, dryRun: false, ...options, trees };
  const dry = await unchanged(database, () =>
    applyProviderTrees(database.ledger, { ...input, dryRun: true }),
  );
  const applied = input.dryRun ? dry : await applyProviderTrees(database.ledger, input);
  const texts = ({ differences }: typeof applied): string[] =>
    differences.map(({ outcome, provider, kind, name, before, after }) =>
      kind === 'PROVIDER'
        ? `${outcome} ${provider}: ${before} -> ${after}`
        : `${outcome} ${provider} ${name}: ${before} -> ${after}`,
    );
  expect(texts(dry)).toEqual(texts(applied));
  expect([dry.claimed, dry.released]).toEqual([applied.claimed, applied.released]);
  return { ...applied, texts: texts(applied), uuid: applied.rootUuids[0] ?? '' };
}

/** Expects that a repeated write changes no row of any table. */
async function expectRepeatable(trees: readonly DesiredProvider[], options: Options = {}): Promise<void> {
  const input = { owner: 'fleet', remove: [], takeOver: false, dryRun: false, ...options, trees };
  const rows = () => database.pool.query<unknown[]>('SELECT * FROM placement_ownerships ORDER BY 1, 2, 3');
  const before = await rows();
  const again = await unchanged(database, () => applyProviderTrees(database.ledger, input));
  expect(await rows()).toEqual(before);
  expect([again.claimed, again.released]).toEqual([0, 0]);
}

async function ownersOf(name: string): Promise<string[]> {
  const rows = await database.pool.query<{ text: string }[]>(
    `SELECT CONCAT(o.owner, ' ', o.kind) AS text FROM placement_ownerships o
     JOIN resource_providers p ON p.id = o.provider_id WHERE p.name = ? ORDER BY o.kind, o.object_id`,
    [name],
  );
  return rows.map(({ text }) => text);
}

test('many new trees are created in one transaction, with custom names and owners, and a repeated write changes nothing', async () => {
  const n = uniqueNames();
  const [zone, rack] = [randomUUID(), randomUUID()];
  const trees = ['a', 'b', 'c'].map((name) => ({
    name: n(name),
    inventories: [
      inventory('VCPU', 8),
      inventory(`CUSTOM_CARD_${n(name).toUpperCase()}`.replaceAll(/\W/g, '_'), 1),
    ],
    traits: ['CUSTOM_FLEET_NEW'],
    aggregates: [zone, rack],
    children: [{ name: n(`${name}0`), inventories: [inventory('MEMORY_MB', 64)] }, { name: n(`${name}1`) }],
  }));
  const { texts, claimed, rootUuids } = await fleet(trees);
  expect(texts.slice(0, 2)).toEqual([
    `SET ${n('a')}: null -> ${n('a')}`,
    `SET ${n('a0')}: null -> ${n('a0')} below ${n('a')}`,
  ]);
  expect(claimed).toBe(3 * (3 + 2 + 1 + 2 + 1));
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    expect(await shapeOf(database, rootUuids[at]!)).toBe(
      `${n(name)}@0(${n(`${name}0`)}@0 ${n(`${name}1`)}@0)`,
    );
    expect((await treeOf(database, rootUuids[at]!)).aggregates.sort()).toEqual([zone, rack].sort());
  }
  expect(await ownersOf(n('a'))).toEqual([
    'fleet AGGREGATE',
    'fleet AGGREGATE',
    'fleet INVENTORY',
    'fleet INVENTORY',
    'fleet PROVIDER',
    'fleet TRAIT',
  ]);
  await expectRepeatable(trees);
});

test('an equal value without an owner is claimed; one that differs stays, unless the owner takes it over', async () => {
  const n = uniqueNames();
  await createTrait(database.ledger, { name: 'CUSTOM_SAME' });
  const uuids = await grow(database, {
    name: n('a'),
    inventories: { VCPU: 8, DISK_GB: 100 },
    traits: ['CUSTOM_SAME'],
  });
  const tree = {
    name: n('a'),
    inventories: [inventory('VCPU', 8), inventory('DISK_GB', 200)],
    traits: ['CUSTOM_SAME'],
  };
  const kept = await fleet([tree]);
  expect(kept.texts).toEqual([`KEPT ${n('a')} DISK_GB: total 100 -> total 200`]);
  expect(await ownersOf(n('a'))).toEqual(['fleet INVENTORY', 'fleet PROVIDER', 'fleet TRAIT']);
  await expectRepeatable([tree]);
  const taken = await fleet([tree], { takeOver: true });
  expect(taken.texts).toEqual([`TAKEN_OVER ${n('a')} DISK_GB: total 100 -> total 200`]);
  expect((await treeOf(database, uuids[n('a')])).inventories).toEqual({ VCPU: 8, DISK_GB: 200 });
  await expectRepeatable([tree], { takeOver: true });
});

test('an owned value that a person changes or removes is set back, and parts of other people stay', async () => {
  const n = uniqueNames();
  await createTrait(database.ledger, { name: 'CUSTOM_BY_HAND' });
  const tree = { name: n('a'), inventories: [inventory('VCPU', 8)], traits: ['CUSTOM_FLEET_A'] };
  const { uuid } = await fleet([tree]);
  await updateProvider(database.ledger, {
    resourceProvider: uuid,
    inventories: { set: [inventory('VCPU', 99), inventory('DISK_GB', 1)] },
    traits: { set: ['CUSTOM_BY_HAND'] },
  });
  expect((await fleet([tree])).texts).toEqual([
    `SET ${n('a')} VCPU: total 99 -> total 8`,
    `SET ${n('a')} CUSTOM_FLEET_A: null -> `,
  ]);
  expect(await treeOf(database, uuid)).toMatchObject({
    inventories: { DISK_GB: 1, VCPU: 8 },
    traits: ['CUSTOM_BY_HAND', 'CUSTOM_FLEET_A'],
  });
});

test('owned parts that the owner no longer states are removed, but not an inventory in use', async () => {
  const n = uniqueNames();
  const zone = randomUUID();
  const { uuid } = await fleet([
    {
      name: n('a'),
      inventories: [inventory('VCPU', 8), inventory('DISK_GB', 10), inventory('MEMORY_MB', 64)],
      traits: ['CUSTOM_FLEET_A'],
      aggregates: [zone],
    },
  ]);
  await allocate(database, uuid, 'VCPU', 1);
  const less = { name: n('a'), inventories: [inventory('MEMORY_MB', 64)], traits: [], aggregates: [] };
  const { texts, released } = await fleet([less]);
  expect(texts).toEqual([
    `IN_USE ${n('a')} VCPU: total 8 -> null`,
    `REMOVED ${n('a')} DISK_GB: total 10 -> null`,
    `REMOVED ${n('a')} CUSTOM_FLEET_A:  -> null`,
    `REMOVED ${n('a')} ${zone}:  -> null`,
  ]);
  expect(released).toBe(3);
  expect(await treeOf(database, uuid)).toMatchObject({
    inventories: { VCPU: 8, MEMORY_MB: 64 },
    traits: [],
    aggregates: [],
  });
  await expectRepeatable([less]);
});

test('fields that a tree omits stay, also with their owner', async () => {
  const n = uniqueNames();
  await fleet([
    {
      name: n('a'),
      inventories: [inventory('VCPU', 8)],
      traits: ['CUSTOM_FLEET_A'],
      children: [{ name: n('b') }],
    },
  ]);
  await expectRepeatable([{ name: n('a') }]);
  expect(await ownersOf(n('a'))).toEqual(['fleet INVENTORY', 'fleet PROVIDER', 'fleet TRAIT']);
});

test('two owners that claim one trait, inventory or aggregate are rejected with both names; other parts are added', async () => {
  const n = uniqueNames();
  const zone = randomUUID();
  await fleet([
    { name: n('a'), inventories: [inventory('VCPU', 8)], traits: ['CUSTOM_FLEET_A'], aggregates: [zone] },
  ]);
  const write = (tree: DesiredProvider) => () =>
    applyProviderTrees(database.ledger, {
      owner: 'other',
      trees: [tree],
      remove: [],
      takeOver: true,
      dryRun: false,
    });
  const refusal = { code: 'OWNED_BY_ANOTHER', owner: 'other', otherOwner: 'fleet' };
  await expectRefused(database, write({ name: n('a'), traits: ['CUSTOM_FLEET_A'] }), {
    ...refusal,
    path: ['trees', '0', 'traits', '0'],
  });
  await expectRefused(database, write({ name: n('a'), inventories: [inventory('VCPU', 8)] }), {
    ...refusal,
    path: ['trees', '0', 'inventories', '0'],
  });
  await expectRefused(database, write({ name: n('a'), aggregates: [zone] }), refusal);
  const { texts } = await fleet([{ name: n('a'), traits: ['CUSTOM_FLEET_B'] }], { owner: 'other' });
  expect(texts).toEqual([`SET ${n('a')} CUSTOM_FLEET_B: null -> `]);
  expect(await ownersOf(n('a'))).toEqual([
    'fleet AGGREGATE',
    'fleet INVENTORY',
    'fleet PROVIDER',
    'fleet TRAIT',
    'other TRAIT',
  ]);
});

test('a child that the owner no longer states is removed with its subtree only if all of it is owned and unused', async () => {
  const n = uniqueNames();
  const child = (name: string): DesiredProvider => ({
    name: n(name),
    inventories: [inventory('VCPU', 8)],
    children: [{ name: n(`${name}x`) }],
  });
  const { uuid } = await fleet([{ name: n('a'), children: ['b', 'c', 'd'].map(child) }]);
  const providers = await storedProviders(database);
  const idOf = (name: string): string => providers.find((each) => each.name === n(name))!.uuid;
  await allocate(database, idOf('c'), 'VCPU', 1);
  await fleet([{ name: n('a'), children: [{ name: n('d'), traits: ['CUSTOM_FLEET_A'] }] }], {
    owner: 'other',
  });
  const { texts } = await fleet([{ name: n('a'), children: [] }]);
  expect(texts).toEqual([
    `REMOVED ${n('b')}: ${n('b')} -> null`,
    `IN_USE ${n('c')}: consumers use ${n('c')} -> null`,
    `KEPT ${n('d')}: ${n('d')} has parts of other -> null`,
  ]);
  expect((await treeOf(database, uuid)).children.map(({ name }) => name)).toEqual([n('c'), n('d')]);
  const owners = await database.pool.query<unknown[]>(
    'SELECT 1 FROM placement_ownerships WHERE provider_id NOT IN (SELECT id FROM resource_providers)',
  );
  expect(owners).toEqual([]);
});

test('roots are removed with their trees only if they are owned and unused', async () => {
  const n = uniqueNames();
  const { rootUuids } = await fleet(
    ['a', 'b', 'c'].map((name) => ({
      name: n(name),
      inventories: [inventory('VCPU', 8)],
      children: [{ name: n(`${name}x`) }],
    })),
  );
  const foreign = await grow(database, { name: n('d') });
  await allocate(database, rootUuids[1]!, 'VCPU', 1);
  const remove = [...rootUuids.map((uuid) => uuid!), foreign[n('d')]];
  const { texts } = await fleet([], { remove });
  expect(texts).toEqual([
    `REMOVED ${n('a')}: ${n('a')} -> null`,
    `IN_USE ${n('b')}: consumers use ${n('b')} -> null`,
    `REMOVED ${n('c')}: ${n('c')} -> null`,
  ]);
  await expectRefused(database, () => fleet([], { remove: [randomUUID()] }), { code: 'NOT_FOUND' });
});

test('a removal takes the parts of the owner in a tree of another, also below its providers, and nothing else', async () => {
  const n = uniqueNames();
  const base = { name: n('a'), inventories: [inventory('VCPU', 8)], children: [{ name: n('card') }] };
  const parts: DesiredProvider = {
    name: n('a'),
    traits: ['CUSTOM_FLEET_A'],
    children: [
      { name: n('card'), traits: ['CUSTOM_FLEET_A'], children: [{ name: n('port') }] },
      { name: n('disk'), inventories: [inventory('DISK_GB', 10)] },
    ],
  };
  const { uuid } = await fleet([base], { owner: 'first' });
  await fleet([parts], { owner: 'second' });
  const kept = await fleet([], { owner: 'first', remove: [uuid] });
  expect(kept.texts).toEqual([`KEPT ${n('a')}: ${n('a')} has parts of second -> null`]);
  const { texts } = await fleet([], { owner: 'second', remove: [uuid] });
  expect(texts).toEqual([
    `REMOVED ${n('a')} CUSTOM_FLEET_A:  -> null`,
    `REMOVED ${n('card')} CUSTOM_FLEET_A:  -> null`,
    `REMOVED ${n('port')}: ${n('port')} -> null`,
    `REMOVED ${n('disk')}: ${n('disk')} -> null`,
  ]);
  expect(await ownersOf(n('a'))).toEqual(['first INVENTORY', 'first PROVIDER']);
  expect((await fleet([], { owner: 'second', remove: [uuid] })).texts).toEqual([]);
  expect((await fleet([], { owner: 'first', remove: [uuid] })).texts).toEqual([
    `REMOVED ${n('a')}: ${n('a')} -> null`,
  ]);
});

test('a removal claims no root that nobody owns', async () => {
  const n = uniqueNames();
  const tree = { name: n('a'), traits: ['CUSTOM_FLEET_A'] };
  const { uuid } = await fleet([tree]);
  await database.pool.query(
    `DELETE o FROM placement_ownerships o JOIN resource_providers p ON p.id = o.provider_id
      WHERE p.name = ? AND o.kind = 'PROVIDER'`,
    [n('a')],
  );
  expect((await fleet([], { remove: [uuid] })).texts).toEqual([`REMOVED ${n('a')} CUSTOM_FLEET_A:  -> null`]);
  expect(await ownersOf(n('a'))).toEqual([]);
});

test('parts of a child of another owner are removed if the tree no longer states the child', async () => {
  const n = uniqueNames();
  await fleet([{ name: n('a'), children: [{ name: n('card') }] }], { owner: 'first' });
  await fleet([{ name: n('a'), children: [{ name: n('card'), traits: ['CUSTOM_FLEET_A'] }] }]);
  expect((await fleet([{ name: n('a'), children: [] }])).texts).toEqual([
    `REMOVED ${n('card')} CUSTOM_FLEET_A:  -> null`,
  ]);
  expect(await ownersOf(n('card'))).toEqual(['first PROVIDER']);
});

test('a provider moves and gets its uuid only if its owner states it', async () => {
  const n = uniqueNames();
  const uuids = await grow(database, {
    name: n('a'),
    children: [{ name: n('b'), children: [{ name: n('c') }] }],
  });
  const flat = { name: n('a'), children: [{ name: n('b') }, { name: n('c') }] };
  expect((await fleet([flat])).texts).toEqual([
    `KEPT ${n('c')}: ${n('c')} below ${n('b')} -> ${n('c')} below ${n('a')}`,
  ]);
  expect((await fleet([flat], { takeOver: true })).texts).toEqual([
    `TAKEN_OVER ${n('c')}: ${n('c')} below ${n('b')} -> ${n('c')} below ${n('a')}`,
  ]);
  expect(await shapeOf(database, uuids[n('a')])).toMatch(
    new RegExp(`^${n('a')}@\\d\\(${n('b')}@\\d ${n('c')}@\\d\\)$`),
  );
  const swapped = { name: n('a'), children: [{ name: n('c'), children: [{ name: n('b') }] }] };
  expect((await fleet([swapped])).texts).toEqual([
    `SET ${n('b')}: ${n('b')} below ${n('a')} -> ${n('b')} below ${n('c')}`,
  ]);
});

test('a move below an ancestor that keeps its parent is rejected', async () => {
  const n = uniqueNames();
  await grow(database, { name: n('a'), children: [{ name: n('b'), children: [{ name: n('c') }] }] });
  await fleet([{ name: n('a'), children: [{ name: n('b') }] }]);
  // nobody owns c, so it stays below b, which cannot move below c
  const trees = [{ name: n('a'), children: [{ name: n('c'), children: [{ name: n('b') }] }] }];
  await expectRefused(database, () => fleet(trees), { code: 'INVALID_INPUT' });
});

test('malformed input changes nothing and is named by its path', async () => {
  const n = uniqueNames();
  await grow(database, { name: n('x'), children: [{ name: n('y') }] });
  const refused = async (trees: DesiredProvider[], code: string, path: string[], options: Options = {}) =>
    expectRefused(
      database,
      () =>
        applyProviderTrees(database.ledger, {
          owner: 'fleet',
          remove: [],
          takeOver: false,
          dryRun: false,
          ...options,
          trees,
        }),
      { code, path },
    );
  await refused([], 'INVALID_INPUT', ['owner'], { owner: '' });
  await refused([{ name: n('a') }, { name: n('a') }], 'INVALID_INPUT', ['trees', '1', 'name']);
  await refused([{ name: 'a'.repeat(201) }], 'INVALID_INPUT', ['trees', '0', 'name']);
  await refused(
    [{ name: n('a'), children: [{ name: n('b'), inventories: [inventory('VCPU', 0)] }] }],
    'INVALID_INPUT',
    ['trees', '0', 'children', '0', 'inventories', '0', 'total'],
  );
  await refused([{ name: n('a'), traits: ['custom_x'] }], 'INVALID_INPUT', ['trees', '0', 'traits', '0']);
  await refused([{ name: n('a'), inventories: [inventory('MISSING', 1)] }], 'INVALID_INPUT', [
    'trees',
    '0',
    'inventories',
    '0',
    'resourceClass',
  ]);
  await refused([{ name: n('y') }], 'DUPLICATE_NAME', []);
  await refused(
    Array.from({ length: 501 }, (_, at) => ({ name: n(`m${at}`) })),
    'INVALID_INPUT',
    ['trees'],
  );
});

test('concurrent owners of one new tree end with one owner for each part', async () => {
  const n = uniqueNames();
  const tree = { name: n('a'), traits: ['CUSTOM_RACE'], inventories: [inventory('VCPU', 8)] };
  const ends = await Promise.allSettled(
    ['one', 'two', 'three'].map((owner) =>
      applyProviderTrees(database.ledger, {
        owner,
        trees: [tree],
        remove: [],
        takeOver: false,
        dryRun: false,
      }),
    ),
  );
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await ownersOf(n('a'))).toHaveLength(3);
});

test('the audit reports owners of missing providers, and the repair removes them', async () => {
  const n = uniqueNames();
  await fleet([{ name: n('a'), traits: ['CUSTOM_FLEET_A'] }]);
  const findings = () => readAudit(database, ['UNKNOWN_REFERENCE'], { after: null, limit: 10 });
  expect(await findings()).toEqual([]);
  const lost = "(2000000000, 'PROVIDER', 0, 'fleet'), (2000000000, 'TRAIT', 1, 'fleet')";
  await database.pool.query(`INSERT INTO placement_ownerships VALUES ${lost}`);
  const message = 'fleet owns 2 parts of provider 2000000000, but the provider does not exist';
  expect(await findings()).toMatchObject([{ message, provider: null }]);
  const repaired: string[] = [];
  for await (const some of repairAudit(database.ledger)) repaired.push(...some.map((each) => each.message));
  expect(repaired).toContain(message);
  expect(await findings()).toEqual([]);
  expect(await ownersOf(n('a'))).toEqual(['fleet PROVIDER', 'fleet TRAIT']);
});
