import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { defaultDataDirectory } from '../../src/server/settings/dataDirectory.js';

const installed = mkdtempSync(join(tmpdir(), 'placement-installed-'));
afterAll(() => rmSync(installed, { recursive: true }));

test('a checkout has the data of a private database in it', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  expect(defaultDataDirectory({ XDG_STATE_HOME: '/state' })).toBe(join(root, '.data'));
});

test.each([
  ['/state', '/state/placement-graphql'],
  [undefined, join(homedir(), '.local/state/placement-graphql')],
  ['', join(homedir(), '.local/state/placement-graphql')],
  ['not/absolute', join(homedir(), '.local/state/placement-graphql')],
])('an installed package does not: XDG_STATE_HOME=%s', (home, directory) => {
  expect(defaultDataDirectory({ XDG_STATE_HOME: home }, installed)).toBe(directory);
});
