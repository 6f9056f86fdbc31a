import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { prepareProject } from './project.mjs';
import { root, run } from './run.mjs';
import { prepareDatabaseProgram } from './system.mjs';

/** Sets the checkout up and becomes the server, in this process: signals then reach the server itself. */
export async function start(options) {
  const isPrivate = !process.env.DATABASE_URL;
  try {
    const running = isPrivate ? await runningServer() : null;
    if (running !== null) throw new Error(`placement-graphql is already running here: ${running}`);
    await alone(async () => {
      await prepareProject();
      if (isPrivate) await prepareDatabaseProgram();
    });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  const main = join(root, 'dist/cli/main.js');
  process.argv = [process.argv[0], main, 'serve', ...options];
  await import(main);
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
