import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadDemoData } from '../../src/cli/demo/demo.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { launchChromium } from './chromium.js';

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
  await loadDemoData(database, { hosts: 100 });
  api = await startApi(database);
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(api.url).origin) foreign.push(request.url());
  });
  page.on('pageerror', (error) => failures.push(String(error)));
});

afterAll(async () => {
  await browser.close();
  await api.close();
  await database.close();
});

const TABS = ['Explore', 'Candidates', 'Why', 'Claim', 'Fleet', 'Watch'];

const editor = (of: Page) => of.locator('.graphiql-query-editor');
const response = (of: Page) => of.locator('.graphiql-response');

async function visit(to: Page): Promise<void> {
  await to.goto(api.url);
  await editor(to).locator('.view-line').first().waitFor();
}

/** Opens a tab. GraphiQL takes up which operations the tab has a moment later, and until then offers those of the last one. */
async function open(on: Page, tab: string): Promise<void> {
  await on.locator('.graphiql-tab-button', { hasText: tab }).click();
  await on.waitForTimeout(1000);
}

/** Runs an operation of the tab that is open. */
async function run(on: Page, operation: string): Promise<void> {
  await on.locator('.graphiql-execute-button').click();
  await on.locator('.graphiql-dropdown-item', { hasText: operation }).click();
}

/** How far the lines that are shown go beyond the right side of the pane. */
const overhang = (): Promise<number> =>
  editor(page).evaluate((pane) => {
    const side = pane.querySelector('.overflow-guard')!.getBoundingClientRect().right;
    const lines = Array.from(pane.querySelectorAll('.view-line > span'));
    return Math.max(...lines.map((line) => line.getBoundingClientRect().right)) - side;
  });

test('GraphiQL opens with six tabs whose lines fit, and runs an operation of one', async () => {
  await visit(page);
  expect(await page.locator('.graphiql-tab').allInnerTexts()).toEqual(TABS);
  for (const tab of TABS) {
    await open(page, tab);
    expect(await overhang()).toBeLessThanOrEqual(0);
  }
  await open(page, 'Candidates');
  const answered = page.waitForResponse((one) => one.request().postData()?.includes('"Candidates"') ?? false);
  await run(page, 'Candidates');
  const answer = (await (await answered).json()) as { data: object; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toHaveProperty('allocationCandidates.allocationRequests.4');
  await response(page).getByText('allocationRequests').waitFor();
  await mkdir(join(process.cwd(), '.cache'), { recursive: true });
  expect((await page.screenshot({ path: PICTURE })).byteLength).toBeGreaterThan(20_000);
});

test('the tab Watch works as it says: changes are made in another window, and the stream ends when the tab is left', async () => {
  await open(page, 'Watch');
  await run(page, 'Watch');
  await until(() => api.watch.size === 1);
  const other = await browser.newPage();
  await visit(other);
  await open(other, 'Watch');
  await run(other, 'Create');
  await response(page).getByText('my-first-host').waitFor();
  await run(other, 'Delete');
  await response(page).getByText('"deleted": true').waitFor();
  await response(page).getByText('"deleted": false').waitFor(); // the earlier event stays
  await other.close();
  await open(page, 'Explore');
  await until(() => api.watch.size === 0);
});

test('on a screen of 420 pixels everything is in sight, and an operation can be chosen and read', async () => {
  const narrow = await browser.newPage({ viewport: { width: 420, height: 900 } });
  await visit(narrow);
  await run(narrow, 'Storage');
  await response(narrow).getByText('storage-0001').waitFor();
  const [above, below] = [(await editor(narrow).boundingBox())!, (await response(narrow).boundingBox())!];
  for (const { x, width } of [above, below]) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(420);
    expect(width).toBeGreaterThan(370);
  }
  expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
  expect(below.y + below.height).toBeLessThanOrEqual(900);
  expect(above.height).toBeGreaterThan(200);
  expect(below.height).toBeGreaterThan(200);
  await narrow.close();
});

test('the page asks no other origin for anything, and nothing in it fails', () => {
  expect(foreign).toEqual([]);
  expect(failures).toEqual([]);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
