// npm run dev: serves, and restarts the server when a source file changes; the database keeps running.
// Options go to the serve command: npm run dev -- --port 4001
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './setup/run.mjs';
import { prepareToServe, setDefaults } from './setup/start.mjs';

await prepareToServe();
setDefaults();
const { readSettings } = await import('../dist/server/settings/settings.js');
const { openMigrated } = await import('../dist/server/start/bootstrap.js');
const { Lifecycle } = await import('../dist/server/start/lifecycle.js');

await Lifecycle.run(async (lifecycle) => {
  const { settings } = readSettings();
  const { url } = await openMigrated(lifecycle, settings);
  run(lifecycle, ['scripts/setup/compile.mjs', '--watch']);
  run(lifecycle, ['scripts/dashboard.mjs'], {}, () => undefined);
  const server = ['dist/main.js', 'serve', ...process.argv.slice(2)];
  run(lifecycle, ['--watch', '--watch-preserve-output', ...server], {
    DATABASE_URL: url,
    PLACEMENT_WORKERS_COUNT: '1',
  });
});

/** Runs Node beside this process, which ends when one of its children does. */
function run(lifecycle, options, environment = {}, onExit = (reason) => lifecycle.end(1, reason)) {
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  void ended.then(() => onExit(`${options.join(' ')} has ended`));
  lifecycle.defer(() => {
    child.kill();
    return ended;
  });
}
