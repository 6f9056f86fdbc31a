import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { migrateNode } from '../../src/server/commands/migrateInventory/nodeMigration.js';
import { createPlacement } from '../../src/server/direct/placement.js';
import type { Plan, PlanNode } from '../../src/server/direct/plan.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { deleteProvider } from '../../src/store/ledger/provider/providers.js';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { folderOfFile } from '../support/folder.js';
import { loadForest } from '../support/loadForest.js';
import { unchanged } from '../support/unchanged.js';
import { withReferences } from '../support/references.js';
import { aConsumer, consumerOf, grow, storedConsumer, treeOf } from '../ledger/treeSupport.js';
import { Command, LocalCommand } from './command.js';
import { setTraits } from '../support/edits.js';

const directory = folderOfFile();
let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
beforeEach(() => loadForest(database, { providers: [], allocations: [] }));
afterAll(() => database.close());

/** Writes a plan; its file. */
async function planFile(body: string): Promise<string> {
  const file = join(directory, `${randomUUID()}.mjs`);
  await writeFile(file, body);
  return file;
}

const lineOf = (plan: string, ...options: string[]) => ['migrate-inventory', '--plan', plan, ...options];

function start(plan: string, ...options: string[]): LocalCommand {
  return new LocalCommand(lineOf(plan, ...options), { DATABASE_URL: database.url });
}

function startProcess(plan: string): Command {
  return new Command(lineOf(plan), { DATABASE_URL: database.url });
}

const ADD_TRAIT = `export default async ({ tree }) => {
  if (tree.isSharing) return null;
  if (tree.name === 'cn2') throw new RangeError('there is no second host');
  if (tree.name === 'cn3') return { root: { uuid: tree.uuid, name: tree.name, traits: ['CUSTOM_NONE'] } };
  if (tree.name === 'cn4') return { root: { color: 'red' } };
  return { root: { uuid: tree.uuid, name: tree.name, traits: ['HW_NUMA_ROOT'], children: [{ name: tree.name + 'x' }] } };
};`;

describe('the command', () => {
  test('migrate-inventory reports every root, storage included, continues after failures, and then fails', async () => {
    for (const name of ['cn1', 'cn2', 'cn3', 'cn4', 'cn5'])
      await grow(database, { name, children: [{ name: `${name}-a` }] });
    await grow(database, { name: 'ss', traits: ['MISC_SHARES_VIA_AGGREGATE'] });
    const plan = await planFile(ADD_TRAIT);
    const { code, said } = await startProcess(plan).ended();
    expect(said.split('\n')).toEqual([
      '[1/6] cn1: changed: 1 created, 1 updated, 1 deleted',
      '[2/6] cn2: the plan failed: RangeError: there is no second host',
      '[3/6] cn3: refused: INVALID_INPUT: trait "CUSTOM_NONE" is unknown (at root.traits.0)',
      expect.stringMatching(/^\[4\/6\] cn4: refused: BAD_USER_INPUT: .*color/),
      '[5/6] cn5: changed: 1 created, 1 updated, 1 deleted',
      '[6/6] ss: unchanged',
      '6 nodes: 2 changed, 1 unchanged, 3 failed',
      '',
    ]);
    expect(code).toBe(1);
    const again = await start(plan, '--node', 'cn5').ended();
    expect(again).toEqual({
      code: 0,
      said: '[1/1] cn5: unchanged\n1 nodes: 0 changed, 1 unchanged, 0 failed\n',
    });
  });

  test('--dry-run tells and changes nothing, --node takes one root alone', async () => {
    const [cn1, cn5] = [
      await grow(database, { name: 'cn1' }),
      await grow(database, { name: 'cn5', children: [{ name: 'a' }] }),
    ];
    const plan = await planFile(ADD_TRAIT);
    const { code, said } = await unchanged(database, () => start(plan, '--dry-run').ended());
    expect(said).toContain('[1/2] cn1: would change: 1 created, 1 updated\n');
    expect(said).toContain('2 nodes: 2 would change, 0 unchanged, 0 failed\n');
    expect(code).toBe(0);
    await start(plan, '--node', 'cn5').ended();
    expect(await treeOf(database, cn5.cn5)).toMatchObject({ traits: ['HW_NUMA_ROOT'] });
    expect(await treeOf(database, cn1.cn1)).toMatchObject({ traits: [] });
    for (const name of ['nobody', 'cn5x']) {
      const unknown = await start(plan, '--node', name).ended();
      expect(unknown).toEqual({ code: 1, said: `no root provider is named ${name}\n` });
    }
  });

  test('a rejected reshape is reported with its reasons', async () => {
    const { cn } = await grow(database, { name: 'cn', inventories: { VGPU: 8 } });
    const consumers = await Promise.all(
      Array.from({ length: 7 }, () => aConsumer(database, { [cn]: { VGPU: 1 } })),
    );
    const emptying = async (more: string) => {
      const root = '{ uuid: tree.uuid, name: tree.name, inventories: [] }';
      return start(await planFile(`export default ({ tree }) => ({ root: ${root}${more} });`)).ended();
    };
    const needed = await emptying('');
    expect(needed.said).toMatch(/^\[1\/1\] cn: refused: RESHAPE_NEEDED: .* 7 consumers\n/);
    const refused = await emptying(', allocations: []');
    const lines = refused.said.split('\n');
    expect(lines[0]).toMatch(/^\[1\/1\] cn: refused: RESHAPE_REFUSED: .* 7 violations/);
    expect(lines[1]).toContain(
      `INVENTORY_IN_USE: the inventory of VGPU of resource provider ${cn} has allocations`,
    );
    expect(consumers.some((uuid) => lines[1].endsWith(`, consumer ${uuid}`))).toBe(true);
    expect(lines.slice(5)).toEqual([
      expect.anything(),
      '  and 2 more',
      '1 nodes: 0 changed, 0 unchanged, 1 failed',
      '',
    ]);
    expect(refused.code).toBe(1);
  });

  test('a signal ends the command after the current node and prints its position, from which the next run continues', async () => {
    for (let n = 1; n <= 5; n++) await grow(database, { name: `cn${n}` });
    const plan = await planFile(`export default async ({ tree }) => {
        if (tree.traits.length === 0 && tree.name === 'cn2') {
          console.log('planning cn2');
          await new Promise((resolve) => setTimeout(resolve, 400));
        }
        return { root: { uuid: tree.uuid, name: tree.name, traits: ['HW_NUMA_ROOT'] } };
      };`);
    const command = startProcess(plan);
    await command.says('planning cn2');
    command.signal('SIGINT');
    const { code, said } = await command.ended();
    expect(said).toContain('[2/5] cn2: changed: 1 updated\n');
    expect(said).not.toContain('cn3:');
    expect(said).toContain('2 nodes: 2 changed, 0 unchanged, 0 failed\n');
    expect(said).toContain('stopped after cn2, 3 nodes are left: run the same command again to continue\n');
    expect(code).toBe(1);
    const again = await start(plan).ended();
    expect(again.said).toContain('5 nodes: 3 changed, 2 unchanged, 0 failed\n');
    expect(again.code).toBe(0);
  });

  test('a killed run leaves each node in its old or new state, and the next run continues', async () => {
    for (let n = 1; n <= 30; n++) await grow(database, { name: `cn${n}`, inventories: { VGPU: 16 } });
    const plan = 'examples/plans/vgpu-to-physical-gpus.mjs';
    const command = startProcess(plan);
    await command.says('[7/30]');
    command.signal('SIGKILL');
    await command.ended();
    const again = await start(plan).ended();
    expect(again.code).toBe(0);
    expect((await start(plan).ended()).said).toContain('30 nodes: 0 changed, 30 unchanged, 0 failed');
    const rows = await database.pool.query<{ parents: number; total: number }[]>(
      `SELECT COUNT(DISTINCT p.parent_provider_id) AS parents, CAST(SUM(i.total) AS SIGNED) AS total
         FROM resource_providers p JOIN inventories i ON i.resource_provider_id = p.id`,
    );
    expect(rows).toEqual([{ parents: 30, total: 480 }]);
  });

  test('refuses what is no plan, and a database that it cannot use', async () => {
    const empty = await emptyDatabase();
    const plans: [string, RegExp][] = [
      [join(directory, 'missing.mjs'), /^cannot load the plan .*missing\.mjs: Error: Cannot find module/],
      [await planFile('export default ('), /^cannot load the plan .*: SyntaxError: /],
      [
        await planFile('export const plan = () => null;'),
        /^the plan .* has no function as its default export\n$/,
      ],
      [
        await planFile('export default () => null;'),
        /^cannot use the database .* has not been migrated .*migrate`\n$/,
      ],
    ];
    for (const [plan, message] of plans) {
      const { code, said } = await new LocalCommand(lineOf(plan), { DATABASE_URL: empty.url }).ended();
      expect(said).toMatch(message);
      expect(code).toBe(1);
    }
    expect(await empty.pool.query('SHOW TABLES')).toEqual([]);
    await empty.close();
  });

  test('starts the private database if no other is named', async () => {
    const plan = await planFile('export default () => null;');
    const environment = { PLACEMENT_DATA_DIRECTORY: join(directory, 'data') };
    const { code, said } = await new LocalCommand(lineOf(plan), environment).ended();
    expect(said).toMatch(/^cannot use the database placement on .*: Unknown database 'placement'$/m);
    expect(code).toBe(1);
  }, 60_000);
});

describe('what a plan is given', () => {
  test('the tree and all its consumers, as the API shows them, whole and in full', async () => {
    const aggregate = randomUUID();
    const uuids = await grow(database, {
      name: 'cn',
      inventories: { VCPU: 5000 },
      aggregates: [aggregate],
      children: [
        { name: 'b' },
        {
          name: 'a',
          traits: ['HW_NUMA_ROOT'],
          children: [{ name: 'c', inventories: { SRIOV_NET_VF: 8 } }],
        },
      ],
    });
    const { ss } = await grow(database, {
      name: 'ss',
      inventories: { DISK_GB: 9000 },
      aggregates: [aggregate],
    });
    const many = Array.from({ length: 1100 }, () => randomUUID());
    await setAllocations(database.claims, {
      consumers: many.map((uuid) => consumerOf(uuid, { [uuids.cn]: { VCPU: 2 }, [ss]: { DISK_GB: 3 } })),
    });
    const elsewhere = await aConsumer(database, { [ss]: { DISK_GB: 1 } });
    const shown = join(directory, 'shown.json');
    const plan = await planFile(`import { writeFileSync } from 'node:fs';
        export default (node) => { writeFileSync(${JSON.stringify(shown)}, JSON.stringify(node)); return null; };`);
    await start(plan, '--node', 'cn').ended();
    const { tree, consumers } = JSON.parse(await readFile(shown, 'utf8')) as PlanNode;
    expect(tree).toMatchObject({
      uuid: uuids.cn,
      name: 'cn',
      generation: 1,
      isSharing: false,
      parent: null,
      traits: [],
      aggregates: [{ uuid: aggregate }],
      children: [
        {
          name: 'a',
          parent: { uuid: uuids.cn, name: 'cn' },
          traits: [{ name: 'HW_NUMA_ROOT' }],
          children: [{ name: 'c' }],
        },
        { name: 'b', children: [] },
      ],
    });
    expect(tree.inventories).toEqual([
      {
        resourceClass: { name: 'VCPU' },
        total: 5000,
        reserved: 0,
        minUnit: 1,
        maxUnit: 2147483647,
        stepSize: 1,
        allocationRatio: 1,
        capacity: 5000,
        used: 2200,
        available: 2800,
      },
    ]);
    expect(tree.descendants.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(new Set(consumers.map(({ uuid }) => uuid))).toEqual(new Set(many));
    expect(consumers).toHaveLength(1100);
    expect(consumers[0]).toEqual({
      uuid: expect.any(String),
      generation: 1,
      type: { name: 'INSTANCE' },
      projectId: 'project',
      userId: 'user',
      allocations: [
        { resourceProvider: { uuid: uuids.cn, name: 'cn' }, resourceClass: { name: 'VCPU' }, amount: 2 },
        { resourceProvider: { uuid: ss, name: 'ss' }, resourceClass: { name: 'DISK_GB' }, amount: 3 },
      ],
    });
    await start(plan, '--node', 'ss').ended();
    const storage = JSON.parse(await readFile(shown, 'utf8')) as PlanNode;
    expect(storage.consumers).toHaveLength(1101);
    expect(storage.consumers.some(({ uuid }) => uuid === elsewhere)).toBe(true);
  });
});

describe('a node that changes under its plan', () => {
  const emptied = ({ tree, consumers }: PlanNode, to: string) =>
    withReferences('ApplyProviderTreeInput', {
      root: { uuid: tree.uuid, name: tree.name, generation: tree.generation, inventories: [] },
      allocations: consumers.map(({ uuid, generation }) =>
        consumerOf(uuid, { [to]: { VGPU: 1 } }, generation),
      ),
    });

  /** Runs a plan on a node in this process. */
  async function migrate(uuid: string, plan: Plan) {
    const placement = createPlacement({ databaseUrl: database.url });
    try {
      return await migrateNode(placement, plan, uuid, false);
    } finally {
      await placement.close();
    }
  }

  test('is read and planned again', async () => {
    const { cn } = await grow(database, { name: 'cn', inventories: { VGPU: 8 } });
    const { to } = await grow(database, { name: 'to', inventories: { VGPU: 8 } });
    const claimed: string[] = [];
    const end = await migrate(cn, async (node) => {
      const wish = emptied(node, to);
      if (claimed.length < 3) claimed.push(await aConsumer(database, { [cn]: { VGPU: 1 } }));
      return wish;
    });
    expect(end).toEqual({ kind: 'changed', report: 'changed: 1 updated, allocations moved' });
    for (const uuid of claimed)
      expect((await storedConsumer(database, uuid))?.takes).toEqual({ [to]: { VGPU: 1 } });
  });

  test('is given up after a few times', async () => {
    const { cn } = await grow(database, { name: 'cn', inventories: { VGPU: 100 } });
    let calls = 0;
    const end = await migrate(cn, async (node) => {
      calls += 1;
      await aConsumer(database, { [cn]: { VGPU: 1 } });
      return emptied(node, cn);
    });
    expect(end.kind).toBe('failed');
    expect(end.report).toContain('refused: PROVIDER_GENERATION_CONFLICT: ');
    expect(calls).toBe(5);
  });

  test('is not tried again when it has not changed: the plan is wrong', async () => {
    const { cn } = await grow(database, { name: 'cn' });
    await setTraits(database.ledger, { resourceProvider: cn, generation: 0, traits: ['HW_NUMA_ROOT'] });
    let calls = 0;
    const end = await migrate(cn, ({ tree }) => {
      calls += 1;
      return { root: { uuid: tree.uuid, name: 'other', generation: 0 } };
    });
    expect(end).toMatchObject({ kind: 'failed' });
    expect(calls).toBe(1);
  });

  test('may be deleted', async () => {
    const { cn } = await grow(database, { name: 'cn' });
    const end = await migrate(cn, async ({ tree }) => {
      await deleteProvider(database.ledger, { resourceProvider: cn });
      return { root: { uuid: tree.uuid, name: tree.name, generation: 0 } };
    });
    expect(end).toMatchObject({ kind: 'unchanged', report: expect.stringContaining('gone') as unknown });
  });
});
