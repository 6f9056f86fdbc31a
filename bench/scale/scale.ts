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

/** How often an operation is repeated after the first time, unless that took longer than LONG_MS. */
const REPETITIONS = 5;
const LONG_MS = 5_000;

/** The row of a server that has answered nothing yet. */
const START = 'start';

/** A server whose memory has grown by more than this factor is replaced, so that the next operation does not profit. */
const GROWN = 1.1;

/**
 * Measures how each operation grows with the fleet, and the memory of a fresh server after it. Returns a table in
 * Markdown.
 */
export async function scale(options: Options): Promise<string> {
  const costs = new Map<string, Cost[]>();
  let machine = '';
  for (const hosts of options.hosts) {
    logProgress(`preparing a fleet of ${hosts} hosts`);
    const database = await startFleetDatabase(options, hosts);
    machine ||= await machineLine({ database });
    const operations = scaleOperations({ hosts, options, targets: targetsOf(hosts, options.seed) });
    let served = await serve(database);
    costs.set(START, [...(costs.get(START) ?? []), served.start]);
    for (const operation of operations) {
      const { what } = operation;
      logProgress(`${hosts} hosts: ${what}`);
      const times = await timesOf(operation, served.client);
      const resident = (await served.server.resident()).now;
      costs.set(what, [...(costs.get(what) ?? []), { ...times, resident }]);
      if (resident < GROWN * served.start.resident) continue;
      await stop(served);
      served = await serve(database);
    }
    await stop(served);
    await database.close();
  }
  return `${machine}\n\n${growthTable(options.hosts, costs)}`;
}

interface Served {
  readonly server: ServerProcess;
  readonly client: Client;
  readonly start: Cost;
}

async function serve(database: FleetDatabase): Promise<Served> {
  const server = await ServerProcess.start({ ...SERVER, databaseUrl: await database.url() });
  const client = new Client(server.url);
  await client.minimal();
  const resident = (await server.resident()).now;
  return { server, client, start: { first: server.startMs, next: null, resident } };
}

async function stop({ server, client }: Served): Promise<void> {
  client.close();
  await server.stop();
}

async function timesOf(operation: Operation, client: Client): Promise<Pick<Cost, 'first' | 'next'>> {
  const times: number[] = [];
  while (times.length <= REPETITIONS) {
    const answer = await operation.ask(client);
    const [, code] = /^\{"errors".*?"code":"(\w+)"/.exec(answer.text()) ?? [];
    if (code !== undefined) return { first: code, next: null };
    await operation.cleanUp?.(client);
    times.push(answer.ms);
    if (answer.ms > LONG_MS) return { first: answer.ms, next: null };
  }
  const [first, ...rest] = times;
  return { first, next: median(rest) };
}
