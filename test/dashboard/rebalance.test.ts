import { beforeAll, expect, test } from '@jest/globals';
import { claimed, setAllocations, takes, usedOf } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { DESKTOP_AND_PHONE, expectReadable, violationsOf } from './page.js';

const { api, watched, page } = useDashboard({ hosts: 0 }, 'view');

const hosts: Record<string, string> = {};
let small: string;

/** A host with three consumers, a host with one that fits on the first, and an empty host. */
beforeAll(async () => {
  const inventories = { VCPU: 64, MEMORY_MB: 65_536 };
  for (const name of ['full-host', 'part-host', 'spare-host'])
    Object.assign(hosts, await createProviders(api, { name, inventories }));
  for (const VCPU of [2, 4, 6])
    await claimed(api, { [hosts['full-host']]: { VCPU, MEMORY_MB: 1_024 * VCPU } });
  small = await claimed(api, { [hosts['part-host']]: { VCPU: 8, MEMORY_MB: 4_096 } });
});

const changes = () => page.getByRole('region', { name: 'Hosts before and after' }).locator('tbody tr');
const moves = () => page.getByRole('region', { name: 'Moves in their order' }).locator('tbody tr');

async function plan(query = ''): Promise<void> {
  await watched.visit(`/rebalance${query}`, '.rebalance-form');
  await watched.button('Plan').click();
}

test('shows the gain, the hosts before and after, and the moves, the destination first', async () => {
  await plan();
  await page.getByText('1 move frees 1 host. The plan is proven best.').waitFor();
  await changes().first().waitFor();
  const cells = await Promise.all((await changes().all()).map((row) => row.locator('td').allInnerTexts()));
  expect(cells).toEqual([
    ['full-host', '12 GiB → 16 GiB of 64 GiB', '12 → 20 of 64'],
    ['part-host', '4 GiB → 0 GiB of 64 GiB', '8 → 0 of 64'],
  ]);
  expect(await changes().locator('td:first-child b').count()).toBe(2);
  expect(await page.locator('.rebalance-metrics').innerText()).toMatch(/Used hosts\s+2 → 1/);
  const [destination, from, consumer] = await moves().first().locator('td').allInnerTexts();
  expect(destination).toMatch(/^full-host\n/);
  expect([from, consumer]).toEqual(['part-host', small]);
  expect(await usedOf(api, hosts['part-host'])).toMatchObject({ VCPU: 8 });
  expect(watched.faults).toEqual([]);
});

test('a plan is accessible and fits the screen in every look', async () => {
  await plan();
  await changes().first().waitFor();
  await expectReadable(page, 'rebalance', DESKTOP_AND_PHONE);
});

test('goal, class and number of moves are in the address, and a changed goal removes the plan', async () => {
  await plan('?goal=EVEN_OUT&class=VCPU&moves=5');
  await page.getByText('1 move lowers the highest utilization from 19% to 13%.').waitFor();
  await page.getByLabel('Goal').selectOption('Fix faults');
  expect(await page.getByText('lowers the highest').count()).toBe(0);
  expect(watched.address().get('goal')).toBe('FIX');
  await watched.button('Plan').click();
  await page.getByText('Nothing worth moving.').waitFor();
  expect(await page.getByRole('button', { name: 'Carry out' }).count()).toBe(0);
  await page.getByLabel('Goal').selectOption('Even out utilization');
  await page.getByLabel('Class').fill('NO_CLASS');
  await watched.button('Plan').click();
  await page.getByRole('alert').getByText('NO_CLASS').waitFor();
});

test('the moves are executed in order, and stop at a consumer that has changed', async () => {
  const second = await claimed(api, { [hosts['part-host']]: { VCPU: 2 } });
  await plan();
  await page.getByRole('button', { name: 'Carry out 2 moves' }).click();
  const last = (await moves().nth(1).locator('td').nth(2).innerText()).trim();
  await setAllocations(api, takes(last, 1, { [hosts['part-host']]: { VCPU: 3 } }));
  expect(await violationsOf(page)).toEqual([]);
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  await watched.dialog().getByText('CONSUMER_GENERATION_CONFLICT').waitFor();
  expect(await watched.dialog().innerText()).toContain('1 of 2 moves done');
  await watched.dialog().getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('1 move done.').waitFor();
  expect([small, second]).toContain(last);
  await watched.button('Plan').click();
  await page.getByRole('button', { name: 'Carry out 1 move' }).click();
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  await page.getByText('1 move done.').waitFor();
  expect(await usedOf(api, hosts['part-host'])).toEqual({ VCPU: 0, MEMORY_MB: 0 });
  await watched.button('Plan').click();
  await page.getByText('Nothing worth moving.').waitFor();
  expect(watched.faults).toEqual([]);
});

test('a move that loses a trait asks to accept that, unless the plan keeps traits', async () => {
  const host = await createProviders(api, {
    name: 'fast-host',
    inventories: { VCPU: 64, MEMORY_MB: 65_536 },
    traits: ['HW_CPU_X86_AVX512F'],
  });
  await claimed(api, { [host['fast-host']]: { VCPU: 2 } });
  await plan();
  await page.getByRole('button', { name: 'Carry out 1 move' }).click();
  const move = watched.dialog().getByRole('button', { name: 'Move' });
  expect(await watched.dialog().innerText()).toContain('HW_CPU_X86_AVX512F: 1 consumer');
  expect(await move.isDisabled()).toBe(true);
  await watched.dialog().getByLabel('Move them all the same').check();
  expect(await move.isEnabled()).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByLabel('Keep traits').check();
  expect(watched.address().get('keepTraits')).toBe('true');
  await watched.button('Plan').click();
  await page.getByText('free 1 host.').waitFor();
  expect(await page.getByText('Loses traits').count()).toBe(0);
  await watched.visit('/hosts/fast-host', 'section[aria-labelledby=drain]');
  const drain = page.locator('section[aria-labelledby=drain]');
  await drain.getByRole('button', { name: 'Plan' }).click();
  await drain.getByRole('button', { name: 'Move 1 consumer' }).click();
  expect(await move.isDisabled()).toBe(true);
  await watched.dialog().getByLabel('Move them all the same').check();
  await move.click();
  await drain.getByText('1 consumer moved.').waitFor();
  expect(await usedOf(api, host['fast-host'])).toEqual({ VCPU: 0, MEMORY_MB: 0 });
  expect(watched.faults).toEqual([]);
});
