import { beforeAll, expect, test } from '@jest/globals';
import { claimed, setAllocations, shown, takes } from '../support/claims.js';
import { useDashboard } from './dashboard.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 20 }, 'view');
/** Two NUMA nodes of different hosts. */
let nodes: readonly string[];

beforeAll(async () => {
  nodes = await Promise.all(['host-00003-numa0', 'host-00004-numa0'].map((name) => dashboard.uuidOf(name)));
});

const rows = () => page.locator('section[aria-labelledby=consumers] tbody tr');

test('finds consumers by project and host, keeps that in the address, and leads to one by its uuid', async () => {
  const consumer = await claimed(api, { [nodes[0]]: { VCPU: 2 } }, { projectId: 'to-be-found' });
  await claimed(api, { [nodes[1]]: { VCPU: 2 } }, { projectId: 'to-be-found' });
  await watched.visit('/consumers', 'tbody tr');
  await page.getByLabel('Project', { exact: true }).fill('to-be-found');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('2 consumers').waitFor();
  await page.getByLabel('Host', { exact: true }).fill('host-00003');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('1 consumer', { exact: true }).waitFor();
  expect(await rows().innerText()).toMatch(new RegExp(`${consumer}.*2 VCPU.*host-00003`, 's'));
  expect(Object.fromEntries(watched.address())).toEqual({ project: 'to-be-found', host: 'host-00003' });
  await page.getByLabel('UUID').fill(consumer);
  await page.getByLabel('UUID').press('Enter');
  await page.getByRole('heading', { level: 1, name: consumer }).waitFor();
  expect(watched.faults).toEqual([]);
});

test('the list has the orders of the API, and its pages omit no consumer', async () => {
  await watched.visit('/consumers?order=userId', 'tbody tr');
  const all = await dashboard.consumers('first: 1000, orderBy: { userId: ASC }');
  const shownNow = () => rows().locator('td:first-child').allInnerTexts();
  expect(await shownNow()).toEqual(all.slice(0, 50));
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText(all[50]).waitFor();
  expect(await shownNow()).toEqual(all.slice(50, 100));
  await page.reload();
  await page.getByText(all[50]).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText(all[0]).waitFor();
  await page.getByRole('button', { name: 'User' }).click();
  await page.locator('th[aria-sort=descending]', { hasText: 'User' }).waitFor();
  expect(watched.address().get('order')).toBe('-userId');
});

test('a claim through the API is in the lists of consumers and of projects after at most two requests', async () => {
  const requests: string[] = [];
  page.on('request', (request) => {
    const document = request.postData() ?? '';
    if (document.includes('query') && !document.includes('ProjectUsages')) requests.push(document);
  });
  for (const path of ['/consumers', '/projects?order=-used:VCPU', '/projects/a-live-project']) {
    await watched.visit(path, 'h1');
    await watched.live();
    const isOneProject = path.includes('live');
    const projectId = isOneProject ? 'a-live-project' : `live-at-${path.slice(1, 5)}`;
    requests.length = 0;
    const uuid = await claimed(api, { [nodes[0]]: { VCPU: 1 } }, { projectId });
    await page
      .locator('tbody td', { hasText: isOneProject ? uuid : projectId })
      .first()
      .waitFor();
    expect(requests.length).toBeLessThanOrEqual(2);
  }
});

test('projects are listed before their sums are known', async () => {
  const send = await watched.hold('query ProjectUsages');
  await watched.visit('/projects', 'tbody tr');
  expect(await page.getByRole('columnheader', { name: 'VCPU' }).count()).toBe(0);
  send();
  await page.getByRole('columnheader', { name: 'VCPU' }).waitFor();
});

test('moves a consumer to another host, resized, and keeps the old claim under another one', async () => {
  const consumer = await claimed(api, { [nodes[0]]: { VCPU: 2, MEMORY_MB: 1024 } });
  await watched.visit(`/consumers/${consumer}`, '.provider-box.lit');
  await page.getByLabel('VCPU', { exact: true }).fill('3');
  await page.getByLabel('To', { exact: true }).selectOption('other');
  await page.getByLabel(/Keep the current allocations/).check();
  expect(Object.fromEntries(watched.address())).toEqual({ resize: 'VCPU:3', to: 'other', keep: 'old' });
  await watched.button('Move').click();
  await watched.dialog().locator('.destination').waitFor();
  const destination = await watched.dialog().locator('.destination').innerText();
  expect(destination).toMatch(/^host-\d{5}\n/);
  expect(destination).toContain('3 VCPU of host-');
  expect((await shown(api, consumer))?.has).toEqual({ 'host-00003-numa0': { VCPU: 2, MEMORY_MB: 1024 } });
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  const kept = page.locator('.moved a[href^="/consumers/"]');
  await kept.waitFor();
  const now = (await shown(api, consumer))!.has;
  for (const name of Object.keys(now)) expect(destination).toContain(`of ${name}`);
  expect(Object.keys(now).join()).not.toContain('host-00003');
  // either class comes from either NUMA node
  expect(Object.assign({}, ...Object.values(now))).toEqual({ VCPU: 3, MEMORY_MB: 1024 });
  const old = await shown(api, await kept.innerText());
  expect(old?.has).toEqual({ 'host-00003-numa0': { VCPU: 2, MEMORY_MB: 1024 } });
  expect(watched.faults).toEqual([]);
});

test('Move is disabled until something differs', async () => {
  const consumer = await claimed(api, { [nodes[0]]: { VCPU: 2 } });
  await watched.visit(`/consumers/${consumer}`, '.provider-box.lit');
  const move = watched.button('Move');
  expect(await move.isDisabled()).toBe(true);
  await page.getByLabel('To', { exact: true }).selectOption('other');
  expect(await move.isDisabled()).toBe(false);
  await watched.visit(`/consumers/${consumer}?resize=VCPU=3`, '.provider-box.lit');
  expect(await page.getByLabel('VCPU', { exact: true }).inputValue()).toBe('3');
});

test('the page states why a consumer cannot move, and changes nothing', async () => {
  const consumer = await claimed(api, { [nodes[0]]: { VCPU: 2 } });
  const before = await shown(api, consumer);
  await watched.visit(`/consumers/${consumer}?resize=VCPU:5000&to=same`, '.provider-box.lit');
  await watched.button('Move').click();
  await watched.dialog().getByRole('alert').waitFor();
  expect(await watched.dialog().getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
  expect(await watched.dialog().getByRole('alert').innerText()).toContain('NO_CANDIDATES');
  expect(await shown(api, consumer)).toEqual(before);
});

test('a consumer is released as displayed, and not if it has changed since', async () => {
  const consumer = await claimed(api, { [nodes[0]]: { VCPU: 2 } });
  await watched.visit(`/consumers/${consumer}`, '.provider-box.lit');
  await watched.live();
  const release = () => watched.button('Release').first().click();
  await release();
  await setAllocations(api, takes(consumer, 1, { [nodes[0]]: { VCPU: 4 } }));
  await watched.dialog().getByRole('button', { name: 'Release' }).click();
  await watched.dialog().getByText('CONSUMER_GENERATION_CONFLICT').waitFor();
  expect((await shown(api, consumer))?.has).toEqual({ 'host-00003-numa0': { VCPU: 4 } });
  await page.keyboard.press('Escape');
  await release();
  expect(await watched.dialog().innerText()).toContain('4 VCPU of host-00003-numa0');
  await watched.dialog().getByRole('button', { name: 'Release' }).click();
  await page.getByText('This consumer does not exist').waitFor();
  expect(await page.locator('.released').innerText()).toContain('4 VCPU of host-00003-numa0');
  await page.locator('.consumer-changes', { hasText: 'released' }).waitFor();
  expect(await shown(api, consumer)).toBeNull();
  expect(watched.faults).toEqual([]);
});
