import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { pagesOf } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
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
  const pages = pagesOf(root);
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
