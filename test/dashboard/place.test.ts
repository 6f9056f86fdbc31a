import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadSample } from '../../src/cli/sample/sample.js';
import { launchChromium } from '../browser/chromium.js';
import { startApi, type Api } from '../support/api.js';
import { shown } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { openPage, type WatchedPage } from './page.js';

let database: TestDatabase;
let api: Api;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  database = await testDatabase();
  await loadSample(database, { hosts: 20 });
  api = await startApi(database);
  browser = await launchChromium();
}, 60_000);

beforeEach(async () => {
  await page?.close();
  watched = await openPage(browser, new URL(api.url).origin);
  ({ page } = watched);
});

afterAll(async () => {
  await browser.close();
  await api.close();
  await database.close();
});

const address = (): URLSearchParams => new URL(page.url()).searchParams;
const pictures = () => page.locator('.candidates li');
const lit = () => pictures().first().locator('.provider-box.lit');
const graphql = () => page.getByRole('region', { name: 'GraphQL', exact: true }).innerText();

async function add(label: string, term: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(term);
  await page.getByLabel(label, { exact: true }).press('Enter');
}

interface Candidates {
  readonly allocationCandidates: {
    readonly allocationRequests: readonly {
      readonly mappings: readonly {
        readonly suffix: string;
        readonly resourceProviders: readonly { readonly name: string }[];
      }[];
    }[];
  };
}

test('builds a request by hand, keeps all of it in the address, and says it in GraphQL', async () => {
  await watched.open('/place', '.candidates li');
  await add('Suffix of a new group', '_NET');
  await add('Resources of _NET', 'SRIOV_NET_VF:1');
  await add('Traits of _NET', 'CUSTOM_PHYSNET_1');
  await add('Order, as VCPU:spread', 'VCPU:pack');
  await page.getByLabel('A provider of its own for each group with a suffix').check();
  await page.locator('.group-mark', { hasText: '_NET' }).nth(1).waitFor();
  expect(Object.fromEntries(address())).toEqual({
    resources: 'VCPU:4,MEMORY_MB:8192',
    resources_NET: 'SRIOV_NET_VF:1',
    required_NET: 'CUSTOM_PHYSNET_1',
    order: 'VCPU:pack',
    group_policy: 'isolate',
  });
  const { data, errors } = await api.query<Candidates>(await graphql());
  expect(errors).toBeUndefined();
  const [{ mappings }] = data.allocationCandidates.allocationRequests;
  for (const { suffix, resourceProviders } of mappings)
    for (const { name } of resourceProviders) {
      const box = pictures().first().locator(`.provider-box.lit[title="${name}"]`);
      expect(await box.locator('.group-mark').allInnerTexts()).toContain(suffix || 'unsuffixed');
    }
  expect(watched.faults).toEqual([]);
});

test('a link leads to the same request, with every kind of condition', async () => {
  const { data } = await api.query<{ consumers: { nodes: { uuid: string }[] } }>(
    '{ consumers(first: 1, filter: { inTreeName: "host-00002" }) { nodes { uuid } } }',
  );
  const [{ uuid }] = data.consumers.nodes;
  const link = new URLSearchParams({
    resources: 'VCPU:8',
    split: 'VCPU',
    required: 'HW_CPU_X86_AVX2|HW_NUMA_ROOT,!CUSTOM_PHYSNET_2',
    member_of: 'zone-01|zone-02',
    resources_A: 'SRIOV_NET_VF:1',
    resources_B: 'SRIOV_NET_VF:1',
    same_subtree: '_A,_B',
    order: 'VCPU:spread',
    isolate: '_A',
    near: uuid,
  });
  await watched.open(`/place?${link}`, '.candidates, .why-not, [role=alert]');
  const text = await graphql();
  expect(text).toContain('canSplit: ["VCPU"]');
  expect(text).toContain('requiredTraits: [["HW_CPU_X86_AVX2", "HW_NUMA_ROOT"]]');
  expect(text).toContain('forbiddenTraits: ["CUSTOM_PHYSNET_2"]');
  expect(text).toContain('memberOfNames: [["zone-01", "zone-02"]]');
  expect(text).toMatch(/sameSubtree: \[\{\s+groups: \["_A", "_B"\]/);
  expect(text).toContain('isolate: ["_A"]');
  expect(text).toContain(`nearConsumers: ["${uuid}"]`);
  const answer = await api.query<Candidates>(text);
  expect(answer.errors?.[0]?.extensions.code ?? 'valid').toBe('valid');
  expect(await pictures().count()).toBe(answer.data.allocationCandidates.allocationRequests.length);
});

test('says what is wrong with a request, in the words of the API', async () => {
  await watched.open('/place?resources=VCPUS:1', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toMatch(/VCPUS[^]*INVALID_INPUT/);
});

test('shows why there are no candidates, step by step, and what fits when the request shrinks', async () => {
  await watched.open('/place?resources=VCPU:4000', '.why-not .funnel');
  expect(await page.locator('.why-not').innerText()).toMatch(/none of 20 trees has 4,000 VCPU free/);
  expect(await page.locator('.headroom').innerText()).toMatch(/^0 of these fit/);
  await page.getByRole('button', { name: 'Remove VCPU:4000' }).click();
  await page.getByText('Add a resource to a group.').waitFor();
  await add('Resources of the unsuffixed group', 'VCPU:1');
  await pictures().first().waitFor();
  const { data } = await api.query<{ headroom: { count: number } }>(
    '{ headroom(upTo: 2000, request: { groups: { resources: { resourceClass: "VCPU", amount: 1 } } }) { count } }',
  );
  await page.locator('.headroom', { hasText: data.headroom.count.toLocaleString('en') }).waitFor();
});

test('claims after a confirmation, says what was claimed, and leads to the consumer', async () => {
  await watched.open('/place?resources=VCPU:4,MEMORY_MB:8192', '.candidates li');
  expect(await lit().count()).toBeGreaterThan(0);
  await page.getByLabel('Project', { exact: true }).fill('a-placed-project');
  await page.getByLabel('User', { exact: true }).fill('a-user');
  await page.getByLabel('Type', { exact: true }).fill('INSTANCE');
  await page.getByRole('button', { name: 'Claim', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('of project a-placed-project');
  await dialog.getByRole('button', { name: 'Claim' }).click();
  const link = page.locator('.claimed a[href^="/consumers/"]');
  await link.waitFor();
  const consumer = await shown(api, await link.innerText());
  expect(consumer).toMatchObject({ projectId: 'a-placed-project', consumerType: 'INSTANCE' });
  const names = Object.keys(consumer!.has);
  for (const name of names) expect(await page.locator('.claimed').innerText()).toContain(name);
  await link.click();
  for (const name of names) await page.locator(`.provider-box.lit[title="${name}"]`).waitFor();
  expect(watched.faults).toEqual([]);
});
