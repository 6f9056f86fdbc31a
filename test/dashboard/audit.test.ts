import { expect, test } from '@jest/globals';
import { damage } from '../support/damage.js';
import { useDashboard } from './dashboard.js';
import { DESKTOP, NARROW, keepPicture, overhangsOf, violationsOf } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 10 }, 'one page');

test('says that nothing is wrong, and finds what has become wrong when it looks again', async () => {
  await watched.open('/audit', '.state-title');
  await page.getByText('The audit found nothing.').waitFor();
  await damage(
    dashboard.database,
    'UPDATE inventories SET total = 1 WHERE resource_class_id = (SELECT id FROM resource_classes WHERE name = "VCPU")',
    'INSERT INTO consumers (uuid, project_id, user_id, generation) SELECT UUID(), project_id, user_id, 0 FROM consumers LIMIT 1',
  );
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.locator('.finding-group').first().waitFor();
  await page.getByRole('button', { name: 'Run again', disabled: false }).waitFor();
});

test('lists the findings of the API by check, with what can be done about each', async () => {
  const { data } = await api.query<{ audit: { nodes: { check: string; message: string }[] } }>(
    '{ audit(first: 200) { nodes { check message } } }',
  );
  const checks = Array.from(new Set(data.audit.nodes.map(({ check }) => check)));
  expect(checks).toContain('OVER_CAPACITY');
  expect(checks).toContain('EMPTY_CONSUMER');
  for (const check of checks) {
    const group = page.locator(`.finding-group[aria-labelledby="findings-${check}"]`);
    const messages = data.audit.nodes.filter((one) => one.check === check).map(({ message }) => message);
    expect(await group.locator('tbody td:last-child').allInnerTexts()).toEqual(messages);
  }
  const empty = page.locator('.finding-group[aria-labelledby=findings-EMPTY_CONSUMER]');
  expect(await empty.innerText()).toContain('Repair: Deletes the consumer.');
  expect(await page.getByRole('region', { name: 'Command of the repair' }).innerText()).toBe(
    'placement-graphql audit-database --fix',
  );
});

test('shows how many checks are done while they run', async () => {
  let goOn = (): void => {};
  const isSeen = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('UNIT_VIOLATION')) await isSeen;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText(/^1 of 6 checks done$/).waitFor();
  await page.getByRole('progressbar', { name: 'Checks' }).waitFor();
  goOn();
  await page.getByRole('button', { name: 'Run again', disabled: false }).waitFor();
  await page.unroute('**/graphql');
});

test('a check is chosen, and kept in the address', async () => {
  await page.getByLabel('Check', { exact: true }).selectOption('EMPTY_CONSUMER');
  await page.locator('.finding-group').nth(1).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('check')).toBe('EMPTY_CONSUMER');
  await page.reload();
  await page.locator('.finding-group').first().waitFor();
  expect(await page.locator('.finding-group').count()).toBe(1);
});

test.each([
  ['light', { colorScheme: 'light', viewport: DESKTOP }],
  ['dark', { colorScheme: 'dark', viewport: DESKTOP }],
  ['narrow', { colorScheme: 'light', viewport: NARROW }],
] as const)('findings are accessible: %s', async (look, options) => {
  const other = await dashboard.newPage(options);
  await other.open('/audit', '.finding-group');
  expect(await violationsOf(other.page)).toEqual([]);
  expect(await overhangsOf(other.page)).toEqual([]);
  await keepPicture(other.page, `audit-${look}`);
  expect(other.faults).toEqual([]);
  await other.page.close();
});

test('nothing has failed meanwhile', () => {
  expect(watched.faults).toEqual([]);
});
