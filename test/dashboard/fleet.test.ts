import { expect, test } from '@jest/globals';
import { claimed, generations } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { NARROW } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 100 }, 'view');

const hosts = () => page.locator('section[aria-labelledby=hosts]');
const rows = () => hosts().locator('tbody tr');
const HOST = 'section[aria-labelledby=hosts] tbody tr';
const CHOSEN = '.class-choice.chosen';
const changed = (selector: string, before: string) =>
  page.waitForFunction(
    ([at, text]) => (document.querySelector<HTMLElement>(at)?.innerText ?? text) !== text,
    [selector, before],
  );
const found = (text: string) => page.locator('.found', { hasText: text }).waitFor();

/** The colours of the map's canvas: how many pixels of each. */
const pixels = (): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.honeycomb canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const counts: Record<string, number> = {};
    for (let at = 0; at < data.length; at += 4) {
      const colour = `${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`;
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
  });

test('shows all hosts by the class of the address, and another one that is chosen', async () => {
  await watched.visit('/?class=MEMORY_MB', '.honeycomb');
  expect(await page.getByRole('img', { name: /100 hosts with MEMORY_MB/ }).count()).toBe(1);
  await page.getByText('DISK_GB', { exact: true }).click();
  await page.getByRole('img', { name: /102 hosts with DISK_GB/ }).waitFor(); // storage has it as well
  expect(watched.address().get('class')).toBe('DISK_GB');
});

test('the search highlights hosts while typing, fades the others, and opens the first', async () => {
  await watched.visit('/?group=none', '.honeycomb');
  const before = await pixels();
  await page.getByLabel('Search hosts').fill('HOST-0001');
  await found('10 found');
  expect(await rows().count()).toBe(10);
  expect(await pixels()).not.toEqual(before);
  await page.getByLabel('Search hosts').press('Enter');
  await page.locator('.host-tip', { hasText: 'host-00010' }).waitFor();
  expect(watched.address().get('search')).toBe('HOST-0001');
});

test('a link leads to the same picture', async () => {
  const before = page.url();
  await watched.open(
    '/?group=rack&class=SRIOV_NET_VF&search=host-0003&order=name&view=3.00,0.2,0.3',
    '.honeycomb',
  );
  await found('10 found');
  expect(await rows().first().innerText()).toMatch(/^host-00030/);
  expect(await page.getByLabel('Group hosts').inputValue()).toBe('rack');
  expect(await page.locator('.class-choice.chosen').innerText()).toMatch(/^SRIOV_NET_VF/);
  const zoomed = await pixels();
  await page.getByLabel('Show all').click();
  await page.waitForURL((url) => !url.searchParams.has('view'));
  expect(await pixels()).not.toEqual(zoomed);
  await page.goBack().catch(() => null); // the view itself is no place in the history
  expect(page.url()).toBe(before);
});

test('groups by a trait, and sorts the list', async () => {
  await watched.visit('/?group=COMPUTE_VOLUME_MULTI_ATTACH', '.honeycomb');
  expect(await page.getByLabel('Trait').inputValue()).toBe('COMPUTE_VOLUME_MULTI_ATTACH');
  await hosts().getByRole('button', { name: 'Free' }).click();
  expect(watched.address().get('order')).toBe('free');
  const free = await rows().locator('td:nth-child(4)').allInnerTexts();
  const numbers = free.map((text) => Number(text.replace(',', '')));
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
});

test('keys go from host to host and open one', async () => {
  await watched.visit('/', '.honeycomb');
  await page.locator('.honeycomb').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.host-tip', { hasText: 'host-00001' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.host-tip', { hasText: 'host-00021' }).waitFor(); // the next one in its zone
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'host-00021' }).waitFor();
});

test('the host selected by keys stays selected when the map changes its shape, wherever the pointer is', async () => {
  await watched.visit('/', '.honeycomb');
  const { x, y, width, height } = (await page.locator('.honeycomb canvas').boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.locator('.honeycomb').focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.locator('.host-tip', { hasText: 'host-00001' }).waitFor();
  const { width: wide, height: high } = page.viewportSize()!;
  await page.setViewportSize({ width: wide, height: Math.round(high / 2) }); // the pointer is outside now
  await page.waitForTimeout(300);
  await page.locator('.host-tip', { hasText: 'host-00001' }).waitFor({ timeout: 5_000 });
  await page.setViewportSize({ width: wide, height: high }); // and inside again
  await page.waitForTimeout(300);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.locator('.host-tip', { hasText: 'host-00001' }).waitFor({ timeout: 5_000 });
});

test('the host selected by keys stays selected during a full read', async () => {
  await watched.visit('/', '.honeycomb');
  await watched.live();
  await page.locator('.honeycomb').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.host-tip', { hasText: 'host-00001' }).waitFor();
  const read = page.waitForResponse(
    (response) => !!response.request().postData()?.includes('query FleetMap('),
  );
  const name = 'host-00050';
  await api.mutate('updateResourceProvider', {
    resourceProvider: { name },
    traits: { set: ['HW_CPU_X86_AVX2'] },
    generation: (await generations(api, await dashboard.uuidOf(name)))[0],
  });
  await (await read).finished();
  await page.keyboard.press('ArrowRight');
  await page.locator('.host-tip', { hasText: 'host-00021' }).waitFor();
});

test('wheel and drag move the map, a click opens a host', async () => {
  await watched.visit('/', '.honeycomb');
  const { x, y, width, height } = (await page.locator('.honeycomb canvas').boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, -400);
  await page.waitForURL(/view=/);
  const before = watched.address().get('view');
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 80, y + height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.get('view') !== before);
  await page.locator('.honeycomb').focus();
  await page.keyboard.press('0');
  await page.keyboard.press('ArrowRight');
  const tip = (await page.locator('.host-tip').boundingBox())!;
  await page.mouse.click(tip.x + tip.width / 2, tip.y + tip.height + 14);
  await page.waitForURL(/hosts\/host-00001$/);
});

test('a change made through the API is on the page within a second, in list, map and totals', async () => {
  await watched.visit('/?class=VCPU', '.honeycomb');
  await page.getByLabel('Search hosts').fill('host-00001');
  await found('1 found');
  await watched.live();
  await page.locator('.class-choice.chosen .bar-figures').waitFor();
  await rows().nth(1).waitFor({ state: 'detached' }); // the list follows the search
  const [before, summed] = [await page.innerText(HOST), await page.innerText(CHOSEN)];
  const colours = await pixels();
  const nodes = [await dashboard.uuidOf('host-00001-numa0'), await dashboard.uuidOf('host-00001-numa1')];
  await claimed(api, { [nodes[0]]: { VCPU: 32 }, [nodes[1]]: { VCPU: 32 } });
  await Promise.all([changed(HOST, before), changed(CHOSEN, summed)]);
  expect(await pixels()).not.toEqual(colours);
});

test('hosts that come and go are drawn and listed', async () => {
  await watched.visit('/?search=new-host', '.honeycomb');
  await watched.live();
  await found('0 found');
  await createProviders(api, { name: 'new-host', inventories: { VCPU: 8 } });
  await found('1 found');
  await api.mutate('deleteResourceProvider', { resourceProvider: { name: 'new-host' } });
  await found('0 found');
});

test('a host that loses its inventory of the class leaves the map', async () => {
  await watched.visit('/?group=none&class=VCPU', '.honeycomb');
  await watched.live();
  const map = (count: number) => page.getByRole('img', { name: new RegExp(`${count} hosts with VCPU`) });
  await createProviders(api, { name: 'losing', inventories: { VCPU: 8, MEMORY_MB: 64 } });
  await map(101).waitFor();
  await page.waitForTimeout(1_000); // the events of its creation make the page read everything
  await api.mutate('updateResourceProvider', {
    resourceProvider: { name: 'losing' },
    inventories: { remove: ['VCPU'] },
  });
  await map(100).waitFor();
});

test('tells how many of each flavor still fit per zone, and keeps flavors in the address', async () => {
  await watched.visit('/?flavors=tiny%3DVCPU%3A1%3Bhuge%3DVCPU%3A128', '.fit-table tbody td:not(.muted)');
  const zone = page.locator('.fit-table tbody tr', { hasText: 'zone-03' });
  await zone.locator('td:nth-child(3):not(.muted)').waitFor();
  const expected = async (amount: number): Promise<number> => {
    const { headroom } = await api.read<{ headroom: { count: number } }>(
      `{ headroom(upTo: 2000, request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: ${amount} }] }],
         rootForbiddenTraits: ["COMPUTE_STATUS_DISABLED"], rootMemberOf: [[{ name: "zone-03" }]] }) { count } }`,
    );
    return headroom.count;
  };
  expect((await zone.locator('td').allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')))).toEqual([
    await expected(1),
    await expected(128),
  ]);
  await page.getByLabel('Flavor to add').fill('nothing');
  await page.getByRole('button', { name: 'Add' }).click();
  expect(await page.getByLabel('Flavor to add').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Flavor to add').fill('gpu=VGPU=1,VCPU:4');
  await page.getByRole('button', { name: 'Count again' }).click(); // text counts without Add
  expect(watched.address().get('flavors')).toBe('tiny=VCPU:1;huge=VCPU:128;gpu=VGPU:1,VCPU:4');
  await page.getByLabel(/^Remove huge/).click();
  expect(watched.address().get('flavors')).toBe('tiny=VCPU:1;gpu=VGPU:1,VCPU:4');
  await page.getByRole('link', { name: /^gpu/ }).click();
  await page.locator('.candidate').first().waitFor();
  expect(Object.fromEntries(watched.address())).toEqual({ resources: 'VGPU:1,VCPU:4' });
  expect(watched.faults).toEqual([]);
});

test('the counts of a zone are shown together', async () => {
  const release = await watched.hold('query FlavorHeadroom');
  let asked = 0;
  await watched.intercept('query FlavorHeadroom', (route) =>
    ++asked === 1 ? route.continue() : route.fallback(),
  );
  await watched.visit('/?flavors=tiny%3DVCPU%3A1%3Bhuge%3DVCPU%3A128', '.fit-table tbody tr');
  while (asked < 2) await page.waitForTimeout(20);
  expect(await page.locator('.fit-table tbody td:not(.muted)').count()).toBe(0);
  release();
  await page.locator('.fit-table tbody tr').first().locator('td:nth-child(3):not(.muted)').waitFor();
});

test('the map has the share of each zone, with its name where that fits', async () => {
  await page.addInitScript(() => {
    const painted: string[] = [];
    const { prototype } = CanvasRenderingContext2D;
    prototype.fillText = new Proxy(Object.getOwnPropertyDescriptor(prototype, 'fillText')!.value as object, {
      apply(paint, canvas, given: [string]) {
        painted.push(given[0]);
        Reflect.apply(paint as () => void, canvas, given);
      },
    }) as typeof prototype.fillText;
    Object.assign(window, { painted });
  });
  const painted = async (): Promise<string[]> => {
    await watched.open('/', '.honeycomb'); // runs the script above
    await page.waitForFunction(() => (window as unknown as { painted: string[] }).painted.length > 0);
    return page.evaluate(() => (window as unknown as { painted: string[] }).painted);
  };
  expect((await painted())[0]).toMatch(/^zone-01 \d+%$/);
  await page.setViewportSize(NARROW);
  for (const text of await painted()) expect(text).toMatch(/^\d+%$/);
});
