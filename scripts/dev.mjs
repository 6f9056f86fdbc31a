// npm run dev: the server, started anew whenever a source file changes, on a database that goes on meanwhile.
// Options go to the serve command: npm run dev -- --port 4001
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { forgetCompiled } from './setup/project.mjs';
import { root } from './setup/run.mjs';
import { prepareServer } from './setup/server.mjs';

await prepareServer();
const { readSettings } = await import('../dist/cli/settings/settings.js');
const { lockData, openMigrated } = await import('../dist/cli/bootstrap.js');
const { Lifecycle } = await import('../dist/cli/lifecycle.js');

await Lifecycle.run(async (lifecycle) => {
  const { settings } = readSettings();
  await lockData(lifecycle, settings);
  const { url } = await openMigrated(lifecycle, settings);
  // what is compiled from now on is not what the set-up has compiled
  forgetCompiled();
  lifecycle.defer(async () => forgetCompiled());
  const compiler = 'node_modules/typescript/bin/tsc';
  run(lifecycle, [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput']);
  const server = ['dist/cli/main.js', 'serve', ...process.argv.slice(2)];
  run(lifecycle, ['--watch', '--watch-preserve-output', ...server], {
    DATABASE_URL: url,
    PLACEMENT_WORKERS_COUNT: '1',
  });
});

/** Runs Node beside this process until either ends. */
function run(lifecycle, options, environment = {}) {
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  void ended.then(() => lifecycle.end(1, `${options.join(' ')} has ended`));
  lifecycle.defer(() => {
    child.kill();
    return ended;
  });
}
