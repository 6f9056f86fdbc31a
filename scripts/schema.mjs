// npm run schema: writes schema.graphql anew from the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { prepareProject } from './setup/project.mjs';
import { root } from './setup/run.mjs';

await prepare(prepareProject);
const { printSchema } = await import('../dist/schema/print.js');
writeFileSync(join(root, 'schema.graphql'), printSchema());
