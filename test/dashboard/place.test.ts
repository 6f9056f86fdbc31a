import { expect, test } from '@jest/globals';
import { claimed, shown } from '../support/claims.js';
import { insertLongCatalog, LONG } from '../support/longLists.js';
import { createProviders } from '../support/createProviders.js';
import { useDashboard } from './dashboard.js';
import { expectReadable, LIGHT, ON_PHONE } from './page.js';

const { dashboard, api, watched, page } = useDashboard({ hosts: 20 }, 'view');

const IN = 'Tree of the unsuffixed group';
const OUT = 'Excluded trees';
const chosen = () => page.locator('.candidate.chosen');
const pictures = () => page.locator('.candidates li');
const graphql = () => page.getByRole('region', { name: 'GraphQL', exact: true }).innerText();

const openConditions = () =>
  page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));

async function add(label: string, term: string): Promise<void> {
  await openConditions();
  await page.getByLabel(label, { exact: true }).fill(term);
  await page.getByLabel(label, { exact: true }).press('Enter');
}

/** Asks for the chosen candidate to be claimed; the page then asks whether it shall. */
async function claimFor(project: string): Promise<void> {
  await page.getByLabel('Project', { exact: true }).fill(project);
  await page.getByLabel('User', { exact: true }).fill('a-user');
  await page.getByLabel('Type', { exact: true }).fill('INSTANCE');
  await watched.button('Claim').click();
  await watched.dialog().waitFor();
}

/** The names of hosts of the demo data. */
const hostNames = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `host-${String(first + index).padStart(5, '0')}`);

/** A text as "4 VCPU, 8 MEMORY_MB of host", whatever the order of its amounts. */
const sortedParts = (text: string): string => {
  const [amounts, name] = text.split(' of ');
  return `${amounts.split(', ').sort().join(', ')} of ${name}`;
};

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

test('the form builds a request, keeps it in the address, and shows it as GraphQL', async () => {
  await watched.visit('/place', '.candidates li');
  await add('Name of a new group', '_NET');
  await add('Resources of _NET', 'SRIOV_NET_VF:1');
  await add('Traits of _NET', 'CUSTOM_PHYSNET_1');
  await add('Order', 'VCPU:pack');
  await page.getByLabel('Each group with a suffix has its own provider').check();
  await page.locator('.group-mark', { hasText: '_NET' }).nth(1).waitFor();
  expect(Object.fromEntries(watched.address())).toEqual({
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

test("the page shows the API's error of an invalid request", async () => {
  await watched.visit('/place?resources=VCPUS:1', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toMatch(/VCPUS[^]*INVALID_INPUT/);
});

test('the page shows each step of the explanation, and what fits a smaller request', async () => {
  await watched.visit('/place?resources=VCPU:4000', '.why-not .funnel');
  expect(await page.locator('.why-not').innerText()).toMatch(/0 of 20 trees have 4,000 VCPU free/);
  expect(await page.locator('.headroom').innerText()).toMatch(/^0 of these fit/);
  await page.getByRole('button', { name: 'Remove VCPU:4000' }).click();
  await page.getByText('The request has no resources.').waitFor();
  await add('Resources of the unsuffixed group', 'VCPU:1');
  await pictures().first().waitFor();
  const { headroom } = await api.read<{ headroom: { count: number } }>(
    '{ headroom(upTo: 2000, request: { rootForbiddenTraits: "COMPUTE_STATUS_DISABLED", groups: { resources: { resourceClass: "VCPU", amount: 1 } } }) { count } }',
  );
  await page.locator('.headroom', { hasText: headroom.count.toLocaleString('en') }).waitFor();
});

test('the candidate that is chosen, by keys or by a click, is claimed and no other', async () => {
  await watched.open('/place?resources=VCPU:4,MEMORY_MB:8192', '.candidate');
  expect(await chosen().count()).toBe(1);
  await pictures().first().getByRole('radio').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await pictures().nth(2).and(page.locator('.chosen')).waitFor();
  const link = page.url();
  await pictures().nth(4).locator('.tree').click();
  await pictures().nth(4).and(page.locator('.chosen')).waitFor();
  await page.goto(link);
  await pictures().nth(2).and(page.locator('.chosen')).waitFor();
  const text = await chosen().locator('p').innerText();
  await claimFor('a-placed-project');
  expect(await watched.dialog().innerText()).toContain('of project a-placed-project');
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  const consumerLink = page.locator('.claimed a[href^="/consumers/"]');
  await consumerLink.waitFor();
  const consumer = await shown(api, await consumerLink.innerText());
  expect(consumer).toMatchObject({ projectId: 'a-placed-project', consumerType: 'INSTANCE' });
  const taken = Object.entries(consumer!.has).map(([name, amounts]) => {
    const parts = Object.entries(amounts).map(([one, amount]) => `${amount.toLocaleString('en')} ${one}`);
    return `${parts.join(', ')} of ${name}`;
  });
  expect(text.split('; ').map(sortedParts).sort()).toEqual(taken.map(sortedParts).sort());
  await consumerLink.click();
  for (const name of Object.keys(consumer!.has))
    await page.locator(`.provider-box.lit[title="${name}"]`).waitFor();
  expect(watched.faults).toEqual([]);
});

test('the panel shows what is left of the quota of a project and its group, also after a claim', async () => {
  const limits = (...amounts: [string | null, number][]) =>
    amounts.map(([resourceClass, limit]) => ({ resourceClass, limit }));
  const input = {
    projects: { projectId: 'a-limited-project', limits: limits(['VCPU', 10], [null, 4]) },
    groups: { group: 'a-team', projects: ['a-limited-project'], limits: limits(['MEMORY_MB', 14_336]) },
  };
  expect(await api.mutate('setQuotas', input, '__typename')).toEqual({ __typename: 'SetQuotasPayload' });
  await watched.visit('/place?resources=VCPU:4,MEMORY_MB:8192', '.candidate');
  const left = page.locator('.quota-left');
  await page.getByLabel('Project', { exact: true }).fill('a-free-project');
  await page.getByLabel('User', { exact: true }).fill('a-user');
  expect(await left.count()).toBe(0);
  await page.getByLabel('Project', { exact: true }).fill('a-limited-project');
  await page.getByLabel('User', { exact: true }).fill('a-user');
  await left.getByText('The quota of a-limited-project allows 1 of these:').waitFor();
  expect((await left.locator('li').allInnerTexts()).sort()).toEqual([
    '10 VCPU of 10 VCPU left, the request needs 4 VCPU',
    '14 GiB MEMORY_MB of 14 GiB MEMORY_MB left in the group a-team, the request needs 8 GiB MEMORY_MB',
    '4 of 4 consumers left, the request needs 1',
  ]);
  await expectReadable(page, 'place-quota', [LIGHT, ON_PHONE], [LIGHT]);
  await watched.button('Claim').click();
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  await page.locator('.claimed').waitFor();
  await left.getByText('The request exceeds the quota of a-limited-project:').waitFor();
  expect(await left.locator('li.failed').allInnerTexts()).toEqual([
    '6 GiB MEMORY_MB of 14 GiB MEMORY_MB left in the group a-team, the request needs 8 GiB MEMORY_MB',
  ]);
  await watched.button('Claim').click();
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  await page.getByRole('alert').getByText('QUOTA_EXCEEDED').waitFor();
  expect(watched.faults).toEqual([]);
});

test('if another claim was faster, the page claims nothing, reports it and searches again', async () => {
  await createProviders(api, { name: 'narrow-host', inventories: { VGPU: 2 } });
  await watched.visit('/place?resources=VGPU:2&in_tree=narrow-host', '.candidate');
  const host = await dashboard.uuidOf('narrow-host');
  await claimFor('a-late-project');
  await claimed(api, { [host]: { VGPU: 1 } });
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  await page.getByRole('alert').getByText('CAPACITY_EXCEEDED').waitFor();
  await page.locator('.why-not', { hasText: 'VGPU' }).waitFor();
  expect(await pictures().count()).toBe(0);
  expect(await dashboard.consumers('filter: { projectId: "a-late-project" }')).toEqual([]);
  const [consumer] = await dashboard.consumers('filter: { inTree: { name: "narrow-host" } }');
  await api.mutate('deleteConsumer', { consumer });
  await page.getByRole('button', { name: 'Search again' }).click();
  await page.locator('h2', { hasText: /^1 candidate$/ }).waitFor();
});

test('a chosen candidate that is no longer one is not claimed', async () => {
  await watched.visit('/place?resources=VCPU:4&chosen=host-00001-numa0%3DVCPU:4000', '.candidate');
  expect(await chosen().count()).toBe(0);
  expect(await page.locator('.claim-panel').innerText()).toContain('Select another one.');
  expect(await watched.button('Claim').isDisabled()).toBe(true);
  await pictures().nth(1).getByRole('radio').check();
  expect(await watched.button('Claim').isDisabled()).toBe(false);
});

test('hosts to be in and not to be in are completed by name, and kept in address and GraphQL', async () => {
  await watched.visit('/place?resources=VCPU:4', '.candidate');
  await openConditions();
  const offered = (label: string): Promise<string[]> =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((input: HTMLInputElement) => Array.from(input.list!.options, ({ value }) => value));
  await page.getByLabel(OUT, { exact: true }).fill('host-0000');
  await page.locator('datalist option[value="host-00003"]').waitFor({ state: 'attached' });
  expect(await offered(OUT)).toEqual(hostNames(1, 9));
  const [first] = (await pictures().first().locator('h3').innerText()).split(' ');
  await add(OUT, first);
  await page.locator('.chip', { hasText: first }).waitFor();
  await pictures().filter({ hasText: first }).first().waitFor({ state: 'detached' });
  await add(IN, 'host-00004');
  await pictures().filter({ hasNotText: 'host-00004' }).first().waitFor({ state: 'detached' });
  await add(IN, 'host-00005-numa1');
  await pictures().filter({ hasText: 'host-00004' }).first().waitFor({ state: 'detached' });
  await page.locator('.candidates h2', { hasText: /^2 candidates$/ }).waitFor();
  for (const head of await pictures().locator('h3').allInnerTexts()) expect(head.trim()).toBe('host-00005');
  expect(Object.fromEntries(watched.address())).toEqual({
    resources: 'VCPU:4',
    in_tree: 'host-00005-numa1',
    not_in_trees: first,
  });
  const text = (await graphql()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('inTree: { name: "host-00005-numa1" }');
  expect(text).toContain(`notInTrees: [{ name: "${first}" }]`);
  const answer = await api.query<Candidates>(text);
  expect(answer.data.allocationCandidates.allocationRequests).toHaveLength(2);
  expect(watched.faults).toEqual([]);
});

test('the fewest providers come first, and amounts may be written as VCPU=4', async () => {
  await watched.visit('/place?resources=VCPU=4,MEMORY_MB:8192,nonsense&colour=red', '.candidate');
  for (const text of await pictures().locator('p').allInnerTexts()) expect(text).not.toContain(';');
  expect(await page.getByRole('button', { name: 'Remove VCPU:4' }).count()).toBe(1);
  expect(await page.locator('.notice').allInnerTexts()).toEqual([
    'The page ignores unknown parameters of the address: colour.',
    'The page ignores amounts of the address: "nonsense" needs a resource class and an amount, such as VCPU:4.',
  ]);
});

test('a typed term counts without Add, and the click that ends the typing hits', async () => {
  await watched.visit('/place?resources=VCPU:4', '.candidate');
  await page.getByLabel('Resources of the unsuffixed group').fill('MEMORY_MB=1024');
  await page.getByText('Conditions on all groups').click();
  await page.getByRole('button', { name: 'Remove MEMORY_MB:1024' }).waitFor();
  expect(await page.getByLabel('Excluded trees').isVisible()).toBe(true);
  expect(watched.address().get('resources')).toBe('VCPU:4,MEMORY_MB:1024');
});

test('a claim takes at most 15 presses of Tab', async () => {
  await watched.open('/place', '.candidate');
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('name') ?? element?.textContent ?? '';
    });
  let tabs = 0;
  const tabTo = async (name: string): Promise<void> => {
    do {
      await page.keyboard.press('Tab');
      tabs++;
    } while ((await focused()) !== name && tabs < 40);
  };
  await tabTo('Skip to the content');
  await page.keyboard.press('Enter');
  await tabTo('project');
  await page.keyboard.type('a-keyboard-project');
  await tabTo('user');
  await page.keyboard.type('a-user');
  await page.keyboard.press('Enter');
  await watched.dialog().waitFor();
  await tabTo('Claim');
  await page.keyboard.press('Enter');
  await page.locator('.claimed').waitFor();
  expect(tabs).toBeLessThanOrEqual(15);
});

const workload = () => page.locator('details.workload');

async function addMember(name: string, count: number): Promise<void> {
  await page.getByLabel('Member', { exact: true }).fill(name);
  await page.getByLabel('Consumers', { exact: true }).fill(String(count));
  await page.getByRole('button', { name: 'Add the request as a member' }).click();
  await workload().locator('.members li', { hasText: name }).waitFor();
}

test('plans several members by a rule, shows racks and hosts, and claims what it has shown', async () => {
  await watched.visit('/place?resources=VCPU:8', '.candidate');
  await page.getByText('Workload of several members').click();
  await addMember('db', 3);
  await page.getByRole('button', { name: 'Remove VCPU:8' }).click();
  await page.getByLabel('Resources of the unsuffixed group').fill('MEMORY_MB:16384');
  await addMember('cache', 2);
  await page.getByLabel('Rule', { exact: true }).selectOption('DIFFERENT');
  await page.getByLabel('Level', { exact: true }).fill('tree');
  await page.getByLabel('Others may be in none').check();
  await page.getByRole('button', { name: 'Add rule' }).click();
  expect(watched.address().getAll('member')).toEqual([
    'db:3?resources=VCPU:8',
    'cache:2?resources=MEMORY_MB:16384',
  ]);
  expect(watched.address().getAll('rule')).toEqual(['DIFFERENT:tree:outside']);
  await watched.button('Plan').click();
  await workload().getByText('5 consumers fit.').waitFor();
  const hosts = await workload().locator('.rack b').allInnerTexts();
  expect(new Set(hosts).size).toBe(5);
  expect(await workload().locator('.rack h3').first().innerText()).toContain('zone-');
  const shown = await workload().locator('.rack li').allInnerTexts();
  await expectReadable(page, 'workload', [LIGHT, ON_PHONE], [LIGHT]);
  await page.getByLabel('Project of the workload').fill('a-workload');
  await page.getByLabel('User of the workload').fill('a-user');
  await page.getByRole('button', { name: 'Claim the workload' }).click();
  expect(await watched.dialog().innerText()).toMatch(
    /5 new consumers of project a-workload receive[^]*host-\d+: 1 db/,
  );
  await watched.dialog().getByRole('button', { name: 'Claim' }).click();
  await workload().locator('.claimed').waitFor();
  const { consumers } = await api.read<{
    consumers: { nodes: { allocations: { resourceProvider: { name: string } }[] }[] };
  }>(
    '{ consumers(filter: { projectId: "a-workload" }) { nodes { allocations { resourceProvider { name } } } } }',
  );
  const providers = consumers.nodes.map(({ allocations }) => allocations[0].resourceProvider.name);
  expect(providers).toHaveLength(5);
  for (const name of providers) expect(shown.join()).toContain(`of ${name}`);
  expect(watched.faults).toEqual([]);
});

test('the page shows how much of a workload fits', async () => {
  const members = 'member=vm%3A21%3Fresources%3DVCPU%3A4';
  await watched.visit(`/place?resources=VCPU:4&${members}&rule=DIFFERENT:tree`, '.candidate');
  await watched.button('Plan').click();
  await workload().getByText('20 of 21 vm').waitFor();
});

test('completes names from a catalog of more than 1,000 classes and traits', async () => {
  await insertLongCatalog(dashboard.database);
  await watched.visit('/place', '.candidates li');
  await page.reload(); // the page reads the catalog once
  await pictures().first().waitFor();
  await openConditions();
  await page.waitForFunction(() => document.querySelector('datalist option'));
  const options = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((input: HTMLInputElement) => input.list?.options.length ?? 0);
  expect(await options('Resources of the unsuffixed group')).toBeGreaterThan(LONG);
  expect(await options('Traits of the unsuffixed group')).toBeGreaterThan(LONG);
});
