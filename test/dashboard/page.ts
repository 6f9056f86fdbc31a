import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { IS_FULL } from '../support/length.js';

/** The folder of the pictures of the views, for visual checks. */
const PICTURES = join(process.cwd(), '.cache', 'screenshots');

const DESKTOP = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };
export const PHONE = { width: 390, height: 844 };

type Look = readonly [name: string, colorScheme: 'light' | 'dark', viewport: typeof DESKTOP];

export const LIGHT: Look = ['light', 'light', DESKTOP];
const DARK: Look = ['dark', 'dark', DESKTOP];
export const ON_PHONE: Look = ['phone-light', 'light', PHONE];
export const LOOKS: readonly Look[] = [LIGHT, DARK, ['narrow', 'light', NARROW]];
export const DESKTOP_AND_PHONE: readonly Look[] = [LIGHT, DARK, ON_PHONE, ['phone-dark', 'dark', PHONE]];

/** A phone, a tablet and a desktop. */
export const WIDTHS = [
  ['390', PHONE],
  ['768', { width: 768, height: 1024 }],
  ['1440', DESKTOP],
] as const;

/** A page of the dashboard that notes whatever must not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, messages of the console, and requests to other origins. */
  readonly faults: readonly string[];
  /** Loads an address of the dashboard, and waits for an element of the view. */
  readonly open: (path: string, awaited: string) => Promise<void>;
  /** Goes to an address as a link of the page does: a load takes three times the processor time. */
  readonly visit: (path: string, awaited: string) => Promise<void>;
  /** The parameters of the page's address. */
  readonly address: () => URLSearchParams;
  /** Waits until the page receives changes. */
  readonly live: () => Promise<void>;
  readonly dialog: () => Locator;
  /** The button with exactly this name. */
  readonly button: (name: string) => Locator;
  /** Handles the requests of one operation in place of the server. */
  readonly intercept: (operation: string, handle: (route: Route) => unknown) => Promise<unknown>;
  /** Keeps the server from the requests of an operation until the returned function is called. */
  readonly hold: (operation: string) => Promise<() => void>;
  /**
   * Undoes what a test has changed: routes, viewport, colours, and faults. Leaves the dashboard and clears its storage, or
   * only the view.
   */
  readonly reset: (leaves: 'dashboard' | 'view') => Promise<void>;
}

export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: DESKTOP });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  const intercept: WatchedPage['intercept'] = (operation, handle) =>
    page.route('**/graphql', (route) =>
      route.request().postData()?.includes(operation) ? handle(route) : route.fallback(),
    );
  const isLoaded = (): boolean => page.url().startsWith(origin);
  const push = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const leaveView = async (): Promise<void> => {
    await push('/nowhere');
    await page.getByText('This page does not exist.').waitFor();
  };
  const open: WatchedPage['open'] = async (path, awaited) => {
    await page.goto(origin + path);
    await page.locator(awaited).first().waitFor();
  };
  return {
    page,
    faults,
    open,
    async visit(path, awaited) {
      if (!isLoaded()) return open(path, awaited);
      await leaveView();
      await push(path);
      await page.locator(awaited).first().waitFor();
    },
    address: () => new URL(page.url()).searchParams,
    live: () => page.locator('.live-mark.live').waitFor(),
    dialog: () => page.getByRole('dialog'),
    button: (name) => page.getByRole('button', { name, exact: true }),
    intercept,
    async hold(operation) {
      let release = (): void => undefined;
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      await intercept(operation, async (route) => {
        await isReleased;
        await route.fallback();
      });
      return release;
    },
    async reset(leaves) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (isLoaded() && leaves === 'view') await leaveView();
      else {
        if (isLoaded())
          await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
        await page.goto('about:blank');
      }
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: 'light' });
      faults.length = 0;
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

/**
 * Fails if the page does not fit the screen in one of the looks, or is not accessible in one of the checked looks: in a
 * short run the first and the last one. Keeps a picture of each look.
 */
export async function expectReadable(
  page: Page,
  picture: string,
  looks: readonly Look[],
  checked = IS_FULL ? looks : [looks[0], looks.at(-1)],
): Promise<void> {
  for (const each of looks) {
    const [look, colorScheme, viewport] = each;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    if (checked.includes(each)) expect([look, await violationsOf(page)]).toEqual([look, []]);
    expect([look, await overhangsOf(page)]).toEqual([look, []]);
    await keepPicture(page, `${picture}-${look}`);
  }
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
