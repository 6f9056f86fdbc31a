import { join } from 'node:path';
import { alone } from './alone.mjs';
import { BENCH, prepareBench, prepareProject } from './project.mjs';
import { root } from './run.mjs';
import { prepareDatabaseProgram } from './system.mjs';

/** Sets the checkout up and becomes the benchmark, in this process. */
export async function bench(options) {
  try {
    await alone(async () => {
      await prepareProject();
      await prepareBench();
      await prepareDatabaseProgram();
    });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const main = join(root, BENCH);
  process.argv = [process.argv[0], main, ...options];
  await import(main);
}
