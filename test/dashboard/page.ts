import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { IS_FULL } from '../support/length.js';

/** Where pictures of the views are kept, to be looked at. */
const PICTURES = join(process.cwd(), '.cache', 'screenshots');

export const DESKTOP = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };

/** A page of the dashboard that notes whatever must not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, messages of the console, and requests to other origins. */
  readonly faults: readonly string[];
  /** Goes to an address of the dashboard, and waits until a place of it is there. */
  readonly open: (path: string, awaited: string) => Promise<void>;
}

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: DESKTOP, ...options });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  return {
    page,
    faults,
    async open(path, awaited) {
      await page.goto(origin + path);
      await page.locator(awaited).first().waitFor();
    },
  };
}

/** What axe finds wrong with what is shown: each as rule and element. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const { violations } = await checker.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** Writes the picture of a view in a run at full length. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!IS_FULL) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** What reaches beyond the right side of the screen, so that the page would have to be moved sideways to be read. */
export const overhangsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = Array.from(document.querySelectorAll('body *'));
    return all
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => `${element.tagName}.${element.className}`);
  });
