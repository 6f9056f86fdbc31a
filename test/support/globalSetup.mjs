import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBench, prepareCode } from '../../scripts/setup/project.mjs';
import { alone } from '../../scripts/setup/alone.mjs';

const prefix = 'placement-test-';

/**
 * Starts the one throw-away database server of this test run and tells the test files where it is by
 * PLACEMENT_TEST_SERVER_URL. Native JavaScript that uses the compiled code, because Jest does not transform what a
 * global set-up imports.
 */
export default async function globalSetup() {
  await alone(async () => {
    await prepareCode();
    await prepareBench();
  });
  await sweep();
  const { startPrivateDatabase } = await import('../../dist/privateDatabase/privateDatabase.js');
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const server = await startPrivateDatabase({ directory, durable: false });
  process.env.PLACEMENT_TEST_SERVER_URL = server.url('mysql');
  globalThis.placementTestServer = { server, directory };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
      process.exit(1);
    });
  }
}

/** Removes what test runs that were killed left behind. */
async function sweep() {
  const { stopProcesses } = await import('../../dist/privateDatabase/processes.js');
  const folder = await realpath(tmpdir());
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const directory = join(folder, name);
    await stopProcesses(directory);
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
