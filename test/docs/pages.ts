import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of the written pages, without the generated ones of the API. */
export function pagesOf(root: string): string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((page) => page.endsWith('.md') && !/(^|\/)(node_modules|reference\/api)\//.test(page))
    .map((page) => `docs/${page}`)
    .concat('README.md', 'CONTRIBUTING.md');
}
