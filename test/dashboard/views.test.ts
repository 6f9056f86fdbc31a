import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { loadSample } from '../../src/cli/sample/sample.js';
import { launchChromium } from '../browser/chromium.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { DESKTOP, overhangsOf, keepPicture, NARROW, openPage, violationsOf } from './page.js';

let database: TestDatabase;
let api: Api;
let browser: Browser;
let origin: string;
let consumer: string;

beforeAll(async () => {
  database = await testDatabase();
  await loadSample(database, { hosts: 100 });
  api = await startApi(database);
  ({ origin } = new URL(api.url));
  browser = await launchChromium();
  const { data } = await api.query<{ consumers: { nodes: { uuid: string }[] } }>(
    '{ consumers(first: 1) { nodes { uuid } } }',
  );
  [{ uuid: consumer }] = data.consumers.nodes;
}, 60_000);

afterAll(async () => {
  await browser.close();
  await api.close();
  await database.close();
});

/** Every view, with what is there once its data has come. */
const VIEWS = [
  ['fleet', '/', '.fit-table tbody td:not(.muted)'],
  ['fleet by trait', '/?group=HW_CPU_X86_AVX2&search=host-0000', '.honeycomb'],
  ['fleet without such hosts', '/?class=PCPU', '.map-panel .state-title'],
  ['host', '/hosts/host-00018', '.provider-box'],
  ['host that is none', '/hosts/nothing', '.state-title'],
  ['consumers', '/consumers?host=host-00018', 'tbody tr'],
  ['consumers of an unknown host', '/consumers?host=nothing', '.state-title'],
  ['consumer', '/consumers/CONSUMER?to=other', '.provider-box.lit'],
  ['consumer that is none', '/consumers/00000000-0000-4000-8000-000000000000', '.state-title'],
  ['projects', '/projects?order=-CONSUMER_COUNT', 'tbody tr'],
  ['project', '/projects/project-01', 'tbody tr'],
  ['place', '/place?resources=VCPU:4&resources_NET=SRIOV_NET_VF:1&order=VCPU:pack', '.headroom'],
  ['place without candidates', '/place?resources=VCPU:4000', '.funnel'],
  ['audit without findings', '/audit', '.state-title'],
] as const;

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light', viewport: DESKTOP }],
  ['dark', { colorScheme: 'dark', viewport: DESKTOP }],
  ['narrow', { colorScheme: 'light', viewport: NARROW }],
];

describe.each(LOOKS)('%s', (look, options) => {
  test('every view is accessible, asks no other origin for anything, and logs nothing', async () => {
    const { page, faults, open } = await openPage(browser, origin, options);
    for (const [name, path, awaited] of VIEWS) {
      await open(path.replace('CONSUMER?', `${consumer}?`), awaited);
      await page.locator('.live-mark.live, .state, .headroom').first().waitFor();
      expect([name, await violationsOf(page)]).toEqual([name, []]);
      expect([name, await overhangsOf(page)]).toEqual([name, []]);
      await keepPicture(page, `${name.replaceAll(' ', '-')}-${look}`);
    }
    expect(faults).toEqual([]);
    await page.close();
  }, 60_000);
});

test.each([
  ['/', 'Fleet', 'page'],
  ['/hosts/host-00018', 'Fleet', 'true'],
  ['/place', 'Place it', 'page'],
  ['/consumers', 'Consumers', 'page'],
  ['/consumers/CONSUMER', 'Consumers', 'true'],
  ['/projects/project-01', 'Projects', 'true'],
  ['/audit', 'Audit', 'page'],
])('the navigation marks what %s belongs to', async (path, label, current) => {
  const { page, open } = await openPage(browser, origin);
  await open(path.replace('CONSUMER', consumer), 'h1');
  const marked = page.getByRole('navigation').locator('[aria-current]');
  expect(await marked.allInnerTexts()).toEqual([label]);
  expect(await marked.getAttribute('aria-current')).toBe(current);
  await page.close();
});

test('colours are chosen by hand, and kept', async () => {
  const { page, open } = await openPage(browser, origin, { colorScheme: 'light' });
  await open('/', '.honeycomb');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByLabel('Colours', { exact: true }).selectOption('dark');
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.locator('.honeycomb').waitFor();
  expect(await background()).toBe(dark);
  await page.close();
});
