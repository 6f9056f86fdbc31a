import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { loadSample } from '../../src/cli/sample/sample.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

/** Set to a file's name to keep the picture: `docs/images/graphiql.png` is made that way. */
const PICTURE = process.env.PLACEMENT_PICTURE ?? join(process.cwd(), '.cache', 'graphiql.png');

let database: TestDatabase;
let api: Api;
let browser: Browser;
let page: Page;
const foreign: string[] = [];
const failures: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  await loadSample(database, { hosts: 100 });
  api = await startApi(database);
  browser = await chromium.launch({
    executablePath: process.env.PLACEMENT_BROWSER ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(api.url).origin) foreign.push(request.url());
  });
  page.on('pageerror', (error) => failures.push(String(error)));
}, 60_000);

afterAll(async () => {
  await browser.close();
  await api.close();
  await database.close();
});

/** Opens a tab. GraphiQL takes up which operation the tab has a moment later, and until then runs that of the last one. */
async function open(tab: string): Promise<void> {
  await page.locator('.graphiql-tab-button', { hasText: tab }).click();
  await page.waitForTimeout(1000);
}

test('GraphiQL opens with sixteen tabs, runs one, and asks no other origin for anything', async () => {
  await page.goto(api.url);
  await page.locator('.graphiql-tab').first().waitFor();
  const names = await page.locator('.graphiql-tab').allInnerTexts();
  expect(names).toHaveLength(16);

  await open('Flavor');
  expect(await page.locator('.graphiql-tab-active').innerText()).toContain('Flavor');
  const answered = page.waitForResponse(
    (response) => response.request().postData()?.includes('Flavor') ?? false,
  );
  await page.locator('.graphiql-execute-button').click();
  const answer = (await (await answered).json()) as { data: object; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toHaveProperty('allocationCandidates.allocationRequests.4');
  await expect(
    page.locator('.graphiql-response').getByText('allocationRequests').waitFor(),
  ).resolves.toBeUndefined();

  await open('Watch');
  await page.locator('.graphiql-execute-button').click();
  while (api.watch.size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await api.mutate('createResourceProvider', { name: 'seen-as-it-is-created' });
  await expect(
    page.locator('.graphiql-response').getByText('seen-as-it-is-created').waitFor(),
  ).resolves.toBeUndefined();

  await open('Flavor');
  await mkdir(join(process.cwd(), '.cache'), { recursive: true });
  const picture = await page.screenshot({ path: PICTURE });
  expect(picture.byteLength).toBeGreaterThan(20_000);
  expect(foreign).toEqual([]);
  expect(failures).toEqual([]);
}, 60_000);
