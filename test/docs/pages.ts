import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The paths of the files below a folder whose paths match, without those of packages. */
export const filesIn = (folder: string, form: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => form.test(file) && !file.includes('/node_modules/'));

/** The paths of the written pages, without the generated ones of the API. */
export const writtenPages = (): string[] =>
  filesIn('docs', /\.md$/)
    .filter((page) => !page.includes('/reference/api/'))
    .concat('README.md', 'CONTRIBUTING.md');
