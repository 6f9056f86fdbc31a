import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alone } from '../../scripts/setup/prepare.mjs';
import { compile, linkCommand, prepareBundle } from '../../scripts/setup/project.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { prepareDatabaseProgram } from '../../scripts/setup/system.mjs';

const prefix = 'placement-test-';

/**
 * Compiles and bundles the code, which some tests start as processes. Starts the one throw-away
 * database server of this test run.
 * This is plain JavaScript that uses the compiled code, because Jest does not transform the imports
 * of a global set-up.
 * @returns the URL of the server
 */
export async function startDatabase() {
  if (globalThis.placementTestServer) return globalThis.placementTestServer.url; // another project has started it
  await alone(async () => {
    await compile();
    linkCommand();
    await prepareBundle();
    await prepareDatabaseProgram();
  });
  await sweep();
  const { startPrivateDatabase } = await import('../../dist/tools/privateDatabase/privateDatabase.js');
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const server = await startPrivateDatabase({ directory, durable: false });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const onSignal = () => stop().then(() => process.exit(1));
  async function stop() {
    for (const signal of signals) process.off(signal, onSignal);
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
  for (const signal of signals) process.once(signal, onSignal);
  globalThis.placementTestServer = { stop, url: server.url('mysql') };
  return globalThis.placementTestServer.url;
}

/** Removes the servers, the halted cluster nodes and the files of test runs that were killed. */
async function sweep() {
  const { databaseProcesses, stopProcesses } = await import('../../dist/tools/privateDatabase/processes.js');
  const folder = await realpath(tmpdir());
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const directory = join(folder, name);
    for (const left of await databaseProcesses(directory)) process.kill(left, 'SIGCONT');
    await stopProcesses(directory);
    await run('umount', [directory]); // fails unless it is the small disk of the fault tests
    await rm(directory, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
