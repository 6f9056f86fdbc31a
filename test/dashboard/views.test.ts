import { beforeAll, expect, test } from '@jest/globals';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { IS_FULL } from '../support/length.js';
import { expectReadable, LOOKS, PHONE } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 100 }, 'view');
let consumer: string;

beforeAll(async () => void ([consumer] = await dashboard.consumers('first: 1')));

const NO_CONSUMER = '00000000-0000-4000-8000-000000000000';
const GROUPS = 'resources=VCPU:4&resources_NET=SRIOV_NET_VF:1';

/** Every view: what is there once its data has come, the heading (null: an id), and the marked link of the navigation. */
const VIEWS = [
  ['fleet', '/', '.fit-table tbody td:not(.muted)', 'Fleet', 'page: Fleet'],
  ['fleet by trait', '/?group=HW_CPU_X86_AVX2&search=host-0000', '.honeycomb', 'Fleet', 'page: Fleet'],
  ['fleet without such hosts', '/?class=PCPU', '.map-panel .state-title', 'Fleet', 'page: Fleet'],
  ['host', '/hosts/host-00018', '.provider-box', 'host-00018', 'true: Fleet'],
  ['new host', '/new-host', '.new-host', 'Add a host', 'true: Fleet'],
  ['host that is none', '/hosts/nothing', '.state-title', 'nothing', 'true: Fleet'],
  ['consumers', '/consumers?host=host-00018', 'tbody tr', 'Consumers', 'page: Consumers'],
  ['consumers of an unknown host', '/consumers?host=nothing', '.state-title', 'Consumers', 'page: Consumers'],
  ['consumer', '/consumers/CONSUMER?to=other', '.provider-box.lit', null, 'true: Consumers'],
  ['consumer that is none', `/consumers/${NO_CONSUMER}`, '.state-title', NO_CONSUMER, 'true: Consumers'],
  ['projects', '/projects?order=-consumerCount', 'tbody tr', 'Projects', 'page: Projects'],
  ['project', '/projects/project-01', 'tbody tr', 'project-01', 'true: Projects'],
  ['place', `/place?${GROUPS}&order=VCPU:pack`, '.headroom', 'Place it', 'page: Place it'],
  ['place without candidates', '/place?resources=VCPU:4000', '.funnel', 'Place it', 'page: Place it'],
  ['drain', '/drain?aggregate=zone-01', '.drain-form', 'Drain hosts', 'true: Fleet'],
  ['rebalance', '/rebalance?goal=EVEN_OUT', '.rebalance-form', 'Rebalance', 'page: Rebalance'],
  ['audit without findings', '/audit', '.state-title', 'Audit', 'page: Audit'],
] as const;

/**
 * The accessibility check takes most of the time. A short run does it in one look of every second view, and shows only
 * that look and the narrow one.
 */
const CHECKED = VIEWS.map((view, at) => {
  const looks = IS_FULL ? LOOKS : [LOOKS[at % 4 < 2 ? 0 : 1], LOOKS[2]];
  return [...view, looks, IS_FULL ? looks : looks.slice(0, at % 2)] as const;
});

test.each(CHECKED)(
  '%s: accessible in every look, marked in the navigation, asks no other origin for anything, and logs nothing',
  async (name, path, awaited, heading, marked, looks, checked) => {
    await watched.visit(path.replace('CONSUMER?', `${consumer}?`), awaited);
    await page
      .locator('.live-mark.live, .state, .headroom, .new-host, .rebalance-form, .drain-form')
      .first()
      .waitFor();
    const links = page.getByRole('navigation').locator('[aria-current]');
    expect(
      await links.evaluateAll((all) => all.map((one) => `${one.ariaCurrent}: ${one.textContent}`)),
    ).toEqual([marked]);
    expect(await page.title()).toBe(`${heading ?? consumer} · Placement`);
    await expectReadable(page, name.replaceAll(' ', '-'), looks, checked);
    expect(watched.faults).toEqual([]);
  },
);

test('colours are chosen by hand, and kept', async () => {
  await watched.open('/', '.honeycomb');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByLabel('Colours', { exact: true }).selectOption('dark');
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.locator('.honeycomb').waitFor();
  expect(await background()).toBe(dark);
});

test('an unknown page is not found', async () => {
  await watched.open('/nowhere', 'h1');
  expect(await page.title()).toBe('Not found · Placement');
  expect((await page.reload())!.status()).toBe(404);
});

test('names of 200 characters have pages', async () => {
  const name = '%/ä€'.repeat(50);
  await createProviders(api, { name, inventories: { VCPU: 8 } });
  await watched.visit(`/hosts/${encodeURIComponent(name)}`, '.provider-box');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
});

test('links lead to hosts that are named like the parts of a path', async () => {
  await api.mutate('createResourceClass', { name: 'CUSTOM_DOTS' }, '__typename');
  for (const name of ['.', '..']) {
    await createProviders(api, { name, inventories: { CUSTOM_DOTS: 8 } });
    await watched.visit('/?class=CUSTOM_DOTS', '.fleet-list tbody a');
    await page.locator('.fleet-list tbody').getByRole('link', { name, exact: true }).click();
    await page.locator('.provider-box').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
    await page.reload();
    await page.locator('.provider-box').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
  }
});

test('Back leads to the page of the list before, at the place where it was left', async () => {
  await watched.visit('/consumers', 'tbody tr');
  const first = await page.locator('tbody tr').first().innerText();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/after=/);
  await page
    .locator('tbody tr')
    .first()
    .filter({ hasNotText: first.slice(0, 36) })
    .waitFor();
  await page.evaluate(() => scrollTo(0, 600));
  await page.waitForTimeout(200);
  await page.locator('tbody tr a').nth(60).click();
  await page.locator('.provider-box').first().waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await page.waitForFunction(() => scrollY === 600);
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('after'));
});

test('/ leads to the search, and arrow keys go through a list', async () => {
  await watched.visit('/?order=name', 'tbody tr');
  await page.keyboard.press('/');
  await page.keyboard.type('host-0001');
  await page.locator('.found', { hasText: '10 found' }).waitFor();
  await page.locator('tbody tr a').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'host-00011' }).waitFor();
});

test('on a phone rows are cards, a tree is readable to its last level, and the request comes before its result', async () => {
  await page.setViewportSize(PHONE);
  await watched.visit('/consumers', 'tbody tr');
  const row = (await page.locator('tbody tr').first().boundingBox())!;
  expect([row.x >= 0, row.x + row.width <= 390, row.height > 100]).toEqual([true, true, true]);
  await watched.visit('/hosts/host-00018', '.provider-box');
  for (const box of await page.locator('.provider-box').all()) {
    const { x, width } = (await box.boundingBox())!;
    expect([x >= 0, x + width <= 390, width > 200]).toEqual([true, true, true]);
  }
  await watched.visit('/place', '.candidate');
  const top = async (part: string) => (await page.locator(part).first().boundingBox())!.y;
  expect(await top('.request-editor')).toBeLessThan(await top('.candidate'));
  await page.getByRole('link', { name: 'To the result' }).click();
  await page.waitForFunction(() => scrollY > 300);
});
