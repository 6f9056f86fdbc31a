// npm run bench: prepares a fresh checkout, then measures the server.
// Options go to the benchmark: npm run bench -- --hosts 1000,10000 --only q1,claims
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { BENCH, prepareBench, prepareProject } from './setup/project.mjs';
import { root } from './setup/run.mjs';
import { prepareDatabaseProgram } from './setup/system.mjs';

await prepare(prepareProject, prepareBench, prepareDatabaseProgram);
const main = join(root, BENCH);
process.argv = [process.argv[0], main, ...process.argv.slice(2)];
await import(main);
