import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 20 });

const reject = (route: Route, code = 'OVERLOADED', status = 503): Promise<void> =>
  route.fulfill({ status, json: { errors: [{ message: 'busy', extensions: { code } }] } });

/** Passes the first request of an operation on and loses its answer. */
async function loseFirstAnswer(operation: string): Promise<void> {
  let isLost = false;
  await watched.intercept(operation, async (route) => {
    if (isLost) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

/** A stream that the server ends at once with an error. */
const rejectStream = (route: Route, code: string): Promise<void> => {
  const result = JSON.stringify({ errors: [{ message: 'rejected', extensions: { code } }] });
  const body = `event: next\ndata: ${result}\n\nevent: complete\ndata:\n\n`;
  return route.fulfill({ contentType: 'text/event-stream', body });
};

test('a stream that the server rejects is tried again after growing pauses', async () => {
  const attempts: number[] = [];
  await watched.intercept('subscription', (route) => {
    attempts.push(Date.now());
    return rejectStream(route, 'OVERLOADED');
  });
  await watched.open('/consumers', 'tbody tr');
  while (attempts.length < 4) await page.waitForTimeout(100);
  expect(attempts[3] - attempts[0]).toBeGreaterThan(3_000);
});

test.each([
  ['UNAUTHENTICATED', 'asks for a token', '.token-form'],
  ['FORBIDDEN', 'says that the role does not allow changes', '.live-mark.forbidden'],
])('a stream that ends with %s is not tried again, and the page %s', async (code, _what, shown) => {
  let attempts = 0;
  await watched.intercept('subscription', (route) => {
    attempts++;
    return rejectStream(route, code);
  });
  await watched.open('/consumers', shown);
  await page.waitForTimeout(1_500);
  expect(attempts).toBe(1);
});

test('a change is shown although the first request for it fails', async () => {
  let failures = 0;
  await watched.open('/?search=host-00003&order=name', '.honeycomb');
  await page.locator('.live-mark.live').waitFor();
  const row = page.locator('section[aria-labelledby=hosts] tbody tr').first();
  await watched.intercept('FleetMapOfTrees', (route) => (failures++ > 0 ? route.fallback() : reject(route)));
  const provider = await dashboard.uuidOf('host-00003-numa0');
  // the page may still read all hosts when the first claim is written
  while (failures < 2) {
    const before = await row.innerText();
    await claimed(api, { [provider]: { VCPU: 1 } });
    while ((await row.innerText()) === before) await page.waitForTimeout(50);
  }
});

test('a claim whose answer was lost may have taken place; a retry claims nothing more', async () => {
  await loseFirstAnswer('mutation ClaimCandidate');
  await watched.open('/place?resources=VCPU:1', '.candidate');
  const claim = async (): Promise<void> => {
    await page.getByLabel('Project', { exact: true }).fill('an-unlucky-project');
    await page.getByLabel('User', { exact: true }).fill('a-user');
    await watched.button('Claim').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
  };
  await claim();
  const answer = page.locator('.claim-answer');
  await answer.waitFor();
  expect(await answer.innerText()).toMatch(/outcome of the change is unknown[^]*claim may exist/);
  const uuid = await answer.locator('a').innerText();
  await page.locator('.candidate input').first().check();
  await claim();
  await page.locator('.claimed', { hasText: uuid }).waitFor();
  expect(await dashboard.consumers('filter: { projectId: "an-unlucky-project" }')).toEqual([uuid]);
});

test('a server that does not answer for seconds is reported until it answers', async () => {
  const answer = await watched.hold('query Consumers');
  await watched.open('/consumers', '.notice');
  expect(await page.locator('.notice').innerText()).toMatch(/^The server has not answered for [34] s/);
  answer();
  await page.locator('tbody tr').first().waitFor();
  await page.locator('.notice').waitFor({ state: 'detached' });
});

test('a throttled request is shown as that, and repeated', async () => {
  let requests = 0;
  await watched.intercept('query Consumers', (route) =>
    requests++ > 1 ? route.fallback() : reject(route, 'THROTTLED', 429),
  );
  await watched.open('/consumers', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toMatch(/busy[^]*THROTTLED/);
  await page.locator('tbody tr').first().waitFor();
});

test('a page that opens while the server is down recovers by itself', async () => {
  let isDown = true;
  await watched.intercept('', (route) => (isDown ? route.abort() : route.fallback()));
  await watched.open('/consumers', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toContain('The server does not answer');
  isDown = false;
  await page.locator('tbody tr').first().waitFor();
});

test('a change during a read is read as well', async () => {
  const provider = await dashboard.uuidOf('host-00003-numa0');
  await watched.open('/consumers?project=while-reading', 'h1');
  await watched.live();
  await page.waitForTimeout(1_000); // the read after the opening of the stream
  let reads = 0;
  await watched.intercept('query Consumers', async (route) => {
    const response = await route.fetch();
    if (reads++ === 0) await page.waitForTimeout(1_500);
    await route.fulfill({ response });
  });
  const first = await claimed(api, { [provider]: { VCPU: 1 } }, { projectId: 'while-reading' });
  while (reads === 0) await page.waitForTimeout(50);
  const second = await claimed(api, { [provider]: { VCPU: 1 } }, { projectId: 'while-reading' });
  for (const consumer of [first, second]) await page.locator('tbody tr', { hasText: consumer }).waitFor();
});

test('a failed read keeps the view and its unsaved edits', async () => {
  await watched.open('/hosts/host-00003', '.provider-box');
  await watched.live();
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Traits', { exact: true }).fill('HW_CPU_X86_AVX2');
  await page.getByLabel('Traits', { exact: true }).press('Enter');
  const draft = page.locator('.provider-editor .chip', { hasText: 'HW_CPU_X86_AVX2' });
  await draft.waitFor();
  let isBusy = true;
  await watched.intercept('query Host(', (route) => (isBusy ? reject(route) : route.fallback()));
  const provider = await dashboard.uuidOf('host-00003-numa0');
  const consumer = await claimed(api, { [provider]: { VCPU: 1 } });
  await page.locator('.live-mark.interrupted').waitFor();
  expect(await draft.count()).toBe(1);
  isBusy = false;
  await page.locator('tbody tr', { hasText: consumer }).waitFor();
  await watched.live();
  expect(await draft.count()).toBe(1);
});

test('a workload whose answer was lost is not claimed twice', async () => {
  await loseFirstAnswer('mutation ClaimCandidate');
  await watched.open('/place?resources=VCPU:1&member=vm%3A2%3Fresources%3DVCPU%3A1', '.candidate');
  await watched.button('Plan').click();
  await page.getByLabel('Project of the workload').fill('an-unlucky-workload');
  await page.getByLabel('User of the workload').fill('a-user');
  const claim = async (): Promise<void> => {
    await watched.button('Claim the workload').click();
    await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  };
  await claim();
  const workload = page.locator('details.workload');
  await workload.getByText('The claim may exist in the project an-unlucky-workload').waitFor();
  expect(await watched.button('Plan again').count()).toBe(0);
  await claim();
  await workload.getByText('Claimed by the earlier attempt for 2 consumers').waitFor();
  expect(await dashboard.consumers('filter: { projectId: "an-unlucky-workload" }')).toHaveLength(2);
});

test('the plan of a workload that has changed since is not shown', async () => {
  const answer = await watched.hold('query PlanWorkload');
  const members = ['db', 'vm'].map((name) => `member=${name}%3A2%3Fresources%3DVCPU%3A1`).join('&');
  await watched.open(`/place?resources=VCPU:1&${members}`, '.candidate');
  const late = page.waitForResponse((one) => !!one.request().postData()?.includes('query PlanWorkload'));
  await watched.button('Plan').click();
  await page.getByRole('button', { name: 'Remove db' }).click();
  answer();
  await (await late).finished();
  await page.waitForTimeout(300);
  expect(await page.getByText('consumers fit.').count()).toBe(0);
});

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
  expect(await watched.button('Reload').count()).toBe(1);
  await page.getByRole('link', { name: 'Fleet' }).click();
  await page.locator('.honeycomb').waitFor();
});

test('the changes of a host are not listed at another host', async () => {
  await watched.open('/hosts/host-00003', '.provider-box');
  await watched.live();
  await claimed(api, { [await dashboard.uuidOf('host-00003-numa0')]: { VCPU: 1 } });
  await page.locator('.changes li').first().waitFor();
  await page.evaluate(() => history.pushState(null, '', '/hosts/host-00004'));
  await page.getByRole('heading', { level: 1, name: 'host-00004' }).waitFor();
  expect(await page.locator('.changes li').count()).toBe(0);
});

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
});

test('failed counts and sums are reported', async () => {
  for (const operation of ['query PlaceHeadroom', 'query ProjectUsages'])
    await watched.intercept(operation, reject);
  await watched.open('/place?resources=VCPU:1', '.candidate');
  await page.locator('.place-summary').getByText('busy').waitFor();
  await watched.open('/projects', 'tbody tr');
  await page.getByRole('alert').getByText('busy').waitFor();
});

test('Escape does not close a dialog while its action runs', async () => {
  const answer = await watched.hold('mutation EditProvider');
  await watched.open('/hosts/host-00005', '.provider-box');
  await watched.button('Start maintenance').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start' }).click();
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  expect(await dialog.isVisible()).toBe(true);
  answer();
  await watched.button('End maintenance').waitFor();
  expect(await dialog.count()).toBe(0);
});

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
});
