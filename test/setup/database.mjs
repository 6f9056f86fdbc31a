import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alone } from '../../scripts/setup/alone.mjs';
import { prepareCode } from '../../scripts/setup/project.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { prepareDatabaseProgram } from '../../scripts/setup/system.mjs';

const prefix = 'placement-test-';

/**
 * Compiles the code, which some tests start as processes, and starts the one throw-away database server of this test run. Test
 * files are told where it is by PLACEMENT_TEST_SERVER_URL. Native JavaScript that uses the compiled code, because Jest does not
 * transform what a global set-up imports.
 */
export default async function startDatabase() {
  if (globalThis.placementTestServer) return; // started by the set-up of another project in the same run
  await alone(async () => {
    await prepareCode();
    await prepareDatabaseProgram();
  });
  await sweep();
  const { startPrivateDatabase } = await import('../../dist/privateDatabase/privateDatabase.js');
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const server = await startPrivateDatabase({ directory, durable: false });
  process.env.PLACEMENT_TEST_SERVER_URL = server.url('mysql');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const onSignal = () => stop().then(() => process.exit(1));
  async function stop() {
    for (const signal of signals) process.off(signal, onSignal);
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
  for (const signal of signals) process.once(signal, onSignal);
  globalThis.placementTestServer = { stop };
}

/** Removes what test runs that were killed left behind: servers, nodes of a cluster, which may have been halted, and their files. */
async function sweep() {
  const { databaseProcesses, stopProcesses } = await import('../../dist/privateDatabase/processes.js');
  const folder = await realpath(tmpdir());
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const directory = join(folder, name);
    for (const left of await databaseProcesses(directory)) process.kill(left, 'SIGCONT');
    await stopProcesses(directory);
    await run('umount', [directory]); // fails but for a small disk of the tests of faults
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
