import { beforeAll, expect, test } from '@jest/globals';
import type { ReshapeRefused } from '../../src/model/rejections.js';
import type { ConsumerAllocationsInput } from '../../src/model/input.js';
import { reshape } from '../../src/store/ledger/reshape/reshape.js';
import { applyProviderTrees } from '../../src/store/ledger/tree/applyTrees.js';
import { applyProviderTree } from '../../src/store/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { unchanged } from '../support/unchanged.js';
import { useDatabase } from '../support/useDatabase.js';
import { expectRefused, generationOf, inventory, refusalOf, uniqueNames } from './support.js';
import {
  COMPUTE,
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
  const { [card]: uuid } = await created(database, { name: card, inventories: inventories(card, 1) });
  await created(database, { name: n('other') });
  await placed(database, { [uuid]: { CUSTOM_1G: 1 } });
  const { ledger } = database;
  const options = { owner: 'mig', remove: [], takeOver: true, dryRun: false };
  const changed = { name: card, inventories: inventories(card, 2) };
  for (const apply of [
    (root: DesiredProvider) => applyProviderTree(ledger, { root }),
    (root: DesiredProvider) => applyProviderTrees(ledger, { ...options, trees: [root] }),
  ]) {
    await expectRefused(database, () => apply(changed), { code: 'CONSUMPTION_IN_USE' });
    await expectRefused(database, () => apply({ ...changed, generation: 77 }), {
      code: 'PROVIDER_GENERATION_CONFLICT',
    });
    await expectRefused(database, () => apply({ ...changed, children: [{ name: n('other') }] }), {
      code: 'DUPLICATE_NAME',
    });
  }
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
