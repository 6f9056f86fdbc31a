import { openDatabase, type Database } from '../../src/store/database/database.js';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { exportPlacement } from '../../src/tools/copy/transfer.js';
import { migrate } from '../../src/store/migrations/migrator.js';
import { firstFilledTable } from '../../src/tools/demo/demo.js';
import { Claims } from '../claims.js';
import { Client } from '../client.js';
import { startFleetDatabase, type FleetDatabase } from '../fleetDatabase.js';
import { machineLine } from '../machine.js';
import { interleavedRates } from '../measure.js';
import type { Options } from '../options.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { CANDIDATES, fleetRequests, inputOf, type FleetQuery } from '../requests.js';
import { ServerProcess } from '../serverProcess.js';
import { targetsOf } from '../targets.js';
import { Reference } from './reference.js';
import { restRows } from './rest.js';
import { CLIENTS, perSecond, referenceClaims, timesRow, type Beside, type Row } from './rows.js';
import { restQuery } from './restQuery.js';

const QUERIES: readonly (readonly [query: FleetQuery, what: string])[] = [
  ['q1', 'an instance anywhere, ten candidates'],
  ['q2', 'the same with a trait, in a zone'],
  ['q5', 'more GPUs than any host has'],
  ['q6', 'an instance on a named host'],
];

const LIMIT = 10;

/**
 * Sends the same requests to this server and to OpenStack Placement in turn, on one database.
 * Returns how many times as fast this server is, as a table in Markdown.
 */
export async function beside(options: Options): Promise<string> {
  const sections: string[] = [];
  for (const hosts of options.hosts) {
    logProgress(`preparing a fleet of ${hosts} hosts for both programs`);
    const database = await startFleetDatabase(options, hosts);
    const url = await database.empty('beside');
    const reference = await Reference.start(url);
    await fillAndAdopt(database, url);
    const server = await ServerProcess.start({ ...SERVER, databaseUrl: url });
    const client = new Client(server.url);
    const targets = targetsOf(hosts, options.seed);
    const programs = { client, server, reference, targets, repetitions: options.repetitions };
    const rows = await (options.rest ? restRows(programs) : measure(programs));
    const machine = `${await machineLine({ database })}; OpenStack Placement ${await Reference.version()}`;
    client.close();
    await server.stop();
    await reference.stop();
    await database.close();
    sections.push(`${hosts.toLocaleString('en')} hosts; ${machine}\n\n${table(rows)}`);
  }
  return sections.join('\n\n');
}

/** Copies the fleet into Placement's tables once, and adds the tables of this program. */
async function fillAndAdopt(fleet: FleetDatabase, url: string): Promise<void> {
  const target = openDatabase(url);
  const source = fleet.open(2);
  try {
    if ((await firstFilledTable(target.pool)) === null)
      await exportPlacement({ source, target, onProgress: logProgress });
    await adopt(target);
    await migrate(target);
  } finally {
    await closeAll([source, target]);
  }
}

async function closeAll(databases: readonly Database[]): Promise<void> {
  for (const database of databases) await database.close();
}

async function measure(programs: Beside): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [query, what] of QUERIES) {
    logProgress(`both programs: ${what}`);
    rows.push(await compareSearch(programs, query, what));
  }
  logProgress('both programs: claims');
  rows.push(await compareClaims(programs));
  return rows;
}

async function compareSearch(programs: Beside, query: FleetQuery, what: string): Promise<Row> {
  const { client, reference, targets, repetitions } = programs;
  const request = fleetRequests(targets)[query];
  const path = `/allocation_candidates?${restQuery(request)}&limit=${LIMIT}`;
  return timesRow(
    what,
    () => client.send(CANDIDATES, { request: inputOf(request), limit: LIMIT }),
    () => reference.get(path),
    repetitions,
  );
}

async function compareClaims({ server, reference, targets, repetitions }: Beside): Promise<Row> {
  const own = new Claims(server.url, targets.nodes, CLIENTS);
  const theirs = referenceClaims(reference, targets.nodes);
  const loads = [own.load((consumers) => own.release(consumers)), theirs];
  const [here, there] = await interleavedRates(loads, 15 * repetitions);
  own.close();
  return {
    what: `claims of given providers, ${CLIENTS} clients`,
    times: here.perSecond / there.perSecond,
    here: perSecond(here.perSecond),
    there: perSecond(there.perSecond),
  };
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, times, here, there }) => `| ${what} | ${multiple(times)} | ${here} | ${there} |`,
  );
  return [
    '| request | times as fast | here | OpenStack Placement |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Two significant digits: more would differ between two runs. */
const multiple = (times: number): string => Number(times.toPrecision(2)).toLocaleString('en');
