import { resolve } from 'node:path';
import type { Bench } from './bench.js';
import { beside } from './beside/beside.js';
import { bulkFigures } from './bulk.js';
import { candidateFigures } from './candidates.js';
import { claimFigures } from './claims.js';
import { Client } from './client.js';
import { compare } from './compare/compare.js';
import { deleteFigures } from './deletes.js';
import { deviceFigures } from './devices.js';
import { drainFigures } from './drain.js';
import { enduranceFigures } from './endurance/endurance.js';
import type { Figure } from './figure.js';
import { startFleetDatabase } from './fleetDatabase.js';
import { growthFigures } from './growth.js';
import { hardFigures } from './hard/figures.js';
import { targetsOf } from './targets.js';
import { machineLine } from './machine.js';
import { readOptions, type Options, type Part } from './options.js';
import { SERVER } from './programs.js';
import { quotaFigures } from './quotas.js';
import { UNUSED_TRAIT } from './requests.js';
import { observingFigures } from './observing.js';
import { partitions } from './partitions/partitions.js';
import { paths } from './paths/paths.js';
import { rebalanceFigures } from './rebalance.js';
import { reshapeFigures } from './reshape.js';
import { scale } from './scale/scale.js';
import { ServerProcess } from './serverProcess.js';
import { memoryFigures, snapshotFigures } from './snapshot.js';
import { startFigures } from './start.js';
import { listFigures } from './lists.js';
import { tables } from './table.js';
import { passFigures } from './passes.js';
import { moveFigures } from './moves.js';
import { logProgress } from './progress.js';
import { usageFigures } from './usages.js';
import { workerFigures } from './workers.js';
import { workloadFigures } from './workloads/figures.js';
import { writerFigures } from './writers.js';

// the exit handlers end the child processes
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const options = readOptions();
console.log(await run(options));

function run(options: Options): Promise<string> {
  if (options.beside) return beside(options);
  if (options.partitions) return partitions(options);
  if (options.paths) return paths(options);
  if (options.scale) return scale(options);
  return options.compare === null ? measure(options) : compare(options, options.compare);
}

/** Measures this commit and returns the figures as tables. */
async function measure({ hosts: sizes, markdown }: Options): Promise<string> {
  const figures: Figure[] = [];
  let machine = '';
  for (const hosts of sizes) {
    await withBench(options, hosts, async (bench) => {
      machine ||= await machineLine(bench);
      figures.push(...(await fleetFigures(bench, hosts === sizes[0])));
    });
  }
  figures.push(...growthFigures(figures));
  return `${machine}\n\n${tables(figures, markdown)}`;
}

/** Runs `work` with the database and the server of a fleet. */
async function withBench(
  options: Options,
  hosts: number,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  logProgress(`preparing a fleet of ${hosts} hosts`);
  const database = await startFleetDatabase(options, hosts);
  const profile = options.profile ? profilePath(options, hosts) : undefined;
  const server = await ServerProcess.start({ ...SERVER, databaseUrl: await database.url(), profile });
  const client = new Client(server.url);
  await client.change('createTrait', { name: UNUSED_TRAIT });
  const landmarks = targetsOf(hosts, options.seed);
  await work({ hosts, options, targets: landmarks, database, server, client });
  client.close();
  await server.stop();
  await database.close();
  if (profile !== undefined) logProgress(`CPU profile of the server: ${profile}`);
}

function profilePath({ directory }: Options, hosts: number): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return resolve(directory, 'profiles', `${time}-hosts-${hosts}.cpuprofile`);
}

/**
 * Measures all requested parts on one fleet. Parts that do not depend on the fleet run only on the
 * first one.
 */
async function fleetFigures(bench: Bench, isFirst: boolean): Promise<Figure[]> {
  const parts: [name: Part | 'candidates' | 'snapshot', isWanted: boolean, measure: typeof claimFigures][] = [
    ['candidates', true, candidateFigures],
    ['snapshot', true, snapshotFigures],
    ['q7', isFirst, deviceFigures],
    ['hard', true, hardFigures],
    ['workloads', true, workloadFigures],
    ['claims', true, claimFigures],
    ['quotas', true, quotaFigures],
    ['deletes', true, deleteFigures],
    ['bulk', true, bulkFigures],
    ['usages', true, usageFigures],
    ['lists', true, listFigures],
    ['passes', true, passFigures],
    ['reshape', true, reshapeFigures],
    ['drain', true, drainFigures],
    ['moves', true, moveFigures],
    ['moves', true, rebalanceFigures],
    ['start', true, startFigures],
    ['memory', true, memoryFigures],
    ['endurance', isFirst, enduranceFigures],
    ['writers', isFirst, writerFigures],
    ['workers', isFirst, workerFigures],
    ['observing', isFirst, observingFigures],
  ];
  const found: Figure[] = [];
  for (const [name, isWanted, measure] of parts) {
    const isPart = name !== 'candidates' && name !== 'snapshot';
    if (!isWanted || (isPart && !bench.options.only.has(name))) continue;
    logProgress(`${bench.hosts} hosts: ${name}`);
    found.push(...(await measure(bench)));
  }
  return found;
}
