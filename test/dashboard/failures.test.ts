import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { claimed } from '../support/claims.js';
import { useDashboard } from './dashboard.js';
import { interceptIn, losesFirstAnswer } from './intercept.js';

const { dashboard, watched, page } = useDashboard({ hosts: 20 });

const intercept = interceptIn(page);

/** A stream that the server ends at once with an error. */
const rejectStream = (route: Route, code: string): Promise<void> => {
  const result = JSON.stringify({ errors: [{ message: 'rejected', extensions: { code } }] });
  const body = `event: next\ndata: ${result}\n\nevent: complete\ndata:\n\n`;
  return route.fulfill({ contentType: 'text/event-stream', body });
};

test('a stream that the server rejects is tried again after growing pauses', async () => {
  const attempts: number[] = [];
  await intercept('subscription', (route) => {
    attempts.push(Date.now());
    return rejectStream(route, 'OVERLOADED');
  });
  await watched.open('/consumers', 'tbody tr');
  while (attempts.length < 4) await page.waitForTimeout(100);
  expect(attempts[3] - attempts[0]).toBeGreaterThan(3_000);
});

test('a stream that ends because the token has expired asks for a token', async () => {
  let attempts = 0;
  await intercept('subscription', (route) => {
    attempts++;
    return rejectStream(route, 'UNAUTHENTICATED');
  });
  await watched.open('/consumers', '.token-form');
  await page.waitForTimeout(1_500);
  expect(attempts).toBe(1);
});

test('a change is shown although the first request for it fails', async () => {
  let failures = 0;
  await watched.open('/?search=host-00003&order=name', '.honeycomb');
  await page.locator('.live-mark.live').waitFor();
  const row = page.locator('section[aria-labelledby=hosts] tbody tr').first();
  await intercept('FleetMapOfTrees', (route) => {
    if (failures++ > 0) return route.fallback();
    const error = { message: 'busy', extensions: { code: 'OVERLOADED' } };
    return route.fulfill({ status: 503, json: { errors: [error] } });
  });
  const provider = await dashboard.uuidOf('host-00003-numa0');
  // the page may still read all hosts when the first claim is written
  while (failures < 2) {
    const before = await row.innerText();
    await claimed(dashboard.api, { [provider]: { VCPU: 1 } });
    while ((await row.innerText()) === before) await page.waitForTimeout(50);
  }
}, 20_000);

test('a claim whose answer was lost may have taken place; a retry claims nothing more', async () => {
  await intercept('mutation ClaimCandidate', losesFirstAnswer());
  await watched.open('/place?resources=VCPU:1', '.candidate');
  const claim = async (): Promise<void> => {
    await page.getByLabel('Project', { exact: true }).fill('an-unlucky-project');
    await page.getByLabel('User', { exact: true }).fill('a-user');
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
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
  const { data } = await dashboard.api.query<{ consumers: { nodes: { uuid: string }[] } }>(
    '{ consumers(filter: { projectId: "an-unlucky-project" }) { nodes { uuid } } }',
  );
  expect(data.consumers.nodes).toEqual([{ uuid }]);
});

test('a stream that the role does not allow is not tried again, and the page says so', async () => {
  let attempts = 0;
  await intercept('subscription', (route) => {
    attempts++;
    return rejectStream(route, 'FORBIDDEN');
  });
  await watched.open('/consumers', '.live-mark.forbidden');
  await page.waitForTimeout(1_500);
  expect(attempts).toBe(1);
});

test('a server that does not answer for seconds is reported until it answers', async () => {
  let answer = (): void => undefined;
  const isLate = new Promise<void>((resolve) => (answer = resolve));
  await intercept('query Consumers', async (route) => {
    await isLate;
    await route.fallback();
  });
  await watched.open('/consumers', '.notice');
  expect(await page.locator('.notice').innerText()).toMatch(/^The server has not answered for [34] s/);
  answer();
  await page.locator('tbody tr').first().waitFor();
  await page.locator('.notice').waitFor({ state: 'detached' });
});

test('a throttled request is shown as that, and repeated', async () => {
  let requests = 0;
  await intercept('query Consumers', (route) => {
    if (requests++ > 1) return route.fallback();
    const error = { message: 'too many requests', extensions: { code: 'THROTTLED' } };
    return route.fulfill({ status: 429, json: { errors: [error] } });
  });
  await watched.open('/consumers', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toMatch(/too many requests[^]*THROTTLED/);
  await page.locator('tbody tr').first().waitFor();
});

test('a page that opens while the server is down recovers by itself', async () => {
  let isDown = true;
  await page.route('**/graphql', (route) => (isDown ? route.abort() : route.fallback()));
  await watched.open('/consumers', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toContain('The server does not answer');
  isDown = false;
  await page.locator('tbody tr').first().waitFor();
});
