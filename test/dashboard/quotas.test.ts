import { beforeAll, describe, expect, test } from '@jest/globals';
import { claimed } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { overhangsOf } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 0 }, 'view');

/** Classes whose columns leave the quotas no more than their least width. */
const MANY = Object.fromEntries(
  [...'ABCDEFGHIJKL'].map((letter) => [`CUSTOM_ACCELERATOR_OF_THE_KIND_${letter}`, 8]),
);

beforeAll(async () => {
  for (const name of Object.keys(MANY)) await api.mutate('createResourceClass', { name }, '__typename');
  await createProviders(api, {
    name: 'host',
    inventories: { VCPU: 64, MEMORY_MB: 65_536, PGPU: 8, ...MANY },
  });
  const host = await dashboard.uuidOf('host');
  await claimed(api, { [host]: { VCPU: 4, MEMORY_MB: 23_756 } }, { projectId: 'limited' });
  await claimed(api, { [host]: MANY }, { projectId: 'many' });
  const limitsOf = (limits: Record<string, number>) =>
    Object.entries(limits).map(([resourceClass, limit]) => ({ resourceClass, limit }));
  const input = {
    projects: {
      projectId: 'limited',
      limits: [...limitsOf({ VCPU: 8, MEMORY_MB: 0, PGPU: 0 }), { limit: 4 }],
    },
    groups: { group: 'a-team', projects: ['limited'], limits: limitsOf({ VCPU: 100 }) },
  };
  expect(await api.mutate('setQuotas', input, '__typename')).toEqual({ __typename: 'SetQuotasPayload' });
});

const quotaBars = () => page.locator('tbody .bar');

describe.each([400, 701, 1440])('%i px wide, the quotas of a project', (width) => {
  test('are bars of the same width below or beside each other, which do not overlap', async () => {
    await page.setViewportSize({ width, height: 900 });
    await watched.visit('/projects', 'tbody .bar');
    const boxes = await quotaBars().evaluateAll((bars) =>
      bars.map((bar) => bar.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(boxes).toHaveLength(5);
    for (const box of boxes) {
      expect(box.width).toBeGreaterThanOrEqual(190);
      expect(box.width).toBe(boxes[0].width);
    }
    for (const [at, box] of boxes.entries())
      for (const next of boxes.slice(at + 1))
        expect(next.top >= box.bottom || next.left >= box.right).toBe(true);
    expect(await overhangsOf(page)).toEqual([]);
    const overflows = await quotaBars().evaluateAll((bars) =>
      bars.map((bar) => bar.scrollWidth - bar.clientWidth),
    );
    expect(overflows).toEqual([0, 0, 0, 0, 0]);
  });
});

test('a limit of 0 that is exceeded is shown as exceeded', async () => {
  await watched.visit('/projects', 'tbody .bar');
  expect(await page.locator('tbody .bar:has(.over) .bar-label').allInnerTexts()).toEqual(['MEMORY_MB']);
});

test('an inventory over capacity has another colour; one that is reserved whole is not over capacity', async () => {
  const { shrunk } = await createProviders(api, { name: 'shrunk', inventories: { VCPU: 8, PGPU: 4 } });
  const consumer = await claimed(api, { [shrunk]: { VCPU: 8, PGPU: 4 } });
  const inventories = {
    set: [
      { resourceClass: 'VCPU', total: 6 },
      { resourceClass: 'PGPU', total: 4, reserved: 4 },
    ],
  };
  const input = { resourceProvider: { uuid: shrunk }, inventories };
  expect(await api.mutate('updateResourceProvider', input, '__typename')).toEqual({
    __typename: 'UpdateResourceProviderPayload',
  });
  for (const path of ['/hosts/shrunk', `/consumers/${consumer}`]) {
    await watched.visit(path, '.box-inventory');
    const over = page.locator('.box-inventory:has(.over) .box-class');
    expect([path, await over.allInnerTexts()]).toEqual([path, ['VCPU']]);
  }
  expect(watched.faults).toEqual([]);
});
