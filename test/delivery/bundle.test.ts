import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folderOfFile } from '../support/folder.js';

const folder = folderOfFile();

test('the bundle contains no optional package, which may be missing where it is built', () => {
  execFileSync(process.execPath, ['scripts/setup/bundle.mjs', folder]);
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const names = Object.keys(optionalDependencies);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !text.includes(`import("${name}")`))).toEqual([]);
});
