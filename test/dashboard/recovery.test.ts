import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { interceptIn, losesFirstAnswer } from './intercept.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 20 });

const live = () => page.locator('.live-mark.live').waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });

const intercept = interceptIn(page);

const reject = (route: Route): Promise<void> =>
  route.fulfill({
    status: 503,
    json: { errors: [{ message: 'busy', extensions: { code: 'OVERLOADED' } }] },
  });

test('a tab that becomes visible shows what has changed meanwhile', async () => {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, writable: true }));
  await watched.open('/consumers?project=while-hidden', 'h1');
  await page.getByText('No consumer matches.').waitFor();
  const provider = await dashboard.uuidOf('host-00003-numa0');
  const consumer = await claimed(api, { [provider]: { VCPU: 1 } }, { projectId: 'while-hidden' });
  await page.evaluate(() => {
    Object.assign(document, { hidden: false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.locator('tbody tr', { hasText: consumer }).waitFor();
}, 60_000);

test('a change during a read is read as well', async () => {
  const provider = await dashboard.uuidOf('host-00003-numa0');
  await watched.open('/consumers?project=while-reading', 'h1');
  await live();
  await page.waitForTimeout(1_000); // the read after the opening of the stream
  let reads = 0;
  await intercept('query Consumers', async (route) => {
    const response = await route.fetch();
    if (reads++ === 0) await page.waitForTimeout(1_500);
    await route.fulfill({ response });
  });
  const first = await claimed(api, { [provider]: { VCPU: 1 } }, { projectId: 'while-reading' });
  while (reads === 0) await page.waitForTimeout(50);
  const second = await claimed(api, { [provider]: { VCPU: 1 } }, { projectId: 'while-reading' });
  for (const consumer of [first, second]) await page.locator('tbody tr', { hasText: consumer }).waitFor();
}, 60_000);

test('a failed read keeps the view and its unsaved edits', async () => {
  await watched.open('/hosts/host-00003', '.provider-box');
  await live();
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Traits', { exact: true }).fill('HW_CPU_X86_AVX2');
  await page.getByLabel('Traits', { exact: true }).press('Enter');
  const draft = page.locator('.provider-editor .chip', { hasText: 'HW_CPU_X86_AVX2' });
  await draft.waitFor();
  let isBusy = true;
  await intercept('query Host(', (route) => (isBusy ? reject(route) : route.fallback()));
  const provider = await dashboard.uuidOf('host-00003-numa0');
  const consumer = await claimed(api, { [provider]: { VCPU: 1 } });
  await page.locator('.live-mark.interrupted').waitFor();
  expect(await draft.count()).toBe(1);
  isBusy = false;
  await page.locator('tbody tr', { hasText: consumer }).waitFor();
  await live();
  expect(await draft.count()).toBe(1);
}, 60_000);

test('a workload whose answer was lost is not claimed twice', async () => {
  await intercept('mutation ClaimCandidate', losesFirstAnswer());
  await watched.open('/place?resources=VCPU:1&member=vm%3A2%3Fresources%3DVCPU%3A1', '.candidate');
  await button('Plan').click();
  await page.getByLabel('Project of the workload').fill('an-unlucky-workload');
  await page.getByLabel('User of the workload').fill('a-user');
  await button('Claim the workload').click();
  const workload = page.locator('details.workload');
  await workload.getByText('The claim may exist in the project an-unlucky-workload').waitFor();
  expect(await button('Plan again').count()).toBe(0);
  await button('Claim the workload').click();
  await workload.getByText('Claimed by the earlier attempt for 2 consumers').waitFor();
  const { data } = await api.query<{ consumers: { nodes: unknown[] } }>(
    '{ consumers(filter: { projectId: "an-unlucky-workload" }) { nodes { uuid } } }',
  );
  expect(data.consumers.nodes).toHaveLength(2);
}, 60_000);

test('the plan of a workload that has changed since is not shown', async () => {
  let answer = (): void => undefined;
  const isLate = new Promise<void>((resolve) => (answer = resolve));
  await intercept('query PlanWorkload', async (route) => {
    const response = await route.fetch();
    await isLate;
    await route.fulfill({ response });
  });
  const members = ['db', 'vm'].map((name) => `member=${name}%3A2%3Fresources%3DVCPU%3A1`).join('&');
  await watched.open(`/place?resources=VCPU:1&${members}`, '.candidate');
  const late = page.waitForResponse((one) => !!one.request().postData()?.includes('query PlanWorkload'));
  await button('Plan').click();
  await page.getByRole('button', { name: 'Remove db' }).click();
  answer();
  await (await late).finished();
  await page.waitForTimeout(300);
  expect(await page.getByText('consumers fit.').count()).toBe(0);
}, 60_000);

test('a page from before an upgrade reloads itself once, then offers a reload', async () => {
  let missing = 1;
  await page.route('**/assets/newHostView*.js', (route) =>
    missing-- > 0 ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.route('**/assets/auditView*.js', (route) => route.fulfill({ status: 404 }));
  await watched.open('/', '.honeycomb');
  await page.getByRole('link', { name: 'Add a host' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add a host' }).waitFor();
  expect(missing).toBe(-1);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('alert').getByText('This page could not be shown').waitFor();
  expect(await button('Reload').count()).toBe(1);
  await page.getByRole('link', { name: 'Fleet' }).click();
  await page.locator('.honeycomb').waitFor();
}, 60_000);

test('the changes of a host are not listed at another host', async () => {
  await watched.open('/hosts/host-00003', '.provider-box');
  await live();
  await claimed(api, { [await dashboard.uuidOf('host-00003-numa0')]: { VCPU: 1 } });
  await page.locator('.changes li').first().waitFor();
  await page.evaluate(() => history.pushState(null, '', '/hosts/host-00004'));
  await page.getByRole('heading', { level: 1, name: 'host-00004' }).waitFor();
  expect(await page.locator('.changes li').count()).toBe(0);
}, 60_000);

test('names with a percent sign are read from the address and written to it unchanged', async () => {
  const name = 'a/host of 100%';
  const child = 'a child of 50%26';
  await createProviders(api, { name, inventories: { VCPU: 1 }, children: [{ name: child }] });
  await watched.open(`/hosts/${encodeURIComponent(name)}`, '.provider-box');
  await page.locator(`.provider-box[title="${child}"]`).click();
  await page.locator('.provider-panel').getByRole('heading', { name: child }).waitFor();
  await page.reload();
  await page.locator('.provider-panel').getByRole('heading', { name: child }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
}, 60_000);

test('failed counts and sums are reported', async () => {
  for (const operation of ['query PlaceHeadroom', 'query ProjectUsages']) await intercept(operation, reject);
  await watched.open('/place?resources=VCPU:1', '.candidate');
  await page.locator('.place-summary').getByText('busy').waitFor();
  await watched.open('/projects', 'tbody tr');
  await page.getByRole('alert').getByText('busy').waitFor();
}, 60_000);

test('Escape does not close a dialog while its action runs', async () => {
  let answer = (): void => undefined;
  const isLate = new Promise<void>((resolve) => (answer = resolve));
  await intercept('mutation EditProvider', async (route) => {
    await isLate;
    await route.fallback();
  });
  await watched.open('/hosts/host-00005', '.provider-box');
  await button('Start maintenance').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start' }).click();
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  expect(await dialog.isVisible()).toBe(true);
  answer();
  await button('End maintenance').waitFor();
  expect(await dialog.count()).toBe(0);
}, 60_000);

test('the tip of a host follows it when the map moves', async () => {
  await watched.open('/?group=none', '.honeycomb');
  const map = page.locator('.honeycomb');
  const tip = page.locator('.host-tip');
  await map.focus();
  await page.keyboard.press('ArrowRight');
  await tip.waitFor();
  const before = await tip.boundingBox();
  await page.getByLabel('Zoom in').click();
  await page.waitForURL(/view=/);
  expect(await tip.boundingBox()).not.toEqual(before);
  for (let press = 0; press < 4; press++) await page.getByLabel('Zoom in').click();
  await map.focus();
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('ArrowRight');
    expect(await tip.isVisible()).toBe(true);
  }
}, 60_000);
