import { beforeAll, expect, test } from '@jest/globals';
import { claimed, claimInput, newConsumers, requestOf } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, LIGHT, ON_PHONE } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 20 }, 'view');

const AVX = requestOf({ CUSTOM_SLOT: 1 }, { requiredTraits: [['HW_CPU_X86_AVX2']] });
const WORKLOAD = { name: 'web' };

/** Two consumers of the workload. */
const consumers = newConsumers(2).map((one) => ({ ...one, projectId: 'growing', userId: 'ann' }));

beforeAll(async () => {
  await api.mutate('createResourceClass', { name: 'CUSTOM_SLOT' });
  const traits = ['HW_CPU_X86_AVX2'];
  for (const [name, CUSTOM_SLOT] of Object.entries({ 'room-1': 6, 'room-2': 4, 'room-3': 2 }))
    await createProviders(api, { name, inventories: { CUSTOM_SLOT }, traits });
  const { members } = claimInput(AVX, consumers) as { members: { name: string }[] };
  const input = { members: members.map((one) => ({ ...one, name: 'front' })), workload: WORKLOAD };
  expect(await api.mutate('claim', input)).toMatchObject({ __typename: 'ClaimPayload' });
});

test('a named workload grows: its consumers stay, and the new one joins its member', async () => {
  await watched.visit('/place?resources=CUSTOM_SLOT:1&member=front:1?resources%3DCUSTOM_SLOT:1', '.workload');
  await page.getByLabel('Project to grow in').fill('growing');
  await page.getByLabel('Workload to grow').fill('none');
  await watched.button('Set').click();
  await watched.button('Plan').click();
  await page.getByRole('alert').getByText('The project growing has no workload "none".').waitFor();
  await page.getByLabel('Workload to grow').fill('web');
  await watched.button('Set').click();
  await watched.button('Plan').click();
  await page.getByText('3 consumers fit.').waitFor();
  expect(await page.getByText('3 consumers fit.').innerText()).toContain('0 existing consumers would move.');
  await expectReadable(page, 'grow', [LIGHT, ON_PHONE]);
  await watched.button('Grow the workload').click();
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  await page.getByText('The workload web has 3 consumers.').waitFor();
  const { workload } = await api.read<{ workload: { members: object[] } }>(
    '{ workload(projectId: "growing", name: "web") { members { name consumerCount } } }',
  );
  expect(workload.members).toEqual([{ name: 'front', consumerCount: 3 }]);
  expect(watched.faults).toEqual([]);
});

test('the host, its drain and the consumer show the workload and what was asked for', async () => {
  const [{ consumer }] = consumers;
  const { consumer: found } = await api.read<{
    consumer: { allocations: { resourceProvider: { name: string } }[] };
  }>('query ($uuid: UUID!) { consumer(uuid: $uuid) { allocations { resourceProvider { name } } } }', {
    uuid: consumer,
  });
  const [{ resourceProvider }] = found.allocations;
  await watched.visit(`/hosts/${resourceProvider.name}`, '#consumers');
  const row = page
    .getByRole('table', { name: 'Consumers', exact: true })
    .getByRole('row', { name: consumer });
  expect(await row.innerText()).toContain('web');
  expect(await row.innerText()).toContain('1 CUSTOM_SLOT with HW_CPU_X86_AVX2');
  await watched.button('Plan').click();
  const move = page.getByRole('table', { name: 'Moves of a drain' }).getByRole('row', { name: consumer });
  await move.waitFor();
  expect(await move.innerText()).toContain('1 CUSTOM_SLOT with HW_CPU_X86_AVX2');
  expect(await move.innerText()).toContain('web');
  await expectReadable(page, 'hostWithRequests', [LIGHT, ON_PHONE]);
  await watched.visit(`/consumers/${consumer}`, '.consumer-facts');
  expect(await page.locator('.consumer-facts').innerText()).toMatch(/Workload\s*web[^]*HW_CPU_X86_AVX2/i);
  expect(watched.faults).toEqual([]);
});

test('a workload that does not fit gets room: the moves are carried out, and it is planned again', async () => {
  await createProviders(api, { name: 'wide-1', inventories: { VGPU: 900 } });
  await createProviders(api, { name: 'wide-2', inventories: { VGPU: 900 } });
  const [one, other] = await Promise.all(['wide-1', 'wide-2'].map((name) => dashboard.uuidOf(name)));
  const small = await claimed(api, { [one]: { VGPU: 100 } }, { consumerType: 'BATCH' });
  await claimed(api, { [other]: { VGPU: 700 } }, { consumerType: 'BATCH' });
  await watched.visit('/place?resources=VGPU:900&member=big:1?resources%3DVGPU:900', '.workload');
  await watched.button('Plan').click();
  await page.getByText('nothing fits the request').waitFor();
  await page.getByLabel('Moves to make room').fill('3');
  await page.getByLabel('of consumers of type').fill('BATCH');
  await watched.button('Set').click();
  await watched.button('Plan').click();
  await page.getByText('It fits after 1 move of other consumers').waitFor();
  const row = page.getByRole('row', { name: small });
  expect(await row.innerText()).toMatch(/wide-1[^]*wide-2/);
  await expectReadable(page, 'room', [LIGHT, ON_PHONE]);
  await watched.button('Carry out 1 move').click();
  await watched.dialog().getByRole('button', { name: 'Move' }).click();
  await page.getByLabel('Project of the workload').waitFor();
  expect(await page.getByText('It fits after').count()).toBe(0);
  expect(watched.faults).toEqual([]);
});
