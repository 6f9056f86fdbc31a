import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, WIDTHS } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 0 }, 'view');

const hosts: Record<string, string> = {};
let kept: string;

/** Two hosts of a zone with a consumer each, and two empty hosts. */
beforeAll(async () => {
  const aggregates = ['ea000000-0000-4000-8000-000000000001'];
  for (const name of ['zone-host-1', 'zone-host-2', 'other-1', 'other-2']) {
    const inZone = name.startsWith('zone');
    Object.assign(
      hosts,
      await createProviders(api, { name, inventories: { VCPU: 8 }, ...(inZone && { aggregates }) }),
    );
  }
  await api.mutate('nameAggregate', { aggregate: { uuid: aggregates[0] }, name: 'zone-01' });
  kept = await claimed(api, { [hosts['zone-host-1']]: { VCPU: 2 } });
  await claimed(api, { [hosts['zone-host-2']]: { VCPU: 3 } });
});

/** Ends the maintenance that a test has started. */
afterEach(async () => {
  for (const name of ['zone-host-1', 'zone-host-2'])
    await api.mutate('updateResourceProvider', {
      resourceProvider: { name },
      traits: { remove: ['COMPUTE_STATUS_DISABLED'] },
    });
});

const drain = () => page.locator('section[aria-labelledby=drain]');
const count = (text: string) => page.locator('.fit-table tbody td', { hasText: text }).first().waitFor();

describe.each(WIDTHS)('%s', (look, viewport) => {
  const open = async (path: string, awaited: string): Promise<void> => {
    await page.setViewportSize(viewport);
    await watched.visit(path, awaited);
  };

  test('a plan and its goal are in the address, and survive a look at a consumer', async () => {
    await open('/rebalance', '.rebalance-form');
    await watched.button('Plan').click();
    await page.getByText('1 move frees 1 host.').waitFor();
    expect(watched.address().get('plan')).toBe('shown');
    await page.locator('section[aria-labelledby=plan] td code').first().click();
    await page.getByText('Move or resize').waitFor();
    await page.goBack();
    await page.getByText('1 move frees 1 host.').waitFor();
    await page.getByLabel('Goal').selectOption('Even out utilization');
    await watched.button('Plan').click();
    await page.getByText(/lowers? the highest utilization|Nothing worth moving/).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('1 move frees 1 host.').waitFor();
    expect(watched.address().get('goal')).toBeNull();
    await open('/rebalance?plan=shown', '.rebalance-form');
    await page.getByText('1 move frees 1 host.').waitFor(); // a link plans
  });

  test('rebalancing keeps consumers, has a scope and a least gain', async () => {
    await open('/rebalance', '.rebalance-form');
    await page.getByLabel('Least gain (hosts)').fill('2');
    await watched.button('Plan').click();
    await page.getByText('Nothing worth moving.').waitFor();
    await page.getByLabel('Least gain (hosts)').fill('');
    await page.getByLabel('Consumers that stay', { exact: true }).fill(kept);
    await page.keyboard.press('Enter');
    await page.getByLabel('Aggregate', { exact: true }).fill('zone-01');
    await watched.button('Plan').click();
    await page.getByText('1 move frees 1 host.').waitFor();
    expect(await page.getByRole('region', { name: 'Moves in their order' }).innerText()).not.toContain(kept);
    expect(Object.fromEntries(watched.address())).toEqual({ keep: kept, scope: 'zone-01', plan: 'shown' });
    await page.getByLabel('Consumers that stay', { exact: true }).fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('"nobody" has another form.').waitFor();
  });

  test('a zone is drained, and several hosts are', async () => {
    await open('/drain', '.drain-form');
    expect(await drain().getByRole('button', { name: 'Plan' }).isDisabled()).toBe(true);
    await page.getByLabel('All hosts of an aggregate').fill('zone-01');
    await page.getByText('2 hosts, 0 in maintenance.').waitFor();
    await drain().getByRole('button', { name: 'Plan' }).click();
    await drain().getByText('All 2 consumers fit on other hosts.').waitFor();
    await expectReadable(page, `drain-${look}`, [[look, 'light', viewport]]);
    await drain().getByRole('button', { name: 'Move 2 consumers' }).click();
    expect(await watched.dialog().innerText()).toContain(
      'Start maintenance first to keep new consumers off zone-host-1, zone-host-2.',
    );
    await page.keyboard.press('Escape');
    await open('/drain?host=zone-host-1&host=other-1&plan=shown', '.drain-form');
    await drain().getByText('All 1 consumer fit on other hosts.').waitFor();
    await open('/drain?host=no-such-host&plan=shown', '.drain-form');
    await page.getByRole('alert').getByText('no-such-host').waitFor();
    expect(await page.getByRole('button', { name: 'Remove no-such-host' }).count()).toBe(1);
  });

  test('hosts are selected on the map, and counted away and copied', async () => {
    await open('/?flavors=one%3DVCPU%3A1', '.honeycomb');
    await watched.button('Select hosts').click();
    await page.locator('.honeycomb').focus();
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.locator('.selection', { hasText: '1 host selected' }).waitFor();
    await watched.button('Select none').click();
    await page.getByLabel('Select a group').selectOption('zone-01');
    await page.getByLabel('Select other-1').check();
    await page.locator('.selection', { hasText: '3 hosts selected' }).waitFor();
    expect(watched.address().getAll('host')).toEqual(['zone-host-1', 'zone-host-2', 'other-1']);
    await expectReadable(page, `select-${look}`, [[look, 'light', viewport]]);
    await watched.button('What if without').click();
    await page.getByText('What if: without 3 hosts.').waitFor();
    await count('27 → 8');
    await page.getByLabel('Select other-2').check();
    await page.getByLabel('Copies').fill('3');
    await watched.button('What if with copies').click();
    await page.getByText('without 3 hosts, with 3 copies of other-2').waitFor();
    await count('27 → 32');
    await expectReadable(page, `what-if-${look}`, [[look, 'light', viewport]]);
    await page.goBack();
    await count('27 → 8');
    await page.getByLabel('Select zone-host-1').check();
    await page.locator('.selection').getByRole('link', { name: 'Drain' }).click();
    await page.getByText('What if: without 3 hosts.').waitFor();
    await watched.button('Plan for the current fleet').click();
    await drain().getByRole('button', { name: 'Plan' }).click();
    await drain().getByText('All 1 consumer fit on other hosts.').waitFor();
    expect(watched.faults).toEqual([]);
  });

  test('a plan for another fleet cannot be carried out', async () => {
    await open('/drain?aggregate=zone-01&copy=other-1:2&plan=shown', '.drain-form');
    await drain().getByText('All 2 consumers fit on other hosts.').waitFor();
    await drain().getByText('A plan for another fleet cannot be carried out.').waitFor();
    expect(await drain().getByRole('button', { name: /^Move/ }).count()).toBe(0);
  });

  test('maintenance of several hosts starts and ends', async () => {
    await open('/?mode=select&host=zone-host-1&host=zone-host-2', '.selection');
    await watched.button('Start maintenance of 2 hosts').click();
    await watched.dialog().getByText('zone-host-2').waitFor();
    await watched.dialog().getByRole('button', { name: 'Start' }).click();
    await watched.button('End maintenance of 2 hosts').waitFor();
    expect(await dashboard.traitsOf('zone-host-2')).toEqual(['COMPUTE_STATUS_DISABLED']);
    await watched.visit('/drain?aggregate=zone-01', '.drain-form');
    await page.getByText('2 hosts, 2 in maintenance.').waitFor();
    await watched.button('End maintenance of 2 hosts').click();
    await watched.dialog().getByRole('button', { name: 'End' }).click();
    await page.getByText('2 hosts, 0 in maintenance.').waitFor();
    expect(await dashboard.traitsOf('zone-host-1')).toEqual([]);
  });

  test.each([
    ['/rebalance?goal=WINGS', '"WINGS" is no goal.', '/rebalance'],
    ['/rebalance?plan=old', '"old" is no plan.', '/rebalance'],
    ['/drain?plan=old', '"old" is no plan.', '/drain'],
    ['/hosts/other-1?plan=old', '"old" is no plan.', '/hosts/other-1'],
    ['/place?plan=old', '"old" is no plan.', '/place'],
  ])('%s shows what is wrong, and a way back', async (path, text, back) => {
    await open(path, '[role=alert]');
    await page.getByRole('alert').getByText(text).waitFor();
    await page.getByRole('link', { name: 'Back to the page without it' }).click();
    await page.waitForURL((url) => url.pathname === back && url.search === '');
    await page.getByText(text).waitFor({ state: 'detached' });
  });

  test('an unknown host of the address is named, with a way back', async () => {
    await open('/?mode=select&host=other-1&host=gone', '.selection');
    await page.getByText('Not on the map: gone.').waitFor();
    await watched.button('Remove from the selection').click();
    await page.locator('.selection', { hasText: '1 host selected' }).waitFor();
    await open('/hosts/gone', '.state-title');
    await page.getByText('No provider has this name.').waitFor();
    await open('/hosts/other-1?provider=gone', '.notice');
    await page.getByText('No provider of this tree is named "gone".').waitFor();
    await page.getByRole('link', { name: 'Show the host' }).click();
    await page.locator('.notice').waitFor({ state: 'detached' });
  });
});
