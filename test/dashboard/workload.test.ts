import { expect, test } from '@jest/globals';
import { useDashboard } from './dashboard.js';
import { keepPicture, overhangsOf, violationsOf } from './page.js';

const { api, watched, page } = useDashboard({ hosts: 40 });

const workload = () => page.locator('details.workload');

async function addMember(name: string, count: number): Promise<void> {
  await page.getByLabel('Member', { exact: true }).fill(name);
  await page.getByLabel('Consumers', { exact: true }).fill(String(count));
  await page.getByRole('button', { name: 'Add the request as a member' }).click();
  await workload().locator('.members li', { hasText: name }).waitFor();
}

async function plan(): Promise<void> {
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
}

test('plans several members by a rule, shows racks and hosts, and claims what it has shown', async () => {
  await watched.open('/place?resources=VCPU:8', '.candidate');
  await page.getByText('Workload of several members').click();
  await addMember('db', 3);
  await page.getByRole('button', { name: 'Remove VCPU:8' }).click();
  await page.getByLabel('Resources of the unsuffixed group').fill('MEMORY_MB:16384');
  await addMember('cache', 2);
  await page.getByLabel('Rule', { exact: true }).selectOption('DIFFERENT');
  await page.getByLabel('Level', { exact: true }).fill('tree');
  await page.getByRole('button', { name: 'Add rule' }).click();
  expect(new URL(page.url()).searchParams.getAll('member')).toEqual([
    'db:3?resources=VCPU:8',
    'cache:2?resources=MEMORY_MB:16384',
  ]);
  expect(new URL(page.url()).searchParams.getAll('rule')).toEqual(['DIFFERENT:tree']);
  await plan();
  await workload().getByText('5 consumers fit.').waitFor();
  const hosts = await workload().locator('.rack b').allInnerTexts();
  expect(new Set(hosts).size).toBe(5);
  expect(await workload().locator('.rack h3').first().innerText()).toContain('zone-');
  const shown = await workload().locator('.rack li').allInnerTexts();
  expect(await violationsOf(page)).toEqual([]);
  await keepPicture(page, 'workload-light');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overhangsOf(page)).toEqual([]);
  await page.getByLabel('Project of the workload').fill('a-workload');
  await page.getByLabel('User of the workload').fill('a-user');
  await page.getByRole('button', { name: 'Claim the workload' }).click();
  await workload().locator('.claimed').waitFor();
  const { data } = await api.query<{
    consumers: { nodes: { allocations: { resourceProvider: { name: string } }[] }[] };
  }>(
    '{ consumers(filter: { projectId: "a-workload" }) { nodes { allocations { resourceProvider { name } } } } }',
  );
  const providers = data.consumers.nodes.map(({ allocations }) => allocations[0].resourceProvider.name);
  expect(providers).toHaveLength(5);
  for (const name of providers) expect(shown.join()).toContain(`of ${name}`);
  expect(watched.faults).toEqual([]);
}, 60_000);

test('says how much of a workload fits when not all of it does', async () => {
  const members = 'member=vm%3A41%3Fresources%3DVCPU%3A4';
  await watched.open(`/place?resources=VCPU:4&${members}&rule=DIFFERENT:tree`, '.candidate');
  await plan();
  await workload().getByText('40 of 41 vm').waitFor();
}, 60_000);
