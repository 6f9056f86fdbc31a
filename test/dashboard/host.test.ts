import { beforeAll, expect, test } from '@jest/globals';
import { claimed, setAllocations, shown, takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { DESKTOP_AND_PHONE, expectReadable } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 100 }, 'nothing');

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
  const { resourceProvider } = await api.read<{ resourceProvider: Provider & { descendants: Provider[] } }>(
    `{ resourceProvider(by: { name: "${HOST}" }) { ${provider} descendants { ${provider} } } }`,
  );
  const { descendants, ...root } = resourceProvider;
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
  await watched.visit(`/hosts/${name}`, '.provider-box');
  expect(await box(name).innerText()).toContain('NET_BW_EGR_KILOBIT_PER_SEC');
  expect(await cut()).toEqual([]);
  expect(await page.locator('.view-head').innerText()).toContain('1 provider');
  await watched.visit(`/hosts/${HOST}`, '.provider-box');
});

test('shows what is known of the provider that is chosen, and keeps it in the address', async () => {
  expect(await panel().innerText()).toContain('zone-18');
  await box(`${HOST}-numa1`).click();
  await panel()
    .getByRole('heading', { name: `${HOST}-numa1` })
    .waitFor();
  expect(await panel().innerText()).toMatch(/VCPU[^]*of 128[^]*total 32 · × 4[^]*HW_NUMA_ROOT/);
  expect(watched.address().get('provider')).toBe(`${HOST}-numa1`);
});

test('lists consumers with what they take, and changes as they happen', async () => {
  await watched.live();
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

test('the page plans a drain on request, and moves nothing', async () => {
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

test('the page executes the plan on request in one step, and not after a change', async () => {
  const drain = page.locator('section[aria-labelledby=drain]');
  const consumers = page.locator('section[aria-labelledby=consumers] tbody tr');
  const count = await consumers.count();
  const acceptLosses = async (): Promise<void> => {
    const box = watched.dialog().getByLabel('Move them all the same');
    if (await box.isVisible()) await box.check();
  };
  await drain.getByRole('button', { name: `Move ${count} consumers` }).click();
  const [, node] = await tree();
  const [uuid] = await dashboard.consumers(`filter: { inTree: { name: "${HOST}" } }, first: 1`);
  await setAllocations(api, takes(uuid, (await shown(api, uuid))!.generation, { [node.uuid]: { VCPU: 1 } }));
  expect(await watched.dialog().innerText()).toMatch(/host-\d{5}: \d+ consumer/);
  const before = await tree();
  await acceptLosses();
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  await watched.dialog().getByText('CONSUMER_GENERATION_CONFLICT').waitFor();
  expect(await tree()).toEqual(before);
  await page.keyboard.press('Escape');
  await drain.getByRole('button', { name: 'Plan again' }).click();
  await drain.getByRole('row').filter({ hasText: uuid }).getByText('1 VCPU', { exact: true }).waitFor();
  await drain.getByRole('button', { name: `Move ${count} consumers` }).click();
  await acceptLosses();
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  await drain.getByText(`${count} consumers moved.`).waitFor();
  await page.getByText('No consumer has allocations on this host.').waitFor();
  const own = (await tree()).filter(({ name }) => name.startsWith(HOST));
  expect(
    own.flatMap(({ inventories }) => inventories.map(({ used }) => used)).every((used) => used === 0),
  ).toBe(true);
});

test('starts and ends maintenance after a dry run; drains and requests then avoid the host, and the map shows it', async () => {
  await watched.visit('/hosts/host-00020', '.provider-box');
  await page.getByRole('button', { name: 'Start maintenance' }).click();
  await watched.dialog().getByText('Changes host-00020').waitFor();
  const traits = () => dashboard.traitsOf('host-00020');
  expect(await traits()).not.toContain('COMPUTE_STATUS_DISABLED');
  await watched.dialog().getByRole('button', { name: 'Start' }).click();
  await page.locator('.chip.warn', { hasText: 'in maintenance' }).waitFor();
  expect(await traits()).toContain('COMPUTE_STATUS_DISABLED');
  await watched.visit('/place?resources=VCPU:1&in_tree=host-00020', '.why-not');
  await watched.visit('/place?resources=VCPU:1&in_tree=host-00020&maintenance=allow', '.candidate');
  await watched.visit('/?search=host-00020', '.honeycomb');
  await page.locator('tbody tr', { hasText: 'in maintenance' }).waitFor();
  await watched.visit('/hosts/host-00020', '.provider-box');
  await page.getByRole('button', { name: 'End maintenance' }).click();
  await watched.dialog().getByRole('button', { name: 'End' }).click();
  await page.getByRole('button', { name: 'Start maintenance' }).waitFor();
  expect(await traits()).not.toContain('COMPUTE_STATUS_DISABLED');
});

test('adds a host, and removes it; a host in use stays', async () => {
  const name = 'a/new host of 100%';
  await watched.visit('/new-host', '.new-host');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Inventories', { exact: true }).fill('VCPU=8');
  await page.getByLabel('Aggregates', { exact: true }).fill('zone-01');
  await page.getByRole('button', { name: 'Preview' }).click();
  await watched.dialog().getByText(`Creates ${name}`).waitFor();
  await watched.dialog().getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('button', { name: 'Remove host' }).click();
  await watched.dialog().getByText('Changes a/new host').waitFor();
  await watched.dialog().getByRole('button', { name: 'Remove' }).click();
  await page.locator('.honeycomb').waitFor();
  expect(await api.read(`{ resourceProvider(by: { name: "${name}" }) { uuid } }`)).toEqual({
    resourceProvider: null,
  });
  await watched.visit('/hosts/host-00022', '.provider-box');
  await page.getByRole('button', { name: 'Remove host' }).click();
  await watched.dialog().getByText('RESHAPE_NEEDED').waitFor();
  expect(await watched.dialog().getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
});

test('is found by the uuid of any of its providers as well', async () => {
  const [, node] = await tree();
  await watched.visit(`/hosts/${node.uuid}`, '.provider-box');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(HOST);
  expect(await page.locator('.provider-box.chosen').getAttribute('title')).toBe(node.name);
});

test('leads to the map, on which it stands out', async () => {
  await watched.visit(`/hosts/${HOST}`, '.provider-box');
  await page.getByRole('link', { name: 'On the map' }).click();
  await page.locator('.found', { hasText: '1 found' }).waitFor();
  expect(watched.address().get('search')).toBe(HOST);
});

test('shows every destination in full on a desktop, and a plan is accessible in every look', async () => {
  await watched.visit('/hosts/host-00019', '.provider-box');
  await page.locator('section[aria-labelledby=drain]').getByRole('button', { name: 'Plan' }).click();
  await page.locator('.destination').first().waitFor();
  const isCut = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.querySelector('[aria-label="Moves of a drain"]')!;
    return scrollWidth > clientWidth;
  });
  expect(isCut).toBe(false);
  await page.getByRole('region', { name: 'Hosts before and after' }).waitFor();
  await expectReadable(page, 'drain', DESKTOP_AND_PHONE);
});

test('nothing has failed meanwhile', () => {
  expect(watched.faults).toEqual([]);
});
