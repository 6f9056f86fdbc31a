import { expect, test } from '@jest/globals';
import { damage } from '../support/damage.js';
import { useDashboard } from './dashboard.js';
import { DESKTOP_AND_PHONE, expectReadable } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 10 }, 'nothing');

test('the page reports no findings, and finds a new problem when it runs again', async () => {
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
  const { audit } = await api.read<{ audit: { nodes: { check: string; message: string }[] } }>(
    '{ audit(first: 200) { nodes { check message } } }',
  );
  const checks = Array.from(new Set(audit.nodes.map(({ check }) => check)));
  expect(checks).toContain('OVER_CAPACITY');
  expect(checks).toContain('EMPTY_CONSUMER');
  for (const check of checks) {
    const group = page.locator(`.finding-group[aria-labelledby="findings-${check}"]`);
    const messages = audit.nodes.filter((one) => one.check === check).map(({ message }) => message);
    expect(await group.locator('tbody td:last-child').allInnerTexts()).toEqual(messages);
  }
  const empty = page.locator('.finding-group[aria-labelledby=findings-EMPTY_CONSUMER]');
  expect(await empty.innerText()).toContain('Repair: Deletes the consumer.');
  expect(await page.getByRole('region', { name: 'Command of the repair' }).innerText()).toBe(
    'placement-graphql audit-database --fix',
  );
});

test('shows how many checks are done while they run', async () => {
  const goOn = await watched.hold('UNIT_VIOLATION');
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByText(/^1 of \d+ checks done$/).waitFor();
  await page.getByRole('progressbar', { name: 'Checks' }).waitFor();
  goOn();
  await page.getByRole('button', { name: 'Run again', disabled: false }).waitFor();
  await page.unroute('**/graphql');
});

test('a check is chosen, and kept in the address', async () => {
  await page.getByLabel('Check', { exact: true }).selectOption('EMPTY_CONSUMER');
  await page.locator('.finding-group').nth(1).waitFor({ state: 'detached' });
  expect(watched.address().get('check')).toBe('EMPTY_CONSUMER');
  await page.reload();
  await page.locator('.finding-group').first().waitFor();
  expect(await page.locator('.finding-group').count()).toBe(1);
});

test('findings are accessible in every look, and nothing has failed meanwhile', async () => {
  await watched.open('/audit', '.finding-group');
  await expectReadable(page, 'audit', DESKTOP_AND_PHONE);
  expect(watched.faults).toEqual([]);
});
