import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadDemoData } from '../../src/cli/demo/demo.js';
import { launchChromium } from '../browser/chromium.js';
import { lateBound, startApi, type Api, type ApiSettings } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { openPage, type WatchedPage } from './page.js';

/** A server with demo data in a database of its own, and a browser that looks at its dashboard. */
export interface Dashboard {
  readonly database: TestDatabase;
  readonly api: Api;
  readonly browser: Browser;
  /** Opens another page, with an address of its own and none yet. */
  newPage(options?: BrowserContextOptions): Promise<WatchedPage>;
  uuidOf(provider: string): Promise<string>;
  close(): Promise<void>;
}

interface DashboardSettings extends ApiSettings {
  /** The number of hosts of the demo data; 0: an empty database. */
  readonly hosts: number;
}

export async function startDashboard({ hosts, ...settings }: DashboardSettings): Promise<Dashboard> {
  const [browser, database] = await Promise.all([launchChromium(), sampleDatabase(hosts)]);
  const api = await startApi(database, settings);
  return {
    database,
    api,
    browser,
    newPage: (options) => openPage(browser, new URL(api.url).origin, options),
    async uuidOf(provider) {
      const { data } = await api.query<{ resourceProvider: { uuid: string } }>(
        'query ($name: String!) { resourceProvider(by: { name: $name }) { uuid } }',
        { name: provider },
      );
      return data.resourceProvider.uuid;
    },
    async close() {
      await browser.close();
      await api.close();
      await database.close();
    },
  };
}

/** A new database with demo data. */
export async function sampleDatabase(hosts: number): Promise<TestDatabase> {
  const database = await testDatabase();
  if (hosts > 0) await loadDemoData(database, { hosts });
  return database;
}

export interface DashboardOfFile {
  readonly dashboard: Dashboard;
  readonly api: Api;
  readonly watched: WatchedPage;
  readonly page: Page;
}

/** Starts a dashboard before the tests of a file. Each test has a new page, or all have the same. */
export function useDashboard(
  settings: DashboardSettings,
  pages: 'a page for each test' | 'one page' = 'a page for each test',
): DashboardOfFile {
  const parts: Partial<Record<keyof DashboardOfFile, object>> & { dashboard?: Dashboard; page?: Page } = {};
  const openAnother = async (): Promise<void> => {
    await parts.page?.close();
    const watched = await parts.dashboard!.newPage();
    Object.assign(parts, { watched, page: watched.page });
  };
  beforeAll(async () => {
    const dashboard = await startDashboard(settings);
    Object.assign(parts, { dashboard, api: dashboard.api });
    if (pages === 'one page') await openAnother();
  }, 60_000);
  if (pages !== 'one page') beforeEach(openAnother);
  afterAll(() => parts.dashboard?.close());
  return lateBound(parts as DashboardOfFile);
}
