// npm run docs:drawings: draws the SVGs of docs/images from the answers of an empty server that it starts and stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { DOCS, prepareDocs, prepareProject } from './setup/project.mjs';
import { root, withFolder } from './setup/run.mjs';

await prepare(prepareProject, prepareDocs);
const { DRAWINGS, drawings } = await import(`../${DOCS}/drawings/drawings.js`);
await withFolder('placement-drawings-', async (data) => {
  const environment = { ...process.env, PLACEMENT_DATA_DIRECTORY: data };
  delete environment.DATABASE_URL; // an empty server has a database of its own
  const server = spawn(process.execPath, ['scripts/start.mjs', '--empty', '--port', '0'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await served(server);
    for (const [file, text] of await drawings(root, (document) => ask(url, document)))
      writeFileSync(join(root, DRAWINGS, file), text);
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
});

/** Waits for the address of the server and returns it. */
async function served(server) {
  for await (const chunk of server.stdout) {
    const address = /is serving (http\S+\/graphql)/.exec(String(chunk));
    if (address !== null) return address[1];
  }
  throw new Error('the server has ended');
}

async function ask(url, query) {
  const headers = { 'content-type': 'application/json' };
  const response = await globalThis.fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
