import { expect, test } from '@jest/globals';
import { SETTING_NAMES, variableOf } from '../../src/server/settings/definitions.js';
import { filesIn, read } from './pages.js';

const NAME = /\bPLACEMENT_[A-Z_]*[A-Z]\b/g;

const namesIn = (folder: string): string[] =>
  filesIn(folder, /\.(ts|mjs)$/).flatMap((file) => read(file).match(NAME) ?? []);

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
