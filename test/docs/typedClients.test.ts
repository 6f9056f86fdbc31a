import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const examples = ['apollo', 'codegen', 'gql-tada', 'relay', 'urql', 'python'].flatMap((folder) =>
  readdirSync(new URL(`examples/${folder}/`, root))
    .filter((file) => /\.(ts|py)$/.test(file))
    .map((file) => read(`examples/${folder}/${file}`)),
);
const blocks = [...read('docs/guides/typed-clients.md').matchAll(/```(?:ts|py)\n(.*?)```/gs)].map(
  ([, block]) => block,
);

test('the guide to typed clients has pieces of the examples', () => {
  expect(blocks.length).toBeGreaterThan(5);
});

/** White space at the beginning of lines counts for nothing: a piece is shown where it is, or by itself. */
const plain = (text: string): string => text.replace(/^\s+/gm, '');

test.each(blocks)('a piece in the guide to typed clients is in an example: %s', (block) => {
  expect(examples.filter((text) => plain(text).includes(plain(block)))).not.toEqual([]);
});
