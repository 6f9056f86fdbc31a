import { expect, test } from '@jest/globals';
import { useDashboard } from './dashboard.js';
import { keepPicture, overhangsOf, violationsOf } from './page.js';

const { api, watched, page } = useDashboard({ hosts: 0 });

test('an empty database offers the next steps, of which the first adds a host', async () => {
  await watched.open('/', '.empty-fleet');
  expect(await page.locator('.empty-fleet').innerText()).toMatch(/serve --demo[^]*placement-graphql adopt/);
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, 'empty-fleet-light');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overhangsOf(page)).toEqual([]);
  await page.locator('.empty-fleet').getByRole('link', { name: 'Add a host' }).click();
  await page.getByLabel('Name').fill('the-first-host');
  await page.getByLabel('Inventories', { exact: true }).fill('VCPU:8');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { level: 1, name: 'the-first-host' }).waitFor();
  expect(watched.faults).toEqual([]);
}, 60_000);

test('a fleet whose hosts have no inventories is not called empty', async () => {
  await api.mutate('createResourceProvider', { name: 'a-host' });
  const edit = { resourceProvider: { name: 'the-first-host' }, inventories: { remove: ['VCPU'] } };
  await api.mutate('updateResourceProvider', edit);
  await watched.open('/', '.state-title');
  await page.getByText('No host has inventories.').waitFor();
}, 60_000);
