import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useDashboard } from '../dashboard/dashboard.js';
import { WIDTHS } from '../dashboard/page.js';

const PICTURE = join(process.cwd(), '.cache', 'graphiql.png');

const { api, watched, page } = useDashboard({ hosts: 100 }, 'nothing');

const TABS = ['Explore', 'Candidates', 'Why', 'Claim', 'Fleet', 'Watch'];

const editor = () => page.locator('.graphiql-query-editor');
const response = () => page.locator('.graphiql-response');

/** Opens a tab. GraphiQL takes up which operations the tab has a moment later, and until then offers those of the last one. */
async function open(tab: string): Promise<void> {
  await page.locator('.graphiql-tab-button', { hasText: tab }).click();
  await page.waitForTimeout(1000);
}

/** Runs an operation of the tab that is open. */
async function run(operation: string): Promise<void> {
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-dropdown-item').getByText(operation, { exact: true }).click();
}

/** How far the lines that are shown go beyond the right side of the pane. */
const overhang = (): Promise<number> =>
  editor().evaluate((pane) => {
    const side = pane.querySelector('.overflow-guard')!.getBoundingClientRect().right;
    const lines = Array.from(pane.querySelectorAll('.view-line > span'));
    return Math.max(...lines.map((line) => line.getBoundingClientRect().right)) - side;
  });

test('GraphiQL opens with six tabs whose lines fit, and runs an operation of one', async () => {
  await watched.open('/graphql', '.graphiql-query-editor .view-line');
  expect(await page.locator('.graphiql-tab').allInnerTexts()).toEqual(TABS);
  for (const tab of TABS) {
    await open(tab);
    expect(await overhang()).toBeLessThanOrEqual(0);
  }
  await open('Candidates');
  const answered = page.waitForResponse((one) => one.request().postData()?.includes('"Candidates"') ?? false);
  await run('Candidates');
  const answer = (await (await answered).json()) as { data: object; errors?: unknown };
  expect(answer.errors).toBeUndefined();
  expect(answer.data).toHaveProperty('allocationCandidates.allocationRequests.4');
  await response().getByText('allocationRequests').waitFor();
  await mkdir(join(process.cwd(), '.cache'), { recursive: true });
  expect((await page.screenshot({ path: PICTURE })).byteLength).toBeGreaterThan(20_000);
});

test('the tab Watch shows changes, earlier ones included, and the stream ends when the tab is left', async () => {
  await open('Watch');
  await run('Watch');
  await until(() => api.watch.size === 1);
  await api.mutate('createResourceProvider', { name: 'my-first-host' });
  await response().getByText('my-first-host').waitFor();
  await api.mutate('deleteResourceProvider', { resourceProvider: { name: 'my-first-host' } });
  await response().getByText('"deleted": true').waitFor();
  await response().getByText('"deleted": false').waitFor(); // the earlier event stays
  await open('Explore');
  await until(() => api.watch.size === 0);
});

test.each(WIDTHS)(
  '%s: everything is in sight, and a tab keeps its name when another operation runs',
  async (_look, viewport) => {
    await page.setViewportSize(viewport);
    await open('Explore');
    await run('Storage');
    await response().getByText('storage-0001').waitFor();
    expect(await page.locator('.graphiql-tab').allInnerTexts()).toEqual(TABS);
    const [above, below] = [(await editor().boundingBox())!, (await response().boundingBox())!];
    for (const { x, width } of [above, below]) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(viewport.width);
      expect(width).toBeGreaterThan(Math.min(340, viewport.width));
    }
    expect(below.y + below.height).toBeLessThanOrEqual(viewport.height);
    expect(above.height).toBeGreaterThan(200);
    expect(below.height).toBeGreaterThan(200);
  },
);

test.each(WIDTHS)(
  '%s: the docs explorer has an introduction, and lists the types by name',
  async (_look, viewport) => {
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const docs = page.locator('.graphiql-doc-explorer');
    await docs.getByText('Resource providers form trees').waitFor();
    const names = (await docs.innerText()).split('All Schema Types')[1].trim().split('\n');
    expect(names.length).toBeGreaterThan(150);
    expect(names).toEqual([...names].sort());
    const { x, width } = (await docs.boundingBox())!;
    expect([x >= 0, x + width <= viewport.width, width > 250]).toEqual([true, true, true]);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
  },
);

test('the examples Release and Delete return the uuids of the deleted objects', async () => {
  await open('Claim');
  await run('Claim');
  await response().getByText('"claims"').waitFor();
  await run('Release');
  await response().getByText('c1a10000-0000-4000-8000-000000000002').waitFor();
  await open('Watch');
  await run('Create');
  await response().getByText('resourceProvider').first().waitFor();
  await run('Delete');
  await response().getByText('c1a10000-0000-4000-8000-000000000003').waitFor();
});

test('a phone shows the page in its own width', async () => {
  expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('width=device-width');
});

test('the page sends no request to another origin, and nothing in it fails', () => {
  expect(watched.faults.filter((fault) => /^(request to http|\w*Error\b)/.test(fault))).toEqual([]);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
