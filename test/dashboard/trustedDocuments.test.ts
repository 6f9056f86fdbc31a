import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { TrustedDocuments } from '../../src/server/graphql/trustedDocuments/trustedDocuments.js';
import { newFile } from '../authentication/support.js';
import { launchChromium } from '../browser/chromium.js';
import { useServer, withServer } from '../http/server.js';
import { openPage } from './page.js';

let browser: Browser;
beforeAll(async () => void (browser = await launchChromium()));
afterAll(() => browser.close());

const served = useServer({
  hosts: 20,
  trustedDocuments: TrustedDocuments.open('dist/dashboard/documents.json'),
});

test('with the list that is built with them all views work', async () => {
  const { page, faults, open, visit, live } = await openPage(browser, served.origin);
  await open('/', '.fit-table tbody td:not(.muted)');
  await live();
  await page.locator('.class-choice').first().waitFor();
  await visit('/hosts/host-00001', '.provider-box');
  await live();
  await page.getByRole('button', { name: 'Plan' }).click();
  await page.getByText('fit on other hosts').waitFor();
  expect(faults).toEqual([]);
});

test('without the list the page states what is missing', async () => {
  const trustedDocuments = TrustedDocuments.open(newFile('{}'));
  await withServer(served.process, { trustedDocuments }, async ({ origin }) => {
    const { page, open } = await openPage(browser, origin);
    await open('/', '[role=alert]');
    expect(await page.getByRole('alert').innerText()).toMatch(/documents.json[^]*DOCUMENT_NOT_TRUSTED/);
    await page.close();
  });
});
