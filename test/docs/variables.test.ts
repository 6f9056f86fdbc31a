import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { SETTING_NAMES, variableOf } from '../../src/cli/settings/definitions.js';

const NAME = /\bPLACEMENT_[A-Z_]*[A-Z]\b/g;

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

function namesIn(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => read(`${folder}/${file}`).match(NAME) ?? []);
}

/** What the command line reads of the environment, as docs/reference/command-line.md says. */
const ofClient = new Set(
  [...read('docs/reference/command-line.md').matchAll(/^\| `(PLACEMENT_\w+)`/gm)].map(([, name]) => name),
);

test('test/README.md lists every other variable that is read and is no setting, and no other', () => {
  const configured = read('jest.config.js').match(NAME) ?? [];
  const used = [...['src', 'test', 'bench', 'scripts'].flatMap(namesIn), ...configured];
  const ofSettings = new Set(SETTING_NAMES.map(variableOf));
  const listed = [...read('test/README.md').matchAll(/^\| `(PLACEMENT_\w+)`/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(
    [...new Set(used)].filter((name) => !ofSettings.has(name) && !ofClient.has(name)).sort(),
  );
});
