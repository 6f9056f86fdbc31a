import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { inventory } from './support.js';
import { apply, consumerOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const seen: string[] = [];
const database = useDatabase({ onStatement: (sql) => seen.push(sql) });

/** How many statements a write takes, BEGIN and COMMIT included. */
async function statements(write: () => Promise<unknown>): Promise<number> {
  seen.length = 0;
  await write();
  return seen.length;
}

/** A host with NUMA nodes and network functions below, everything stated: three providers for each node. */
function host(name: string, nodes: number, aggregate: string): DesiredProvider {
  const traits = ['HW_NUMA_ROOT'];
  const below = (node: number) =>
    [0, 1].map((n) => ({
      name: `${name}-pf${node}-${n}`,
      inventories: [inventory('SRIOV_NET_VF', 8)],
      traits: [],
    }));
  return {
    name,
    aggregates: [aggregate],
    children: Array.from({ length: nodes }, (_, node) => ({
      name: `${name}-numa${node}`,
      inventories: [inventory('VCPU', 16), inventory('MEMORY_MB', 4096)],
      traits,
      aggregates: [randomUUID()],
      children: below(node),
    })),
  };
}

test('statements grow with the size of a tree by batches alone: 1,000 new providers take at most 30, and again, unchanged, at most 15', async () => {
  const trees = [1, 100, 333].map((nodes) => host(`host of ${nodes}`, nodes, randomUUID()));
  const [small, middle, large] = [
    await statements(() => apply(database, trees[0])),
    await statements(() => apply(database, trees[1])),
    await statements(() => apply(database, trees[2])),
  ];
  expect(middle - small).toBeLessThanOrEqual(1);
  expect(large - middle).toBeLessThanOrEqual(4);
  expect(large).toBeLessThanOrEqual(30);
  expect(await statements(() => apply(database, trees[2]))).toBeLessThanOrEqual(15);
  expect(await statements(() => apply(database, trees[2], null, true))).toBeLessThanOrEqual(15);
}, 60_000);

test('changing, moving, renaming and deleting 300 providers with 200 consumers takes at most 50 statements', async () => {
  const before = await apply(database, host('busy', 100, randomUUID()));
  const uuidOf = new Map(before.changes.map(({ name, uuid }) => [name, uuid!]));
  const consumers = Array.from({ length: 200 }, (_, n) => ({
    uuid: randomUUID(),
    node: uuidOf.get(`busy-numa${n % 100}`)!,
  }));
  await setAllocations(database.claims, {
    consumers: consumers.map(({ uuid, node }) => consumerOf(uuid, { [node]: { VCPU: 1, MEMORY_MB: 100 } })),
  });
  const target: DesiredProvider = {
    name: 'busy',
    inventories: [inventory('VCPU', 400)],
    children: Array.from({ length: 100 }, (_, n) => ({
      uuid: uuidOf.get(`busy-numa${n}`),
      name: `busy-numa${(n + 1) % 100}`,
      inventories: [inventory('MEMORY_MB', 4096)],
      traits: [],
      aggregates: [],
      children: [{ name: `busy-pf${n}-0` }, { name: `busy-pf${(n + 1) % 100}-1` }, { name: `busy-new${n}` }],
    })).slice(0, 99),
  };
  const last = uuidOf.get('busy-numa99')!;
  const moved = consumers.map(({ uuid, node }) => {
    const memory = node === last ? {} : { [node]: { MEMORY_MB: 100 } };
    return consumerOf(uuid, { [uuidOf.get('busy')!]: { VCPU: 1 }, ...memory }, 1);
  });
  const count = await statements(async () => {
    const { changes, reshaped } = await apply(database, target, moved);
    expect(reshaped).toBe(true);
    expect(new Set(changes.map(({ kind }) => kind)).size).toBe(3);
  });
  expect(count).toBeLessThanOrEqual(50);
}, 60_000);
