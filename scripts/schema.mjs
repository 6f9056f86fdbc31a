// npm run schema: writes schema.graphql, the code generated from it, the reference of the API and the table of access.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePackages } from './setup/packages.mjs';
import { prepare } from './setup/prepare.mjs';
import { DOCS, compile, prepareDocs } from './setup/project.mjs';
import { mustRun, root } from './setup/run.mjs';

await prepare(preparePackages, compile, prepareDocs);
const { printSchema } = await import('../dist/api/print.js');
writeFileSync(join(root, 'schema.graphql'), printSchema());
const { FOLDER, referencePages } = await import(`../${DOCS}/reference/pages.js`);
mkdirSync(join(root, FOLDER), { recursive: true });
for (const [file, text] of referencePages(root)) writeFileSync(join(root, FOLDER, file), text);
const { accessTable } = await import(`../${DOCS}/access.js`);
const { buildSchema } = await import('../dist/api/schema.js');
const page = join(root, 'docs/reference/access.md');
const [text] = readFileSync(page, 'utf8').split('| Field');
writeFileSync(page, `${text}${accessTable(buildSchema())}\n`);
await mustRun('npx', ['oxfmt', page]);
await mustRun(process.execPath, ['scripts/generate.mjs']);
