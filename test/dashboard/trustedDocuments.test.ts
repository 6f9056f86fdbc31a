import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createProcess } from '../../src/process/process.js';
import type { Server } from '../../src/server/server.js';
import { TrustedDocuments } from '../../src/server/trustedDocuments/trustedDocuments.js';
import { newFile } from '../authentication/support.js';
import { launchChromium } from '../browser/chromium.js';
import { serve as serveProcess } from '../http/server.js';
import type { TestDatabase } from '../support/database.js';
import { sampleDatabase } from './dashboard.js';
import { openPage } from './page.js';

let database: TestDatabase;
let browser: Browser;
const servers: Server[] = [];

beforeAll(async () => {
  [browser, database] = await Promise.all([launchChromium(), sampleDatabase(20)]);
});

afterAll(async () => {
  await browser.close();
  for (const server of servers) await server.close();
  await database.close();
});

/** A server that runs the documents of a file alone. @returns its origin */
async function serve(file: string): Promise<string> {
  const trustedDocuments = TrustedDocuments.open(file);
  const { server, origin } = await serveProcess(createProcess(database), { trustedDocuments });
  servers.push(server);
  return origin;
}

test('with the list that is built with them all views work', async () => {
  const { page, faults, open } = await openPage(browser, await serve('dist/dashboard/documents.json'));
  await open('/', '.fit-table tbody td:not(.muted)');
  await page.locator('.live-mark.live').waitFor();
  await page.locator('.class-choice').first().waitFor();
  await open('/hosts/host-00001', '.provider-box');
  await page.locator('.live-mark.live').waitFor();
  await page.getByRole('button', { name: 'Plan' }).click();
  await page.getByText('fit on other hosts').waitFor();
  expect(faults).toEqual([]);
});

test('without it the page says what is missing', async () => {
  const { page, open } = await openPage(browser, await serve(newFile('{}')));
  await open('/', '[role=alert]');
  expect(await page.getByRole('alert').innerText()).toMatch(/documents.json[^]*DOCUMENT_NOT_TRUSTED/);
});
