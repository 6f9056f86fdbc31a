import { beforeAll, expect, test } from '@jest/globals';
import { claimed, setAllocations, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { DESKTOP, keepPicture, overhangsOf, violationsOf } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 100 }, 'one page');

const HOST = 'host-00018';

beforeAll(() => watched.open(`/hosts/${HOST}`, '.provider-box'));

interface Provider {
  readonly uuid: string;
  readonly name: string;
  readonly inventories: readonly {
    readonly resourceClass: { readonly name: string };
    readonly used: number;
  }[];
}

/** The host's tree as the API tells it, the root first. */
async function tree(): Promise<Provider[]> {
  const provider = 'uuid name inventories { resourceClass { name } used }';
  const { data } = await api.query<{ resourceProvider: Provider & { readonly descendants: Provider[] } }>(
    `{ resourceProvider(by: { name: "${HOST}" }) { ${provider} descendants { ${provider} } } }`,
  );
  const { descendants, ...root } = data.resourceProvider;
  return [root, ...descendants];
}

const box = (name: string) => page.locator(`.provider-box[title="${name}"]`);
const panel = () => page.locator('.provider-panel');

test('draws every provider of the tree and what shares with it, linked, with all inventories', async () => {
  const providers = await tree();
  expect(providers).toHaveLength(7);
  for (const { name, inventories } of providers) {
    expect(await box(name).locator('.box-inventory').count()).toBe(inventories.length);
    for (const { resourceClass } of inventories)
      expect(await box(name).innerText()).toContain(resourceClass.name);
  }
  expect(await box('storage-0001').getAttribute('class')).toContain('sharing');
  expect(await page.locator('.tree-link').count()).toBe(7);
  expect(await page.locator('.tree-link.sharing').count()).toBe(1);
});

test('boxes do not cover each other, and children are at the right of their parents', async () => {
  const boxes = await page.locator('.provider-box').all();
  const places = await Promise.all(boxes.map(async (one) => (await one.boundingBox())!));
  for (const [index, one] of places.entries())
    for (const other of places.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(apart).toBe(true);
    }
  const [root, node, card] = await Promise.all(
    [HOST, `${HOST}-numa0`, `${HOST}-numa0-pf0`].map(async (name) => (await box(name).boundingBox())!.x),
  );
  expect(root < node && node < card).toBe(true);
});

test('names of resource classes are shown in full, however long', async () => {
  const cut = (): Promise<string[]> =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>('.box-class'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ innerText }) => innerText),
    );
  expect(await page.locator('.box-class', { hasText: 'SRIOV_NET_VF' }).count()).toBe(4);
  expect(await cut()).toEqual([]);
  const name = 'host-of-one';
  await createProviders(api, { name, inventories: { NET_BW_EGR_KILOBIT_PER_SEC: 1_000 } });
  await watched.open(`/hosts/${name}`, '.provider-box');
  expect(await box(name).innerText()).toContain('NET_BW_EGR_KILOBIT_PER_SEC');
  expect(await cut()).toEqual([]);
  expect(await page.locator('.view-head').innerText()).toContain('1 provider');
  await watched.open(`/hosts/${HOST}`, '.provider-box');
});

test('shows what is known of the provider that is chosen, and keeps it in the address', async () => {
  expect(await panel().innerText()).toContain('zone-18');
  await box(`${HOST}-numa1`).click();
  await panel()
    .getByRole('heading', { name: `${HOST}-numa1` })
    .waitFor();
  expect(await panel().innerText()).toMatch(/VCPU[^]*of 128[^]*total 32 · × 4[^]*HW_NUMA_ROOT/);
  expect(new URL(page.url()).searchParams.get('provider')).toBe(`${HOST}-numa1`);
});

test('is found by the uuid of any of its providers as well', async () => {
  const [, node] = await tree();
  const { page: other, open } = await dashboard.newPage();
  await open(`/hosts/${node.uuid}`, '.provider-box');
  expect(await other.getByRole('heading', { level: 1 }).innerText()).toBe(HOST);
  expect(await other.locator('.provider-box.chosen').getAttribute('title')).toBe(node.name);
  await other.close();
});

test('leads to the map, on which it stands out', async () => {
  const { page: other, open } = await dashboard.newPage();
  await open(`/hosts/${HOST}`, '.provider-box');
  await other.getByRole('link', { name: 'On the map' }).click();
  await other.locator('.found', { hasText: '1 found' }).waitFor();
  expect(new URL(other.url()).searchParams.get('search')).toBe(HOST);
  await other.close();
});

test('lists consumers with what they take, and changes as they happen', async () => {
  await page.locator('.live-mark.live').waitFor();
  const rows = page.locator('section[aria-labelledby=consumers] tbody tr');
  const before = await rows.count();
  const [, node] = await tree();
  const consumer = await claimed(api, { [node.uuid]: { VCPU: 3 } }, { projectId: 'a-new-project' });
  await rows.nth(before).waitFor();
  await page.locator('.changes li').first().waitFor();
  const row = await rows.filter({ hasText: consumer }).innerText();
  expect(row).toMatch(/3 VCPU/);
  expect(row).toContain('a-new-project');
  expect(await page.locator('.changes li').first().innerText()).toContain(`${node.name} usage`);
});

test('plans a drain when it is asked to, and moves nothing', async () => {
  const drain = page.locator('section[aria-labelledby=drain]');
  const before = await tree();
  expect(await drain.locator('tbody').count()).toBe(0);
  await drain.getByRole('button', { name: 'Plan' }).click();
  await drain.getByText('fit on other hosts').waitFor();
  const consumers = await page.locator('section[aria-labelledby=consumers] tbody tr').count();
  const moves = drain.getByRole('region', { name: 'Moves of a drain' });
  expect(await moves.locator('tbody tr').count()).toBe(consumers);
  for (const target of await moves.locator('tbody td:first-child').allInnerTexts()) {
    expect(target).toMatch(/^host-\d{5}\n/);
    expect(target).not.toContain(HOST);
  }
  expect(await tree()).toEqual(before);
});

test('shows the usage of each host that the drain changes before and after, the destinations first', async () => {
  const changes = page.getByRole('region', { name: 'Hosts before and after' }).locator('tbody tr');
  await changes.first().waitFor();
  const names = await changes.locator('td:first-child b').allInnerTexts();
  expect(names.at(-1)).toBe(HOST);
  const moves = page.getByRole('region', { name: 'Moves of a drain' });
  const destinations = await moves.locator('td:first-child b').allInnerTexts();
  expect(names.slice(0, -1)).toEqual([...new Set(destinations)].sort());
  const titles = await page
    .getByRole('region', { name: 'Hosts before and after' })
    .locator('th')
    .allInnerTexts();
  const left = await changes.last().locator('td').allInnerTexts();
  for (const [at, title] of titles.entries()) {
    if (title === 'VCPU') expect(left[at]).toMatch(/^\d+ → 0 of \d+$/);
    if (title === 'MEMORY_MB') expect(left[at]).toMatch(/^[\d.]+ GiB → 0 GiB of [\d.]+ GiB$/);
  }
  expect(titles).toEqual(expect.arrayContaining(['VCPU', 'MEMORY_MB']));
});

test('carries the plan out when that is asked for as well, in one step, and not when anything has changed', async () => {
  const drain = page.locator('section[aria-labelledby=drain]');
  const dialog = page.getByRole('dialog');
  const consumers = page.locator('section[aria-labelledby=consumers] tbody tr');
  const count = await consumers.count();
  await drain.getByRole('button', { name: `Move ${count} consumers` }).click();
  const [, node] = await tree();
  const { data } = await api.query<{ consumers: { nodes: { uuid: string; generation: number }[] } }>(
    `{ consumers(filter: { inTree: { name: "${HOST}" } }, first: 1) { nodes { uuid generation } } }`,
  );
  const [{ uuid, generation }] = data.consumers.nodes;
  await setAllocations(api, takes(uuid, generation, { [node.uuid]: { VCPU: 1 } }));
  expect(await dialog.innerText()).toMatch(/host-\d{5}: \d+ consumer/);
  const before = await tree();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('CONSUMER_GENERATION_CONFLICT').waitFor();
  expect(await tree()).toEqual(before);
  await page.keyboard.press('Escape');
  await drain.getByRole('button', { name: 'Plan again' }).click();
  await drain.getByRole('row').filter({ hasText: uuid }).getByText('1 VCPU', { exact: true }).waitFor();
  await drain.getByRole('button', { name: `Move ${count} consumers` }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await drain.getByText(`${count} consumers moved.`).waitFor();
  await page.getByText('No consumer has allocations on this host.').waitFor();
  const own = (await tree()).filter(({ name }) => name.startsWith(HOST));
  expect(
    own.flatMap(({ inventories }) => inventories.map(({ used }) => used)).every((used) => used === 0),
  ).toBe(true);
});

test('shows every destination in full on a desktop, and a plan is accessible in every look', async () => {
  const { page: other, open } = await dashboard.newPage();
  await open('/hosts/host-00019', '.provider-box');
  await other.locator('section[aria-labelledby=drain]').getByRole('button', { name: 'Plan' }).click();
  await other.locator('.destination').first().waitFor();
  const isCut = await other.evaluate(() => {
    const { scrollWidth, clientWidth } = document.querySelector('[aria-label="Moves of a drain"]')!;
    return scrollWidth > clientWidth;
  });
  expect(isCut).toBe(false);
  await other.getByRole('region', { name: 'Hosts before and after' }).waitFor();
  for (const viewport of [DESKTOP, { width: 390, height: 844 }])
    for (const colorScheme of ['light', 'dark'] as const) {
      await other.setViewportSize(viewport);
      await other.emulateMedia({ colorScheme });
      expect(await violationsOf(other)).toEqual([]);
      expect(await overhangsOf(other)).toEqual([]);
      await keepPicture(other, `drain-${viewport.width}-${colorScheme}`);
    }
  await other.close();
}, 60_000);

test('starts and ends maintenance after a dry run; drains and requests then avoid the host, and the map shows it', async () => {
  const { page: other, open } = await dashboard.newPage();
  const dialog = other.getByRole('dialog');
  await open('/hosts/host-00020', '.provider-box');
  await other.getByRole('button', { name: 'Start maintenance' }).click();
  await dialog.getByText('Changes host-00020').waitFor();
  const traits = async () => {
    const { data } = await api.query<{ resourceProvider: { traits: { name: string }[] } }>(
      '{ resourceProvider(by: { name: "host-00020" }) { traits { name } } }',
    );
    return data.resourceProvider.traits.map(({ name }) => name);
  };
  expect(await traits()).not.toContain('COMPUTE_STATUS_DISABLED');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await other.locator('.chip.warn', { hasText: 'in maintenance' }).waitFor();
  expect(await traits()).toContain('COMPUTE_STATUS_DISABLED');
  await open('/place?resources=VCPU:1&in_tree=host-00020', '.why-not');
  await open('/place?resources=VCPU:1&in_tree=host-00020&maintenance=allow', '.candidate');
  await open('/?search=host-00020', '.honeycomb');
  await other.locator('tbody tr', { hasText: 'in maintenance' }).waitFor();
  await open('/hosts/host-00020', '.provider-box');
  await other.getByRole('button', { name: 'End maintenance' }).click();
  await dialog.getByRole('button', { name: 'End' }).click();
  await other.getByRole('button', { name: 'Start maintenance' }).waitFor();
  expect(await traits()).not.toContain('COMPUTE_STATUS_DISABLED');
  await other.close();
}, 60_000);

test('edits reserved amounts and traits of a provider', async () => {
  const { page: other, open } = await dashboard.newPage();
  await open('/hosts/host-00021?provider=host-00021-numa0', '.provider-box');
  await other.getByText('Edit', { exact: true }).click();
  await other.getByLabel('Reserved VCPU').fill('2');
  await other.getByLabel('Traits', { exact: true }).fill('HW_CPU_X86_AVX512F');
  await other.getByRole('button', { name: 'Preview' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByText('Changes host-00021-numa0').waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await other.locator('.provider-panel', { hasText: '2 reserved' }).waitFor();
  await other.locator('.provider-panel .chips').first().getByText('HW_CPU_X86_AVX512F').waitFor();
  await other.close();
}, 60_000);

test('adds a host, and removes it; a host in use stays', async () => {
  const { page: other, open } = await dashboard.newPage();
  const dialog = other.getByRole('dialog');
  const name = 'a/new host of 100%';
  await open('/new-host', '.new-host');
  await other.getByLabel('Name').fill(name);
  await other.getByLabel('Inventories', { exact: true }).fill('VCPU=8');
  await other.getByLabel('Aggregates', { exact: true }).fill('zone-01');
  await other.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText(`Creates ${name}`).waitFor();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await other.getByRole('heading', { level: 1, name }).waitFor();
  await other.getByRole('button', { name: 'Remove host' }).click();
  await dialog.getByText('Changes a/new host').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await other.locator('.honeycomb').waitFor();
  const { data } = await api.query<{ resourceProvider: unknown }>(
    `{ resourceProvider(by: { name: "${name}" }) { uuid } }`,
  );
  expect(data.resourceProvider).toBeNull();
  await open('/hosts/host-00022', '.provider-box');
  await other.getByRole('button', { name: 'Remove host' }).click();
  await dialog.getByText('RESHAPE_NEEDED').waitFor();
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
  await other.close();
}, 60_000);

test('nothing has failed meanwhile', () => {
  expect(watched.faults).toEqual([]);
});
