import { median } from '../bootstrap.js';
import { Client } from '../client.js';
import type { Operation } from '../compare/operations.js';
import { startFleetDatabase, type FleetDatabase } from '../fleetDatabase.js';
import { machineLine } from '../machine.js';
import type { Options } from '../options.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { ServerProcess } from '../serverProcess.js';
import { targetsOf } from '../targets.js';
import { growthTable, type Cost } from './growthTable.js';
import { scaleOperations } from './operations.js';

/** How often an operation is repeated after the first time. */
const REPETITIONS = 5;

/** The row of a server that has answered nothing yet. */
const START = 'start';

/**
 * Measures how each operation grows with the fleet: each on a server of its own, so that its memory is known.
 * Returns a table in Markdown.
 */
export async function scale(options: Options): Promise<string> {
  const costs = new Map<string, Cost[]>();
  let machine = '';
  for (const hosts of options.hosts) {
    logProgress(`preparing a fleet of ${hosts} hosts`);
    const database = await startFleetDatabase(options, hosts);
    machine ||= await machineLine({ database });
    const operations = scaleOperations({ hosts, options, targets: targetsOf(hosts, options.seed) });
    for (const operation of [null, ...operations]) {
      const what = operation?.what ?? START;
      logProgress(`${hosts} hosts: ${what}`);
      costs.set(what, [...(costs.get(what) ?? []), await costOn(database, operation)]);
    }
    await database.close();
  }
  return `${machine}\n\n${growthTable(options.hosts, costs)}`;
}

/** Starts a server and measures the operation, or the start alone. */
async function costOn(database: FleetDatabase, operation: Operation | null): Promise<Cost> {
  const server = await ServerProcess.start({ ...SERVER, databaseUrl: await database.url() });
  const client = new Client(server.url);
  await client.minimal();
  try {
    const times =
      operation === null ? { first: server.startMs, next: null } : await timesOf(operation, client);
    return { ...times, resident: (await server.resident()).now };
  } finally {
    client.close();
    await server.stop();
  }
}

async function timesOf(operation: Operation, client: Client): Promise<Pick<Cost, 'first' | 'next'>> {
  const times: number[] = [];
  while (times.length <= REPETITIONS) {
    const answer = await operation.ask(client);
    const [, code] = /^\{"errors".*?"code":"(\w+)"/.exec(answer.text()) ?? [];
    if (code !== undefined) return { first: code, next: null };
    await operation.cleanUp?.(client);
    times.push(answer.ms);
  }
  const [first, ...rest] = times;
  return { first, next: median(rest) };
}
