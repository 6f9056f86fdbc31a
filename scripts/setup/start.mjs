import { join } from 'node:path';
import { root } from './run.mjs';
import { prepareServer } from './server.mjs';

const serveOptions = (options) =>
  options.includes('--empty') ? options.filter((option) => option !== '--empty') : ['--demo', ...options];

/** Sets the checkout up and becomes the server, in this process: signals then reach the server itself. */
export async function start(options) {
  await prepareServer();
  const main = join(root, 'dist/cli/main.js');
  process.argv = [process.argv[0], main, 'serve', ...serveOptions(options)];
  await import(main);
}
