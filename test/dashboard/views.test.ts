import { beforeAll, expect, test } from '@jest/globals';
import { useDashboard } from './dashboard.js';
import { DESKTOP, overhangsOf, keepPicture, NARROW, violationsOf } from './page.js';

const { dashboard, api } = useDashboard({ hosts: 100 }, 'one page');
let consumer: string;

beforeAll(async () => {
  const { data } = await api.query<{ consumers: { nodes: { uuid: string }[] } }>(
    '{ consumers(first: 1) { nodes { uuid } } }',
  );
  [{ uuid: consumer }] = data.consumers.nodes;
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

const LOOKS = [
  ['light', 'light', DESKTOP],
  ['dark', 'dark', DESKTOP],
  ['narrow', 'light', NARROW],
] as const;

test.each(VIEWS)(
  '%s: accessible in every look, asks no other origin for anything, and logs nothing',
  async (name, path, awaited) => {
    const { page, faults, open } = await dashboard.newPage({ colorScheme: 'light' });
    await open(path.replace('CONSUMER?', `${consumer}?`), awaited);
    await page.locator('.live-mark.live, .state, .headroom').first().waitFor();
    for (const [look, colorScheme, viewport] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect([look, await violationsOf(page)]).toEqual([look, []]);
      expect([look, await overhangsOf(page)]).toEqual([look, []]);
      await keepPicture(page, `${name.replaceAll(' ', '-')}-${look}`);
    }
    expect(faults).toEqual([]);
    await page.close();
  },
);

test.each([
  ['/', 'Fleet', 'page'],
  ['/hosts/host-00018', 'Fleet', 'true'],
  ['/place', 'Place it', 'page'],
  ['/consumers', 'Consumers', 'page'],
  ['/consumers/CONSUMER', 'Consumers', 'true'],
  ['/projects/project-01', 'Projects', 'true'],
  ['/audit', 'Audit', 'page'],
])('the navigation marks what %s belongs to', async (path, label, current) => {
  const { page, open } = await dashboard.newPage();
  await open(path.replace('CONSUMER', consumer), 'h1');
  const marked = page.getByRole('navigation').locator('[aria-current]');
  expect(await marked.allInnerTexts()).toEqual([label]);
  expect(await marked.getAttribute('aria-current')).toBe(current);
  await page.close();
});

test('colours are chosen by hand, and kept', async () => {
  const { page, open } = await dashboard.newPage({ colorScheme: 'light' });
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
