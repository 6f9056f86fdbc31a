import { alone } from '../../scripts/setup/alone.mjs';
import { prepareBench, prepareCode } from '../../scripts/setup/project.mjs';
import { prepareDatabaseProgram } from '../../scripts/setup/system.mjs';

/** Compiles the benchmark, which runs databases of its own. */
export default function prepare() {
  return alone(async () => {
    await prepareCode();
    await prepareBench();
    await prepareDatabaseProgram();
  });
}
