import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { isPrepared, prepareServer, PROGRAM } from './project.mjs';
import { root, run } from './run.mjs';
import { hasDatabaseProgram } from './system.mjs';

const serveOptions = (options) => (options.includes('--empty') ? options : ['--demo', ...options]);

/** Prepares the checkout and becomes the server, in this process: signals then reach the server itself. */
export async function start(options) {
  await prepareToServe(options);
  subscribe('placement-graphql:serving', buildDashboard);
  const main = join(root, PROGRAM);
  setDefaults();
  module.enableCompileCache?.(join(root, '.cache/compiled')); // saves a tenth of a second, from Node 22.1 on
  process.argv = [process.argv[0], main, 'serve', ...serveOptions(options)];
  await import(main);
}

/** Excludes hosts in maintenance from searches, unless a settings file decides. */
export function setDefaults() {
  if (process.env.PLACEMENT_CONFIG || existsSync('placement.yaml')) return;
  process.env.PLACEMENT_SEARCH_EXCLUDED_ROOT_TRAITS ||= 'COMPUTE_STATUS_DISABLED';
}

/**
 * Prepares the packages, the code and a database program. Does not change those of a server that
 * runs here.
 */
export async function prepareToServe(options = []) {
  const isGiven = options.some((option) => /^--database-url(=|$)/.test(option));
  const hasDatabase = isGiven || Boolean(process.env.DATABASE_URL);
  if (isPrepared() && (hasDatabase || hasDatabaseProgram())) return;
  const running = hasDatabase ? null : await runningServer();
  if (running !== null) {
    console.error(`placement-graphql is already running here: ${running}`);
    process.exit(1);
  }
  await prepare(() => prepareServer(hasDatabase));
}

/** Runs in a separate process, because this one would cache modules that are compiled again afterwards. */
async function runningServer() {
  const lock = join(root, 'dist/server/start/lock.js');
  if (!existsSync(lock)) return null;
  const directory = process.env.PLACEMENT_DATA_DIRECTORY || join(root, '.data');
  const program = `
    import { lockHolder } from ${JSON.stringify(lock)};
    process.stdout.write((await lockHolder(${JSON.stringify(directory)})) ?? '');`;
  const { code, output } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return code === 0 && output !== '' ? output : null;
}

/** Builds the dashboard, which the first answer does not need, while the server runs. */
function buildDashboard() {
  module.flushCompileCache?.(); // a killed process would not write it
  spawn(process.execPath, [join(root, 'scripts/dashboard.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).unref();
}
