// npm run bench: prepares a fresh checkout, then measures the server.
// Options go to the benchmark: npm run bench -- --hosts 1000,10000 --only q1,claims
// --beside installs OpenStack Placement if it is missing, and measures both programs on one database.
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { BENCH, prepareBench, prepareProject } from './setup/project.mjs';
import { root } from './setup/run.mjs';
import { prepareDatabaseProgram, preparePlacement } from './setup/system.mjs';

const isBeside = process.argv.includes('--beside');
await prepare(prepareProject, prepareBench, prepareDatabaseProgram, ...(isBeside ? [preparePlacement] : []));
const main = join(root, BENCH);
process.argv = [process.argv[0], main, ...process.argv.slice(2)];
await import(main);
