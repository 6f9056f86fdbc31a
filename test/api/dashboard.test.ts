import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Authenticator } from '../../src/server/authentication/authenticator.js';
import { Unauthenticated } from '../../src/server/authentication/credentials.js';
import { DASHBOARD_PATHS } from '../../src/server/pages/dashboard.js';
import { useServer, withServer } from '../http/server.js';

/** Rejects all credentials. */
const authenticator: Authenticator = {
  authenticate() {
    throw new Unauthenticated('no');
  },
  close: () => undefined,
};

const served = useServer({ authenticator });

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${served.origin}${path}`, { headers, redirect: 'manual' });

const assetsOf = (page: string): string[] =>
  Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, address]) => address);

describe('the page', () => {
  test('is answered at the paths of its views, to everybody', async () => {
    const pages = ['/', '/?class=DISK_GB', '/hosts/host-00001', '/hosts/a%2Fb'];
    for (const path of pages) {
      const response = await get(path, { accept: 'text/html' });
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('<title>Placement</title>');
    }
  });

  test('is at the same paths as its routes', () => {
    const routes = readFileSync('dashboard/routes.ts', 'utf8');
    expect(Array.from(routes.matchAll(/path: '(.+?)'/g), ([, path]) => path)).toEqual(DASHBOARD_PATHS);
  });

  test('is no answer to other paths', async () => {
    for (const path of ['/nothing', '/hosts', '/hosts/a/b', '/assets/', '/assets/nothing.js', '/index.html'])
      expect([path, (await get(path, { accept: 'text/html' })).status]).toEqual([path, 404]);
  });

  test('may run and load what is of this server alone', async () => {
    const response = await get('/');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/);
    expect(assetsOf(page).length).toBeGreaterThan(2);
    for (const address of assetsOf(page)) expect(address).toMatch(/^\/assets\/[\w.-]+$/);
  });

  test('browsers revalidate the page each time, and the server sends it again after a change', async () => {
    const first = await get('/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/hosts/other', { 'if-none-match': first.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
    // a browser continues with the headers of this answer
    const policy = first.headers.get('content-security-policy');
    expect(again.headers.get('content-security-policy')).toBe(policy);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('the files of the page', () => {
  test('are kept by browsers for good, compressed for those that accept it', async () => {
    for (const address of assetsOf(await (await get('/')).text())) {
      const plain = await get(address, { 'accept-encoding': 'identity' });
      expect([address, plain.status]).toEqual([address, 200]);
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
      const packed = await get(address, { 'accept-encoding': 'br' });
      expect(packed.headers.get('content-encoding')).toBe('br');
      expect(await packed.text()).toBe(await plain.text());
    }
  });

  test('are for this page alone', async () => {
    const [script] = assetsOf(await (await get('/')).text()).filter((address) => address.endsWith('.js'));
    expect((await get(script, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

test('without the dashboard the root redirects to /graphql, and its paths are not found', () =>
  withServer(served.process, { hasDashboard: false }, async ({ origin }) => {
    const root = await fetch(origin, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/graphql']);
    expect((await fetch(`${origin}/hosts/host-00001`)).status).toBe(404);
  }));
