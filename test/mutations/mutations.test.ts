import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Mutation {
  readonly name: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

const [list, search]: readonly string[] = ['./mutations.mjs', './place.mjs'];
const { MUTATIONS } = (await import(list)) as { readonly MUTATIONS: readonly Mutation[] };
const { placeOf } = (await import(search)) as {
  readonly placeOf: (folder: string, mutation: Mutation) => string;
};
const sources = fileURLToPath(new URL('../../src', import.meta.url));

test('a mutation changes a text that occurs once in the sources, and names test files that exist', () => {
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(20);
  for (const mutation of MUTATIONS) {
    expect(placeOf(sources, mutation)).toMatch(/\.ts$/);
    expect(mutation.replace).not.toBe(mutation.find);
    for (const name of mutation.tests)
      expect([name, existsSync(fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)))]).toEqual([
        name,
        true,
      ]);
  }
});
