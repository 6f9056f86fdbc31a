import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Page } from 'playwright-core';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { launchChromium } from '../browser/chromium.js';
import { lateBound, startApi, type Api, type ApiSettings } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { openPage, type WatchedPage } from './page.js';

/** A server with demo data in a database of its own, and a browser that looks at its dashboard. */
interface Dashboard {
  readonly database: TestDatabase;
  readonly api: Api;
  uuidOf(provider: string): Promise<string>;
  /** The uuids of the consumers that the API lists with these arguments. */
  consumers(given: string): Promise<string[]>;
  /** The names of the traits of a provider. */
  traitsOf(provider: string): Promise<string[]>;
  close(): Promise<void>;
}

interface DashboardSettings extends ApiSettings {
  /** The number of hosts of the demo data; 0: an empty database. */
  readonly hosts: number;
}

async function startDashboard({ hosts, ...settings }: DashboardSettings) {
  const [browser, database] = await Promise.all([launchChromium(), testDatabase()]);
  if (hosts > 0) await loadDemoData(database, { hosts });
  const api = await startApi(database, settings);
  const provider = async (name: string) => {
    const { resourceProvider } = await api.read<{
      resourceProvider: { uuid: string; traits: { name: string }[] };
    }>('query ($name: String!) { resourceProvider(by: { name: $name }) { uuid traits { name } } }', { name });
    return resourceProvider;
  };
  const dashboard: Dashboard = {
    database,
    api,
    uuidOf: async (name) => (await provider(name)).uuid,
    async consumers(given) {
      const { consumers } = await api.read<{ consumers: { nodes: { uuid: string }[] } }>(
        `{ consumers(${given}) { nodes { uuid } } }`,
      );
      return consumers.nodes.map(({ uuid }) => uuid);
    },
    traitsOf: async (name) => (await provider(name)).traits.map((trait) => trait.name),
    async close() {
      await browser.close();
      await api.close();
      await database.close();
    },
  };
  return { dashboard, watched: await openPage(browser, new URL(api.url).origin) };
}

interface DashboardOfFile {
  readonly dashboard: Dashboard;
  readonly api: Api;
  readonly watched: WatchedPage;
  readonly page: Page;
}

/**
 * Starts a dashboard with one page before the tests of a file. Before each test the page leaves the dashboard or its view, or stays as
 * the last test left it.
 */
export function useDashboard(
  settings: DashboardSettings,
  leaves: 'dashboard' | 'view' | 'nothing' = 'dashboard',
): DashboardOfFile {
  const parts: Partial<DashboardOfFile> = {};
  beforeAll(async () => {
    const { dashboard, watched } = await startDashboard(settings);
    Object.assign(parts, { dashboard, api: dashboard.api, watched, page: watched.page });
  });
  if (leaves !== 'nothing') beforeEach(() => parts.watched!.reset(leaves));
  afterAll(() => parts.dashboard?.close());
  return lateBound(parts as DashboardOfFile);
}
