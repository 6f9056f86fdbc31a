import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesIn, read, root, writtenPages } from './pages.js';

const withoutCode = (markdown: string): string =>
  markdown
    .replaceAll(/^( *)```.*?^\1```/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));

/** The anchors of the headings of a page, as the hosts of repositories name them, and its own. */
function anchorsOf(path: string): Set<string> {
  const text = read(path);
  const headings = [...text.replaceAll(/^( *)```.*?^\1```/gms, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading]) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]);
}

test('every link of a page leads to a file, and to a heading or anchor that is there', () => {
  const pages = writtenPages();
  const links = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => ({ page, link })),
  );
  const broken = links.filter(({ page, link }) => {
    if (/^([a-z]+:|\/)/.test(link)) return false;
    const [, path, anchor] = /^([^#]*)#?(.*)$/.exec(link)!;
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== '' && !anchorsOf(target).has(anchor);
  });
  expect(links.length).toBeGreaterThan(300);
  expect(broken).toEqual([]);
});

test('the speed tables of README.md have a date, a machine and the rows of npm run bench -- --beside', () => {
  const [comparison] = read('README.md').split('## Comparison with OpenStack Placement\n')[1].split('\n## ');
  expect(comparison).toMatch(/\b20\d\d-\d\d-\d\d\b/);
  expect(comparison).toMatch(/\d+ x \w+/);
  const rows = [...comparison.matchAll(/^\| ([^|]+?) +\| +[\d,.]+ +\|/gm)].map(([, what]) => what);
  const printed = ['beside', 'rest']
    .map((name) => read(`bench/beside/${name}.ts`).replaceAll('${CLIENTS}', '16'))
    .join('');
  const nameOf = (row: string): string =>
    row.replace(/, 16 clients$/, '').replace('20 providers', '${PROVIDERS_OF_TREE}');
  expect(rows.filter((row) => !printed.includes(row) && !printed.includes(nameOf(row)))).toEqual([]);
  expect(rows).toHaveLength(15);
});

const examples = ['apollo', 'codegen', 'gql-tada', 'relay', 'urql', 'python'].flatMap((folder) =>
  filesIn(`examples/${folder}`, /^examples\/\w[\w-]*\/[^/]+\.(ts|py)$/).map(read),
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
