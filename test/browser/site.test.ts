import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test as whenever } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { killAtExit } from '../../bench/killAtExit.js';
import { freePort } from '../support/freePort.js';
import { IS_FULL } from '../support/length.js';
import { launchChromium } from './chromium.js';

/** The documentation as `npm run docs` builds it; the build fails when a page links to none. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const site = join(root, 'site');
const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } };

/** The build takes 20 s of processor time. In a short run test/docs/pages.test.ts checks the links. */
const test = IS_FULL ? whenever : whenever.skip;

const LINK = /<a [^>]*href="([^"]+)"/g;
const linksOf = (html: string): string[] => [...html.matchAll(LINK)].map(([, link]) => link);

let pages: Map<string, string>;
let server: ChildProcess;
let url: string;
let browser: Browser;
const requests: string[] = [];
const failures: string[] = [];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs'], options);
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' });
  pages = new Map(
    files
      .filter((file) => file.endsWith('.html') && file !== '404.html')
      .map((file) => [file, readFileSync(join(site, file), 'utf8')]),
  );
  const port = await freePort();
  url = `http://localhost:${port}/`;
  server = spawn('docs/node_modules/.bin/vitepress', ['preview', 'docs', '--port', String(port)], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(server);
  await once(server.stdout!, 'data');
  browser = await launchChromium();
}, 300_000);

afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
  await browser.close();
});

/** A page of the site, in light or dark colours, whose requests and failures are noted. */
async function open(path: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ colorScheme });
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  await page.goto(url + path, { waitUntil: 'networkidle' });
  return page;
}

test('every link leads to a file of the site, and to a heading or anchor that is there', () => {
  const broken = [...pages].flatMap(([page, html]) =>
    linksOf(html)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site/${page}`);
        const file = decodeURI(pathname)
          .slice(1)
          .replace(/(^|\/)$/, '$1index.html');
        if (!pages.has(file)) return !existsSync(join(site, file));
        return hash !== '' && !pages.get(file)!.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the sidebar has every page', () => {
  const listed = linksOf(pages.get('readme.html')!).map((link) =>
    link.slice(1).replace(/(^|\/)$/, '$1index.html'),
  );
  expect([...pages.keys()].filter((page) => !listed.includes(page))).toEqual([]);
});

test('the front page has the logo, a picture, two commands and three ways into the pages', () => {
  const front = pages.get('index.html')!;
  for (const picture of ['src="/dashboard/icon.svg"', 'fleet-light']) expect(front).toContain(picture);
  const text = front.replaceAll(/<[^>]+>/g, '');
  for (const command of ['npm start', 'npm test']) expect(text).toContain(command);
  for (const entry of ['docs/guides/candidates.html', 'docs/operating.html', 'docs/architecture.html'])
    expect(linksOf(front)).toContain(`/${entry}`);
});

describe('in a browser', () => {
  test('a page is dark where the reader wants it dark', async () => {
    const backgrounds: string[] = [];
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open('docs/concepts.html', scheme);
      backgrounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    }
    expect(backgrounds).toEqual(['rgb(255, 255, 255)', 'rgb(27, 27, 31)']);
  });

  test('the search finds a page by its words', async () => {
    const page = await open('', 'light');
    await page.keyboard.press('Control+k');
    await page.locator('.search-input').fill('drain hosts');
    await page.locator('.result', { hasText: 'Drain hosts' }).first().click();
    await page.waitForURL(/docs\/guides\/drain\.html/);
  });

  test('the site sends no request to another host, and nothing fails', () => {
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((request) => !request.startsWith(url) && !request.startsWith('data:'))).toEqual(
      [],
    );
    expect(failures).toEqual([]);
  });
});
