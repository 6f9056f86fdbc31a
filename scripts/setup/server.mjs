import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { prepareProject } from './project.mjs';
import { root, run } from './run.mjs';
import { prepareDatabaseProgram } from './system.mjs';

/** Makes the checkout ready to serve, unless a server runs in it on the private database. */
export async function prepareServer() {
  const isPrivate = !process.env.DATABASE_URL;
  const running = isPrivate ? await runningServer() : null;
  if (running !== null) {
    console.error(`placement-graphql is already running here: ${running}`);
    process.exit(1);
  }
  await prepare(prepareProject, ...(isPrivate ? [prepareDatabaseProgram] : []));
}

/**
 * Asked before anything is installed: the packages and the code of a running server stay as they are. Another process
 * asks, because this one would go on with what it has read of code that is compiled anew afterwards.
 */
async function runningServer() {
  const lock = join(root, 'dist/cli/lock.js');
  if (!existsSync(lock)) return null;
  const directory = process.env.PLACEMENT_DATA_DIRECTORY || join(root, '.data');
  const program = `
    import { lockHolder } from ${JSON.stringify(lock)};
    process.stdout.write((await lockHolder(${JSON.stringify(directory)})) ?? '');`;
  const { code, output } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return code === 0 && output !== '' ? output : null;
}
