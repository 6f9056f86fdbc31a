import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { BENCH, prepareBench, prepareProject } from './project.mjs';
import { root } from './run.mjs';
import { prepareDatabaseProgram } from './system.mjs';

/** Sets the checkout up and becomes the benchmark, in this process. */
export async function bench(options) {
  await prepare(prepareProject, prepareBench, prepareDatabaseProgram);
  const main = join(root, BENCH);
  process.argv = [process.argv[0], main, ...options];
  await import(main);
}
