import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root, withFolder } from './run.mjs';

/** Runs work with the address of a server that has a new database of its own, and stops the server afterwards. */
export function withFreshServer(options, work) {
  return withFolder('placement-fresh-', async (data) => {
    const environment = { ...process.env, PLACEMENT_DATA_DIRECTORY: data };
    delete environment.DATABASE_URL;
    const server = spawn(process.execPath, ['scripts/start.mjs', ...options, '--port', '0'], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      return await work(await served(server));
    } finally {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
  });
}

/** Waits for the address of the GraphQL endpoint and returns it. */
async function served(server) {
  for await (const chunk of server.stdout) {
    const address = /is serving (http\S+\/graphql)/.exec(String(chunk));
    if (address !== null) return address[1];
  }
  throw new Error('the server has ended');
}
