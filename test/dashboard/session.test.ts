import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createAuthenticator, type Authenticator } from '../../src/authentication/authenticator.js';
import { loadSample } from '../../src/cli/sample/sample.js';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { newFile, settingsWith } from '../authentication/support.js';
import { launchChromium } from '../browser/chromium.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { openPage, violationsOf } from './page.js';

let database: TestDatabase;
let authenticator: Authenticator;
let api: Api;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  database = await testDatabase();
  await loadSample(database, { hosts: 20 });
  authenticator = createAuthenticator(settingsWith({ 'tokens.file': newFile(TOKEN_FILE) }), () => undefined)!;
  api = await startApi(database, { authenticator });
  browser = await launchChromium();
}, 60_000);

beforeEach(async () => {
  await page?.close();
  const watched = await openPage(browser, new URL(api.url).origin);
  ({ page } = watched);
  await watched.open('/hosts/host-00001', '.token-form');
});

afterAll(async () => {
  await browser.close();
  await api.close();
  await database.close();
  authenticator.close();
});

async function signIn(token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a token is asked for, kept for the tab, sent with queries and subscriptions, and forgotten', async () => {
  expect(await violationsOf(page)).toEqual([]);
  await signIn(TOKENS.reader);
  await page.getByRole('heading', { name: 'host-00001', level: 1 }).waitFor();
  await page.locator('.live-mark.live').waitFor();
  await page.reload();
  await page.locator('.provider-box').first().waitFor();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('.token-form').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a token that does not hold is said to be refused', async () => {
  await signIn('nonsense');
  await page.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
  await signIn(TOKENS.reader);
  await page.locator('.provider-box').first().waitFor();
});

test('who may not see hosts is told so', async () => {
  await signIn(TOKENS['reader of a project']);
  await page.getByRole('alert').getByText('Your role does not allow this.').waitFor();
});
