import { beforeAll, describe, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, overhangsOf, WIDTHS } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 100 }, 'view');

const LONG = 'x'.repeat(200);
/** A consumer that fits nowhere else. */
let large: string;

beforeAll(async () => {
  await createProviders(api, { name: LONG, inventories: { VCPU: 8 } });
  await createProviders(api, {
    name: 'disabled-host',
    inventories: { VCPU: 4000 },
    traits: ['COMPUTE_STATUS_DISABLED'],
  });
  large = await claimed(api, { [await dashboard.uuidOf('disabled-host')]: { VCPU: 3000 } });
});

const focused = () =>
  page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 30) || document.activeElement?.id);
const topOf = async (part: string) => (await page.locator(part).first().boundingBox())!.y;

describe.each(WIDTHS)('%s', (look, viewport) => {
  const open = async (path: string, awaited: string): Promise<void> => {
    await page.setViewportSize(viewport);
    await watched.visit(path, awaited);
  };

  test('the focus returns to the button of a dialog, and goes to the content after Enter on the map', async () => {
    await open('/hosts/host-00001', '.provider-box');
    for (const leave of ['Escape', 'Cancel']) {
      await watched.button('Start maintenance').focus();
      await page.keyboard.press('Enter');
      await watched.dialog().waitFor();
      if (leave === 'Escape') await page.keyboard.press('Escape');
      else await watched.dialog().getByRole('button', { name: 'Cancel' }).press('Enter');
      await watched.dialog().waitFor({ state: 'detached' });
      expect([leave, await focused()]).toEqual([leave, 'Start maintenance']);
    }
    await open('/', '.honeycomb');
    await page.locator('.honeycomb').focus();
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.locator('.provider-box').first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await open('/place', '.candidate');
    await page.getByRole('button', { name: 'Remove VCPU:4' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  });

  test('every tab of the navigation is in sight, capacity comes before the list, and the request before its result', async () => {
    await open('/', '.fit-table tbody td');
    for (const tab of await page.getByRole('navigation').getByRole('link').all()) {
      const { x, y, width } = (await tab.boundingBox())!;
      expect([x >= 0, x + width <= viewport.width, y < 120]).toEqual([true, true, true]);
    }
    await page.locator('.fleet-list').waitFor();
    expect(await topOf('.fit-panel')).toBeLessThan(
      viewport.width > 900 ? viewport.height : await topOf('.fleet-list'),
    );
    await open('/place', '.candidate');
    expect(await topOf('.request-editor')).toBeLessThan(await topOf('.candidate'));
    expect(await page.getByRole('link', { name: 'To the result' }).isVisible()).toBe(viewport.width < 1000);
  });

  test('a name of 200 characters does not widen pages and dialogs', async () => {
    await open(`/hosts/${LONG}`, '.provider-box');
    for (const button of ['Start maintenance', 'Remove host']) {
      await watched.button(button).click();
      await watched.dialog().getByText(LONG).first().waitFor();
      expect(await watched.dialog().evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      expect(await overhangsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await open(`/?search=${LONG}`, '.fleet-list');
    expect(await overhangsOf(page)).toEqual([]);
    await open(`/consumers/${large}`, '.provider-box');
    await open('/place?resources=VCPU:8', '.candidate');
    expect(await overhangsOf(page)).toEqual([]);
  });

  test('a device on the NUMA node of the start request: names, the button, sizes, and what is wrong', async () => {
    await open('/place', '.candidate');
    await page.getByLabel('Name of a new group', { exact: true }).fill('_VF');
    await page.keyboard.press('Enter');
    await page.getByLabel('Resources of _VF', { exact: true }).fill('SRIOV_NET_VF:1');
    await page.keyboard.press('Enter');
    await watched.button('On the same NUMA node as the unsuffixed group (_VF)').click();
    await watched
      .button('On the same NUMA node as _MAIN (_VF)')
      .and(page.locator('[aria-pressed=true]'))
      .waitFor();
    expect(watched.address().get('same_subtree')).toBe('_NUMA,_MAIN,_VF');
    await page.locator('.candidate .group-mark', { hasText: '_VF' }).first().waitFor();
    for (const one of await page.locator('.candidate > p').allInnerTexts())
      expect(one).toMatch(/of (host-\d+-numa\d); 1 SRIOV_NET_VF of \1/);
    await page.getByLabel('Name of _MAIN', { exact: true }).fill('_VF');
    await page.getByText('Another group is named "_VF".').waitFor();
    await page.getByLabel('Name of _MAIN', { exact: true }).fill('_CPU');
    await page.keyboard.press('Enter');
    await page.getByLabel('Resources of _CPU', { exact: true }).fill('MEMORY_MB:16G');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove MEMORY_MB:16384' }).waitFor();
    expect(watched.address().get('same_subtree')).toBe('_NUMA,_CPU,_VF');
    await page.getByLabel('Resources of _CPU', { exact: true }).fill('VCPU:2G');
    await page.keyboard.press('Enter');
    await page.getByText('"2G" is no amount of VCPU').waitFor();
    await expectReadable(page, `place-groups-${look}`, [[look, 'light', viewport]]);
  });

  test('the preview of a new host shows its parts', async () => {
    await open('/new-host', '.new-host');
    await page.getByLabel('Name').fill('a-new-host');
    for (const [label, term] of [
      ['Inventories', 'MEMORY_MB:256G'],
      ['Traits', 'HW_CPU_X86_AVX2'],
      ['Aggregates', 'zone-01'],
    ]) {
      await page.getByLabel(label, { exact: true }).fill(term);
      await page.keyboard.press('Enter');
    }
    await watched.button('Preview').click();
    await watched.dialog().getByText('Creates').waitFor();
    expect(await watched.dialog().locator('.chip').allInnerTexts()).toEqual([
      'MEMORY_MB:262144',
      'HW_CPU_X86_AVX2',
      'zone-01',
    ]);
    await page.keyboard.press('Escape');
  });

  test('texts fit the state: an impossible move, a drain in maintenance, an audit that found nothing, an empty type', async () => {
    await open(`/consumers/${large}?to=other`, '.provider-box');
    await watched.button('Move').click();
    await watched.dialog().getByText('This consumer cannot move').waitFor();
    expect(await watched.dialog().innerText()).toContain('stays where it is');
    await page.keyboard.press('Escape');
    const small = await claimed(api, { [await dashboard.uuidOf('disabled-host')]: { VCPU: 1 } });
    await open('/hosts/disabled-host', '.provider-box');
    const drain = page.locator('section[aria-labelledby=drain]');
    await drain.getByRole('button', { name: 'Plan' }).click();
    await drain.getByRole('button', { name: 'Move 1 consumer' }).click();
    expect(await watched.dialog().innerText()).toContain('Maintenance keeps new consumers off.');
    await page.keyboard.press('Escape');
    await api.mutate('deleteConsumer', { consumer: small });
    await open('/audit?check=EMPTY_CONSUMER', '.state-title');
    expect(await page.getByText('audit-database').count()).toBe(0);
    await open('/place', '.claim-form');
    expect(await page.getByLabel('Type', { exact: true }).getAttribute('placeholder')).toBeNull();
  });

  test('the columns of projects state that they load', async () => {
    const answer = await watched.hold('query ProjectUsages');
    await open('/projects', 'tbody tr');
    await page.getByText('Loading the use of each class …').waitFor();
    expect(await page.locator('tbody tr').first().innerText()).toContain('loading …');
    expect(await overhangsOf(page)).toEqual([]);
    answer();
    await page.getByText('Loading the use of each class …').waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').first().innerText()).not.toContain('loading …');
  });
});
