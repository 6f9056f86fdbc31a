import { expect, test } from '@jest/globals';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, LIGHT, ON_PHONE } from './page.js';

const { api, watched, page } = useDashboard({ hosts: 0 }, 'view');

const MAINTENANCE = 'COMPUTE_STATUS_DISABLED';

interface Provider {
  readonly name: string;
  readonly traits: readonly { readonly name: string }[];
  readonly inventories: readonly { readonly reserved: number }[];
}

let host: string;
let hosts = 0;

/** Creates a host with two children. */
async function createHost(): Promise<void> {
  host = `host-${++hosts}`;
  await createProviders(api, {
    name: host,
    inventories: { VCPU: 8, MEMORY_MB: 64 },
    children: [{ name: `${host}-numa0`, inventories: { SRIOV_NET_VF: 8 } }, { name: `${host}-numa1` }],
  });
}

async function tree(): Promise<Provider[]> {
  const fields = 'name traits { name } inventories { reserved }';
  const { data } = await api.query<{ resourceProvider: Provider & { descendants: Provider[] } }>(
    `{ resourceProvider(by: { name: "${host}" }) { ${fields} descendants { ${fields} } } }`,
  );
  const { descendants, ...root } = data.resourceProvider;
  return [root, ...descendants];
}

/** Creates a child and renames another one, as another client does. */
async function changeElsewhere(): Promise<void> {
  const parent = { name: host };
  await api.mutate('createResourceProvider', { name: `${host}-gpu`, parent });
  const renamed = { resourceProvider: { name: `${host}-numa1` }, name: `${host}-renamed` };
  await api.mutate('updateResourceProvider', renamed);
}

test('an empty database offers the next steps, of which the first adds a host', async () => {
  await watched.visit('/', '.empty-fleet');
  expect(await page.locator('.empty-fleet').innerText()).toMatch(
    /fleet from hwloc --discover[^]*serve --demo[^]*placement-graphql adopt/,
  );
  await expectReadable(page, 'empty-fleet', [LIGHT, ON_PHONE], [LIGHT]);
  await page.locator('.empty-fleet').getByRole('link', { name: 'Add a host' }).click();
  await page.getByLabel('Name').fill('the-first-host');
  await page.getByLabel('Inventories', { exact: true }).fill('VCPU:8');
  await page.getByRole('button', { name: 'Preview' }).click();
  await watched.dialog().getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { level: 1, name: 'the-first-host' }).waitFor();
  expect(watched.faults).toEqual([]);
});

test('a fleet whose hosts have no inventories is not called empty', async () => {
  await api.mutate('createResourceProvider', { name: 'a-host' });
  const edit = { resourceProvider: { name: 'the-first-host' }, inventories: { remove: ['VCPU'] } };
  await api.mutate('updateResourceProvider', edit);
  await watched.visit('/', '.state-title');
  await page.getByText('No host has inventories.').waitFor();
});

test('maintenance keeps providers that are created or renamed before the confirmation', async () => {
  await createHost();
  await watched.visit(`/hosts/${host}`, '.provider-box');
  await watched.button('Start maintenance').click();
  await watched.dialog().getByText(`Adds the trait ${MAINTENANCE}`).waitFor();
  await changeElsewhere();
  await watched.dialog().getByRole('button', { name: 'Start' }).click();
  await watched.button('End maintenance').waitFor();
  const names = (await tree()).map(({ name }) => name).sort();
  expect(names).toEqual([host, `${host}-gpu`, `${host}-numa0`, `${host}-renamed`]);
});

test('an edit keeps providers that are created or renamed before the confirmation', async () => {
  await createHost();
  await watched.visit(`/hosts/${host}?provider=${host}-numa0`, '.provider-box');
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Reserved SRIOV_NET_VF').fill('2');
  await watched.button('Preview').click();
  await watched.dialog().getByText('Reserves 2 SRIOV_NET_VF').waitFor();
  await changeElsewhere();
  await watched.dialog().getByRole('button', { name: 'Apply' }).click();
  await page.locator('.provider-panel', { hasText: '2 reserved' }).waitFor();
  const names = (await tree()).map(({ name }) => name).sort();
  expect(names).toEqual([host, `${host}-gpu`, `${host}-numa0`, `${host}-renamed`]);
});

test('an edit of a trait keeps the traits and reserved amounts that changed since the page was opened', async () => {
  await createHost();
  await watched.visit(`/hosts/${host}`, '.provider-box');
  await watched.button('Start maintenance').click();
  await watched.dialog().getByRole('button', { name: 'Start' }).click();
  await watched.button('End maintenance').waitFor();
  await page.getByText('Edit', { exact: true }).click();
  const editor = page.locator('.provider-editor');
  await editor.getByText(MAINTENANCE).waitFor();
  await page.getByLabel('Reserved VCPU').fill('2');
  await page.getByLabel('Traits', { exact: true }).fill('HW_CPU_X86_AVX2');
  await watched.button('Preview').click();
  await watched.dialog().getByText('Adds the trait HW_CPU_X86_AVX2').waitFor();
  await watched.dialog().getByRole('button', { name: 'Apply' }).click();
  await page.locator('.provider-panel', { hasText: '2 reserved' }).waitFor();
  await page.locator('.provider-panel .chips').first().getByText('HW_CPU_X86_AVX2').waitFor();
  expect((await tree())[0].traits.map(({ name }) => name).sort()).toEqual([MAINTENANCE, 'HW_CPU_X86_AVX2']);
  await api.mutate('updateResourceProvider', {
    resourceProvider: { name: host },
    inventories: { patch: [{ resourceClass: 'VCPU', reserved: 3 }] },
  });
  await page.locator('.provider-panel', { hasText: '3 reserved' }).waitFor();
  expect(await page.getByLabel('Reserved VCPU').inputValue()).toBe('3');
});
