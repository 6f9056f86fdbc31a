import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ReshapeRefused } from '../../src/model/rejections.js';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { unchanged } from '../support/unchanged.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused, generationOf, inventory, refusalOf, uniqueNames } from './support.js';
import {
  COMPUTE,
  consumptionOf,
  counterInventories,
  createClasses,
  created,
  hostWithCards,
  newHost,
  placed,
  wants,
  wrongCounters,
} from './partitionSupport.js';

const database = useDatabase();

const OPTIONS = { owner: 'mig', remove: [], takeOver: true, dryRun: false };

beforeAll(() => createClasses(database));

/** Returns inventories of a card: a partition that consumes an amount, and others. */
function inventories(card: string, amount: number, ...others: string[]) {
  const consumes = [{ resourceProvider: { name: card }, resourceClass: COMPUTE, amount }];
  return [
    ...counterInventories(),
    inventory('CUSTOM_1G', 1, { consumes }),
    ...others.map((name) => inventory(name, 8)),
  ];
}

/** Returns the consumer and the message of each violation of a reshape that is refused and changes nothing. */
async function violations(write: () => Promise<unknown>) {
  const refused = await unchanged(database, () => refusalOf(write()));
  expect(refused.code).toBe('RESHAPE_REFUSED');
  return (refused as unknown as ReshapeRefused).violations.map(({ consumer, rejection }) => [
    consumer,
    rejection.message,
  ]);
}

test('a partition in use cannot be deleted, whether its consumer is named or not', async () => {
  const host = await newHost(database);
  const consumer = await placed(database, { [host.uuid('gpu0-2g-0')]: { CUSTOM_2G: 1 } });
  const root = hostWithCards(host.host, 1);
  const [card] = root.children!;
  const children = card.children!.filter(({ name }) => !name.endsWith('2g-0'));
  const apply = (allocations: ConsumerAllocationsInput[] | null) =>
    applyProviderTree(database.ledger, {
      root: { ...root, children: [{ ...card, children }] },
      allocations,
    });
  await expectRefused(database, () => apply(null), { code: 'RESHAPE_NEEDED' });
  expect(await violations(() => apply([]))).toEqual([
    [consumer, expect.stringContaining(host.uuid('gpu0-2g-0'))],
  ]);
  await apply([wants(consumer, 1, { [host.uuid('gpu0-2g-2')]: { CUSTOM_2G: 1 } })]);
  expect(await wrongCounters(database)).toEqual([]);
});

test('a change in use that also breaks a rule of higher precedence is rejected for this rule', async () => {
  const n = uniqueNames();
  const card = n('gpu');
  const { [card]: uuid } = await created(database, { name: card, inventories: inventories(card, 1, 'VCPU') });
  await created(database, { name: n('other') });
  await placed(database, { [uuid]: { CUSTOM_1G: 1, VCPU: 1 } });
  const { ledger } = database;
  const partitionInUse = { name: card, inventories: inventories(card, 2, 'VCPU') };
  const consumes = [{ resourceProvider: { name: card }, resourceClass: 'VCPU', amount: 1 }];
  const counterInUse = {
    name: card,
    inventories: [...inventories(card, 1, 'VCPU'), inventory('CUSTOM_2G', 1, { consumes })],
  };
  const cases: [apply: (root: DesiredProvider) => Promise<unknown>, changed: DesiredProvider][] = [
    [(root) => applyProviderTree(ledger, { root }), partitionInUse],
    [(root) => applyProviderTree(ledger, { root }), counterInUse],
    [(root) => applyProviderTrees(ledger, { ...OPTIONS, trees: [root] }), counterInUse],
  ];
  for (const [apply, changed] of cases) {
    await expectRefused(database, () => apply(changed), { code: 'CONSUMPTION_IN_USE' });
    await expectRefused(database, () => apply({ ...changed, generation: 77 }), {
      code: 'PROVIDER_GENERATION_CONFLICT',
    });
    await expectRefused(database, () => apply({ ...changed, children: [{ name: n('other') }] }), {
      code: 'DUPLICATE_NAME',
    });
  }
});

describe('applyProviderTrees: a partition in use whose consumption differs', () => {
  /** Writes a card whose partition consumes an amount, and a host. Returns the differences as texts. */
  const write = async (
    [card, host]: readonly string[],
    amount: number,
    total: number,
    { takeOver = false, ratio = 1 } = {},
  ) => {
    const [partition] = inventories(card, amount).slice(-1);
    const parts = [{ ...partition, allocationRatio: ratio }, inventory('VCPU', total)];
    const trees = [
      { name: card, inventories: [...counterInventories(), ...parts] },
      { name: host, inventories: [inventory('VCPU', total)] },
    ];
    const input = { ...OPTIONS, takeOver, trees };
    const dry = await unchanged(database, () =>
      applyProviderTrees(database.ledger, { ...input, dryRun: true }),
    );
    const { differences, rootUuids } = await applyProviderTrees(database.ledger, input);
    expect(dry.differences.map(({ outcome, name }) => [outcome, name])).toEqual(
      differences.map(({ outcome, name }) => [outcome, name]),
    );
    const texts = differences.map(({ outcome, provider, name, before, after }) =>
      [outcome, provider, `${name}: ${before} -> ${after}`].join(' '),
    );
    return { texts, uuid: rootUuids[0]! };
  };
  const newNames = () => {
    const n = uniqueNames();
    return [n('gpu'), n('host')] as const;
  };
  const stored = (uuid: string) =>
    database.pool.query<object[]>(
      `SELECT i.total, i.allocation_ratio AS ratio FROM inventories i
         JOIN resource_providers p ON p.id = i.resource_provider_id
         JOIN resource_classes k ON k.id = i.resource_class_id WHERE p.uuid = ? AND k.name = 'CUSTOM_1G'`,
      [uuid],
    );

  test('stays as it is, is listed, and the rest is written', async () => {
    const [card, host] = newNames();
    const { uuid } = await write([card, host], 1, 8);
    const consumer = await placed(database, { [uuid]: { CUSTOM_1G: 1 } });
    const changes = [
      `IN_USE ${card} CUSTOM_1G: allocationRatio 1, consumes 1 counters -> allocationRatio 2, consumes 1 counters`,
    ];
    const { texts } = await write([card, host], 2, 16, { ratio: 2 });
    expect(texts.filter((text) => text.startsWith('IN_USE'))).toEqual(changes);
    expect(texts.filter((text) => text.startsWith('SET'))).toEqual(
      [card, host].map((name) => `SET ${name} VCPU: total 8 -> total 16`),
    );
    expect(await consumptionOf(database, uuid)).toEqual([`CUSTOM_1G: 1 ${COMPUTE} of ${card}`]);
    expect(await stored(uuid)).toEqual([{ total: 1, ratio: 1 }]);
    expect(await unchanged(database, () => write([card, host], 2, 16, { ratio: 2 }))).toMatchObject({
      texts: changes,
    });
    await setAllocations(database.claims, { consumers: [wants(consumer, 1, {})] });
    expect((await write([card, host], 2, 16, { ratio: 2 })).texts).toHaveLength(1);
    expect(await consumptionOf(database, uuid)).toEqual([`CUSTOM_1G: 2 ${COMPUTE} of ${card}`]);
    expect(await stored(uuid)).toEqual([{ total: 1, ratio: 2 }]);
    expect(await wrongCounters(database)).toEqual([]);
  });

  test('is not taken over, and its other fields alone are written', async () => {
    const [card, host] = newNames();
    const { [card]: uuid } = await created(database, { name: card, inventories: inventories(card, 1) });
    await placed(database, { [uuid]: { CUSTOM_1G: 1 } });
    const text = `${card} CUSTOM_1G: consumes 1 counters -> consumes 1 counters`;
    expect((await write([card, host], 2, 8)).texts).toContain(`KEPT ${text}`);
    expect((await write([card, host], 2, 8, { takeOver: true })).texts).toEqual([`IN_USE ${text}`]);
    expect((await write([card, host], 1, 8, { takeOver: true, ratio: 2 })).texts).toEqual([
      `TAKEN_OVER ${card} CUSTOM_1G: allocationRatio 1 -> allocationRatio 2`,
    ]);
    expect(await stored(uuid)).toEqual([{ total: 1, ratio: 2 }]);
  });

  test('keeps the counters that the input omits, which are in use, too', async () => {
    const [card, host] = newNames();
    const { uuid } = await write([card, host], 1, 8);
    await placed(database, { [uuid]: { CUSTOM_1G: 1 } });
    const trees = [{ name: card, inventories: [inventory('CUSTOM_1G', 1, { consumes: [] })] }];
    const { differences } = await applyProviderTrees(database.ledger, { ...OPTIONS, trees });
    const kept = differences.filter(({ outcome }) => outcome === 'IN_USE');
    expect(kept.map(({ name }) => name)).toEqual(['CUSTOM_1G', COMPUTE]);
    expect(await consumptionOf(database, uuid)).toEqual([`CUSTOM_1G: 1 ${COMPUTE} of ${card}`]);
  });

  test('never rejects the write, also if a consumer comes meanwhile', async () => {
    const [card, host] = newNames();
    const { uuid } = await write([card, host], 1, 8);
    for (let round = 0; round < 30; round++) {
      const trees = [{ name: card, inventories: inventories(card, 1 + (round % 2)) }];
      const [, consumer] = await Promise.all([
        applyProviderTrees(database.ledger, { ...OPTIONS, trees }),
        placed(database, { [uuid]: { CUSTOM_1G: 1 } }),
      ]);
      await setAllocations(database.claims, { consumers: [wants(consumer, 1, {})] });
    }
    expect(await wrongCounters(database)).toEqual([]);
  });
});

test('an inventory in use cannot be removed together with a change of what its consumers consume', async () => {
  const card = uniqueNames()('gpu');
  const { [card]: uuid } = await created(database, { name: card, inventories: inventories(card, 1, 'VCPU') });
  const consumer = await placed(database, { [uuid]: { CUSTOM_1G: 1, VCPU: 2 } });
  const generation = await generationOf(database, uuid);
  const expected = [[consumer, expect.stringContaining('VCPU')]];
  const change = { resourceProvider: uuid, generation, inventories: inventories(card, 2) };
  expect(
    await violations(() => reshape(database.ledger, { inventories: [change], allocations: [] })),
  ).toEqual(expected);
  const root = { name: card, inventories: inventories(card, 2) };
  expect(await violations(() => applyProviderTree(database.ledger, { root, allocations: [] }))).toEqual(
    expected,
  );
  await reshape(database.ledger, {
    inventories: [{ ...change, inventories: inventories(card, 2, 'VCPU') }],
    allocations: [],
  });
  expect(await wrongCounters(database)).toEqual([]);
});
