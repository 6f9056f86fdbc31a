// npm run docs:pictures: takes the pictures of pages in docs/images again, from a new server with demo data.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareBrowser } from '../test/setup/programs.mjs';
import { withFreshServer } from './setup/freshServer.mjs';
import { prepare } from './setup/prepare.mjs';
import { prepareProject } from './setup/project.mjs';
import { root } from './setup/run.mjs';

/** The last cell of the counts of how many more fit. */
const COUNTED = '.fit-table tbody tr:last-child td:last-child:not(.muted)';

/** Each picture with its page, its colours and an element of the finished page. */
const PICTURES = [
  ['fleet-light', '/?class=MEMORY_MB', 'light', COUNTED],
  ['fleet-dark', '/?class=MEMORY_MB&group=rack', 'dark', COUNTED],
  ['host-light', '/hosts/host-00018', 'light', '.provider-box'],
];

/** The time after which a page counts as at rest (ms). */
const REST_MS = 2_000;
const PATIENCE_MS = 300_000;

await prepare(prepareProject);
const { chromium } = await import('playwright-core');
const executablePath = await prepareBrowser();
await withFreshServer(['--hosts', '10000'], async (url) => {
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    for (const [name, path, colorScheme, awaited] of PICTURES) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(new globalThis.URL(path, url).href);
      await page.locator(awaited).first().waitFor();
      await page.waitForTimeout(REST_MS);
      writeFileSync(join(root, 'docs/images', `${name}.webp`), await picture(page));
      await page.close();
    }
  } finally {
    await browser.close();
  }
});

/** The page as WebP: a map of 10,000 hosts has three times as many bytes as PNG. */
async function picture(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}
