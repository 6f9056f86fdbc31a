import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { claimed } from '../support/claims.js';
import { createMigHost } from '../support/migHost.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, LOOKS, ON_PHONE } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 0 }, 'nothing');

const HOST = 'gpu-host';
const CARD = `${HOST}-gpu-0`;
let large: string;
let small: string;

beforeAll(async () => {
  await createMigHost(api, HOST, 'H100-80GB', 2);
  const claim = async (partition: string, resourceClass: string): Promise<string> =>
    claimed(api, { [await dashboard.uuidOf(`${CARD}-${partition}`)]: { [resourceClass]: 1 } });
  large = await claim('2g.20gb-0', 'CUSTOM_MIG_2G_20GB');
  small = await claim('1g.10gb-3', 'CUSTOM_MIG_1G_10GB');
  await watched.open(`/hosts/${HOST}`, '.device');
});

const device = (name = CARD) => page.getByRole('region', { name, exact: true });
const blocks = (name = CARD) => device(name).locator('.slice-strip > span');
/** Returns the names of the drawn providers, sorted. */
async function drawnIn(part: Locator): Promise<string[]> {
  const boxes = await part.locator('.provider-box').all();
  return (await Promise.all(boxes.map((each) => each.getAttribute('title')))).map(String).sort();
}
const partitions = (state: string) => device().locator(`.partition.${state}`);

test('a card is drawn as its memory slices, with the partition and the consumer that use them', async () => {
  expect(await blocks().allInnerTexts()).toEqual([
    '0–1\n2g.20gb-0',
    '2\nfree',
    '3\n1g.10gb-3',
    ...[4, 5, 6, 7].map((slice) => `${slice}\nfree`),
  ]);
  expect(await device().locator('.slice-strip .used').count()).toBe(2);
  expect(await device().innerText()).toMatch(/CUSTOM_MIG_MEMORY_0–7\s+5 of 8 free/);
  const rows = device().locator('tbody tr');
  expect(await rows.locator('td:nth-child(-n+2)').allInnerTexts()).toEqual([
    '0–1',
    '2g.20gb-0',
    '3',
    '1g.10gb-3',
  ]);
  expect(await rows.getByRole('link').allInnerTexts()).toEqual([large, small]);
  expect(await blocks(`${HOST}-gpu-1`).count()).toBe(8);
});

test('the list of consumers has their partitions without the counters', async () => {
  const row = page.locator('section[aria-labelledby=consumers] tbody tr').filter({ hasText: large });
  const cells = await row.locator('td').allInnerTexts();
  expect(cells.slice(2, 4)).toEqual(['1 CUSTOM_MIG_2G_20GB', `${CARD}-2g.20gb-0`]);
});

test('counters that are amounts are bars of the card, and no totals of the host', async () => {
  const totals = await page
    .getByRole('group', { name: 'The whole tree' })
    .locator('.bar-label')
    .allInnerTexts();
  expect(totals.length).toBe(7);
  expect(totals.filter((each) => !/^CUSTOM_MIG_\dG_/.test(each))).toEqual([]);
  const bars = device().locator('.device-amounts .bar');
  const texts = (await bars.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' '));
  expect(texts).toEqual([
    'CUSTOM_MIG_COPY_ENGINES 38% 3 of 8 counter',
    'CUSTOM_MIG_DECODERS 43% 3 of 7 counter',
    'CUSTOM_MIG_MULTIPROCESSORS 36% 48 of 132 counter',
    'CUSTOM_MIG_OFA_ENGINES 0% 0 of 1 counter',
  ]);
});

test('partitions that cannot be allocated now are apart and name what they lack', async () => {
  const free = await partitions('free').allInnerTexts();
  expect(free.sort()).toEqual([
    '1g.10gb+me-2',
    '1g.10gb+me-4',
    '1g.10gb+me-5',
    '1g.10gb+me-6',
    '1g.10gb-2',
    '1g.10gb-4',
    '1g.10gb-5',
    '1g.10gb-6',
    '1g.20gb-4',
    '1g.20gb-6',
    '2g.20gb-4',
    '3g.40gb-4',
  ]);
  expect(await partitions('blocked').count()).toBe(25 - 2 - free.length);
  const blocked = device().getByRole('button', { name: '2g.20gb-2', exact: true });
  expect(await blocked.getAttribute('title')).toBe(
    `CUSTOM_MIG_2G_20GB of ${CARD}-2g.20gb-2, too little free of CUSTOM_MIG_MEMORY_3`,
  );
});

test('a partition can be selected, and the tree draws that one alone', async () => {
  const drawn = () => drawnIn(page.locator('.tree'));
  expect(await drawn()).toEqual([HOST, CARD, `${HOST}-gpu-1`]);
  expect(await page.locator(`.provider-box[title="${CARD}"]`).innerText()).toContain('and 25 partitions');
  await device().getByRole('button', { name: '3g.40gb-4', exact: true }).click();
  await page.locator('.provider-panel').getByText('CUSTOM_MIG_3G_40GB', { exact: true }).waitFor();
  expect(await drawn()).toEqual([HOST, CARD, `${CARD}-3g.40gb-4`, `${HOST}-gpu-1`]);
});

test('a claim changes the drawing', async () => {
  await watched.live();
  const partition = `${HOST}-gpu-1-7g.80gb-0`;
  await claimed(api, { [await dashboard.uuidOf(partition)]: { CUSTOM_MIG_7G_80GB: 1 } });
  await blocks(`${HOST}-gpu-1`).filter({ hasText: '7g.80gb-0' }).waitFor();
  expect(await device(`${HOST}-gpu-1`).locator('.partition.free').count()).toBe(0);
});

test('the host is accessible in every look', async () => {
  await expectReadable(page, 'partitions', [...LOOKS, ON_PHONE]);
});

test('a request for a partition shows its placement and what it strands', async () => {
  const order = 'order=leastStranding';
  await watched.visit(`/place?resources=CUSTOM_MIG_1G_10GB:1&${order}&limit=30`, '.candidate');
  const first = page.locator('.candidate').first();
  expect(await first.innerText()).toMatch(/strands \d+ weighted units/);
  const text = await first.locator('> p').innerText();
  expect(text).toContain(`1 CUSTOM_MIG_1G_10GB of ${CARD}-1g.10gb-2`);
  expect(await drawnIn(first)).toEqual([HOST, CARD, `${CARD}-1g.10gb-2`, `${HOST}-gpu-1`]);
  expect(await first.locator(`.provider-box[title="${CARD}"] .box-slices .taken`).count()).toBe(1);
  expect(await page.getByRole('region', { name: 'GraphQL', exact: true }).innerText()).toContain(
    'leastStranding: {}',
  );
  const values = await page.locator('.candidate-head .muted').allInnerTexts();
  const numbers = values.map((each) => Number(/strands (\d+)/.exec(each)![1]));
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  expect(new Set(numbers).size).toBeGreaterThan(1);
  await expectReadable(page, 'place-partitions', [ON_PHONE]);
});

test('a consumer shows its partition and slices', async () => {
  await watched.visit(`/consumers/${large}`, '.provider-box');
  expect(await drawnIn(page.locator('.tree'))).toEqual([HOST, CARD, `${CARD}-2g.20gb-0`, `${HOST}-gpu-1`]);
  expect(await page.locator('.box-slices .taken').count()).toBe(2);
});

test('nothing has failed meanwhile', () => {
  expect(watched.faults).toEqual([]);
});
