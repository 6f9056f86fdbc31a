import { beforeEach, expect, test } from '@jest/globals';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { authenticatorOfFile, newFile } from '../authentication/support.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, violationsOf, WIDTHS } from './page.js';

const authenticator = authenticatorOfFile({ 'tokens.file': newFile(TOKEN_FILE) });
const { watched, page } = useDashboard({ hosts: 20, authenticator });

beforeEach(() => watched.open('/hosts/host-00001', '.token-form'));

async function signIn(token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a token is asked for, kept for the tab, sent with queries and subscriptions, and forgotten', async () => {
  expect(await violationsOf(page)).toEqual([]);
  await page.getByText('Enter a static token').waitFor();
  await signIn(TOKENS.reader);
  await page.getByRole('heading', { name: 'host-00001', level: 1 }).waitFor();
  await watched.live();
  await page.reload();
  await page.locator('.provider-box').first().waitFor();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('.token-form').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('the page reports a rejected token', async () => {
  await signIn('nonsense');
  await page.getByRole('heading', { name: 'The server rejected the token' }).waitFor();
  await signIn(TOKENS.reader);
  await page.locator('.provider-box').first().waitFor();
});

test('a reader of a project sees who it is, and only views that it may use, which all work', async () => {
  await signIn(TOKENS['reader of a project']);
  await page.getByText('Your role does not allow this page.').waitFor();
  await page.goto(new URL('/rebalance', page.url()).href);
  await page.getByText('Your role does not allow this page.').waitFor();
  expect(await page.locator('.viewer').innerText()).toContain('may read project');
  expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
    'Consumers',
    'Projects',
    'GraphiQL',
  ]);
  await page.getByRole('link', { name: 'To the first page' }).click();
  await page.waitForURL(/\/projects\//);
  for (const link of ['Consumers', 'Projects']) {
    await page.getByRole('navigation').getByRole('link', { name: link }).click();
    await watched.live();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toMatch(/FORBIDDEN|invalid|Reconnecting/);
  }
});

test('a reader is offered no changes', async () => {
  await signIn(TOKENS.reader);
  await page.locator('.provider-box').first().waitFor();
  for (const name of ['Start maintenance', 'Remove host'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await page.getByRole('link', { name: 'Place it' }).click();
  await page.locator('.candidate').first().waitFor();
  expect(await page.getByRole('button', { name: 'Claim' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Rebalance' }).click();
  await watched.button('Plan').click();
  await page.getByRole('region', { name: 'Moves in their order' }).waitFor();
  expect(await page.getByRole('button', { name: 'Carry out' }).count()).toBe(0);
});

test('GraphiQL uses the token of the dashboard, and links back', async () => {
  await signIn(TOKENS.reader);
  await page.locator('.provider-box').first().waitFor();
  await page.getByRole('link', { name: 'GraphiQL' }).click();
  const isAnswered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  expect((await isAnswered).status()).toBe(200);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.locator('.honeycomb').waitFor();
});

test.each([
  ['reader', 0],
  ['admin', 1],
  ['service', 1],
] as const)('maintenance of several hosts is offered to a viewer (%s: %i times)', async (role, offered) => {
  await signIn(TOKENS[role]);
  await page.locator('.provider-box').first().waitFor();
  await watched.visit('/?mode=select&host=host-00001&host=host-00002', '.selection');
  await page.locator('.selection', { hasText: '2 hosts selected' }).waitFor();
  await page.locator('.selection').getByRole('link', { name: 'Drain' }).waitFor();
  expect(await page.getByRole('button', { name: 'Start maintenance of 2 hosts' }).count()).toBe(offered);
});

test.each(WIDTHS)('%s: the sign-in names the product', async (look, viewport) => {
  await page.setViewportSize(viewport);
  expect(await page.locator('.token-form .brand').innerText()).toContain('Placement');
  expect(await page.title()).toBe('Sign in · Placement');
  await expectReadable(page, `sign-in-${look}`, [[look, 'light', viewport]]);
});
