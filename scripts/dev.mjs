// npm run dev: the server, started anew whenever a source file changes, on a database that goes on meanwhile.
// Options go to the serve command: npm run dev -- --port 4001
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { forgetCompiled } from './setup/project.mjs';
import { root } from './setup/run.mjs';
import { prepareServer } from './setup/server.mjs';

await prepareServer();
const { readEnvironment } = await import('../dist/cli/environment.js');
const { holdData, openHome } = await import('../dist/cli/bootstrap.js');
const { Life } = await import('../dist/cli/lifecycle.js');

await Life.lead(async (life) => {
  const environment = readEnvironment();
  await holdData(life, environment);
  const { url } = await openHome(life, environment);
  // what is compiled from now on is not what the set-up has compiled
  forgetCompiled();
  life.defer(async () => forgetCompiled());
  const compiler = 'node_modules/typescript/bin/tsc';
  run(life, [compiler, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput']);
  const server = ['dist/cli/main.js', 'serve', ...process.argv.slice(2)];
  run(life, ['--watch', '--watch-preserve-output', ...server], { DATABASE_URL: url });
});

/** Runs Node beside this process until either ends. */
function run(life, options, environment = {}) {
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  void ended.then(() => life.end(1, `${options.join(' ')} has ended`));
  life.defer(() => {
    child.kill();
    return ended;
  });
}
