import type { Bench } from './bench.js';
import { mean } from './bootstrap.js';
import { Claims } from './claimLoad.js';
import { databaseProcess } from './databaseWork.js';
import { againstOneProcess, seriesOfRates, type Figure } from './figure.js';
import { sendAll, sendSteadily } from './load.js';
import { processorMs } from './processor.js';
import { logProgress } from './progress.js';
import { SERVER } from './programs.js';
import { RawClient } from './rawClient.js';
import { CANDIDATES, fleetRequests } from './requests.js';
import { Samples } from './samples.js';
import { ServerProcess } from './serverProcess.js';

/** The numbers of workers of a server. With 1 the server runs in a single process. */
const WORKERS = [1, 2];
const CLIENTS = 32;
/** The maximum processor time of a request with two workers, as a multiple of one process. */
const MORE = 1.1;

const SLICES = 6;
const SLICE_MS = 2_500;
const WARM_UP_MS = 8_000;

/** The loads. `rate` is in requests per second; null means as many as the clients can send. */
const LOADS = [
  { what: 'searches, limit 1', kind: 'search', rate: null },
  { what: 'searches, limit 1', kind: 'search', rate: 1_000 },
  { what: 'claims that search', kind: 'claim', rate: null },
  { what: 'claims that search', kind: 'claim', rate: 300 },
] as const;
type Load = (typeof LOADS)[number];

/** A server with this number of workers. */
interface Choice {
  readonly workers: number;
  readonly server: ServerProcess;
}

/** The results of slices of time. */
class Slices {
  readonly perSecond: number[] = [];
  /** The processor time per request (ms). */
  readonly server: number[] = [];
  readonly database: number[] = [];
  readonly times = new Samples();
}

/**
 * Measures one process and two workers in turn: requests per second, and the processor time of a
 * request in all processes of the server.
 */
export async function workerFigures(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.database.url();
  const choices: Choice[] = [];
  for (const workers of WORKERS)
    choices.push({ workers, server: await ServerProcess.start({ ...SERVER, databaseUrl, workers }) });
  const database = bench.database.open(1);
  try {
    const pid = await databaseProcess(database.pool);
    const figures: Figure[] = [];
    for (const kind of ['search', 'claim'] as const)
      for (const { server } of choices)
        await (await slice(bench, server, { kind, rate: null }, WARM_UP_MS)).end();
    for (const load of LOADS) {
      logProgress(`${load.what}, ${load.rate ?? 'as many as there can be'} a second`);
      const found = new Map(choices.map((choice) => [choice, new Slices()]));
      for (let at = 0; at < SLICES; at++)
        for (const [{ server }, slices] of found) await measure(bench, server, load, { slices, pid });
      figures.push(...figuresOf(bench.hosts, load, found));
    }
    return figures;
  } finally {
    await database.close();
    for (const { server } of choices) await server.stop();
  }
}

/** `pid` is the process id of the database server. */
async function measure(
  bench: Bench,
  server: ServerProcess,
  load: Load,
  { slices, pid }: { readonly slices: Slices; readonly pid: number },
): Promise<void> {
  const [own, database] = [await server.processorMs(), await processorMs(pid)];
  const began = performance.now();
  const { times, end } = await slice(bench, server, load, SLICE_MS);
  slices.perSecond.push((1_000 * times.length) / (performance.now() - began));
  slices.server.push(((await server.processorMs()) - own) / times.length);
  slices.database.push(((await processorMs(pid)) - database) / times.length);
  for (const time of times) slices.times.add(time);
  await end();
}

/** Sends for `ms`. `end` releases the claims. */
async function slice(
  bench: Bench,
  server: ServerProcess,
  { kind, rate }: Pick<Load, 'kind' | 'rate'>,
  ms: number,
): Promise<{ times: number[]; end: () => Promise<void> }> {
  const { clients, end } = kind === 'claim' ? claims(bench, server) : searches(bench, server);
  const times = await (rate === null ? sendAll(clients, ms) : sendSteadily(clients, rate, ms));
  return { times, end };
}

interface Clients {
  readonly clients: readonly (() => Promise<void>)[];
  readonly end: () => Promise<void>;
}

function claims(bench: Bench, server: ServerProcess): Clients {
  const made = new Claims(bench, [server], 'searched', CLIENTS);
  return { clients: made.clients, end: () => made.end() };
}

function searches({ targets }: Bench, { url }: ServerProcess): Clients {
  const body = JSON.stringify({
    query: CANDIDATES,
    variables: { request: fleetRequests(targets).q1, limit: 1 },
  });
  const connections = Array.from({ length: CLIENTS }, () => new RawClient(url));
  return {
    clients: connections.map((connection) => () => connection.send(body, 'allocationRequests')),
    end: () => {
      for (const connection of connections) connection.close();
      return Promise.resolve();
    },
  };
}

function figuresOf(hosts: number, load: Load, found: ReadonlyMap<Choice, Slices>): Figure[] {
  const alone = [...found.values()][0];
  return [...found].flatMap(([{ workers }, { perSecond, server, database, times }]) => {
    const name = `${load.what}, ${load.rate === null ? '' : `${load.rate} a second, `}${workers === 1 ? '1 process' : `${workers} workers`}`;
    const isAlone = workers === 1;
    const row = { hosts, count: times.count, detail: '' } as const;
    const rate: Figure = {
      ...row,
      what: name,
      value: mean(perSecond),
      unit: '/s',
      series: seriesOfRates(perSecond),
      p99: times.p99,
      checks: isAlone || load.rate !== null ? [] : [againstOneProcess(alone.perSecond, '/s', { atLeast: 1 })],
    };
    const cost: Figure = {
      ...row,
      what: `${name}: processor time of the server`,
      value: mean(server),
      unit: 'ms',
      series: seriesOfRates(server),
      detail: `${mean(database).toFixed(2)} ms of the database`,
      checks: isAlone ? [] : [againstOneProcess(alone.server, 'ms', { atMost: MORE })],
    };
    return load.rate === null ? [rate, cost] : [cost];
  });
}
