import { once } from 'node:events';
import { Client } from '../client.js';
import { operationsOn, type Operation } from '../compare/operations.js';
import { startFleetDatabase } from '../fleetDatabase.js';
import type { Options } from '../options.js';
import { SERVER } from '../programs.js';
import { ServerProcess } from '../serverProcess.js';
import { targetsOf } from '../targets.js';
import type { CoveredScript } from './coverage.js';

const HOSTS = 50;

/** How often an operation runs before it is observed. */
const WARM_UP = 20;

/** Of so many requests, the one with the fewest files is reported: background jobs run beside some of the others. */
const WINDOWS = 7;

const OBSERVED = ['a search and claim', 'q1, limit 10'];

/** Counts the files, functions and modules of src/ that run for one warm request over HTTP, and lists the files. */
export async function paths(options: Options): Promise<string> {
  const database = await startFleetDatabase(options, HOSTS);
  const preload = new URL('coverage.js', import.meta.url).href;
  delete process.env.npm_lifecycle_event; // its watch of npm is no part of a request
  const server = await ServerProcess.start({ ...SERVER, databaseUrl: await database.url(), preload });
  const client = new Client(server.url);
  const reports: string[] = [];
  for (const operation of operationsOn(targetsOf(HOSTS, options.seed)))
    if (OBSERVED.includes(operation.what)) reports.push(await pathOf(operation, server, client));
  client.close();
  await server.stop();
  await database.close();
  return reports.join('\n\n');
}

async function pathOf(
  { what, ask, cleanUp }: Operation,
  server: ServerProcess,
  client: Client,
): Promise<string> {
  for (let round = 0; round < WARM_UP; round++) {
    await ask(client);
    await cleanUp?.(client);
  }
  let files = new Map<string, number>();
  for (let window = 0; window < WINDOWS; window++) {
    await covered(server);
    await ask(client);
    const seen = filesOf(await covered(server));
    if (window === 0 || seen.size < files.size) files = seen;
    await cleanUp?.(client);
  }
  const modules = new Set([...files.keys()].map((file) => file.split('/')[0]));
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...files].sort().map(([file, count]) => `  src/${file}.ts ${count}`);
  return [`${what}: ${files.size} files (${functions} functions), ${modules.size} modules`, ...lines].join(
    '\n',
  );
}

/** How many functions of each file of src/ have run. */
function filesOf(scripts: readonly CoveredScript[]): Map<string, number> {
  const files = new Map<string, number>();
  for (const { url, functions } of scripts) {
    const [, file] = /\/dist\/(.+)\.js$/.exec(url) ?? [];
    if (file !== undefined && !url.includes('/node_modules/')) files.set(file, functions.length);
  }
  return files;
}

async function covered(server: ServerProcess): Promise<readonly CoveredScript[]> {
  const answer = once(server.child, 'message') as Promise<[CoveredScript[]]>;
  server.child.send('take');
  return (await answer)[0];
}
