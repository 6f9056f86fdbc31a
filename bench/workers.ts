import type { Bench } from './bench.js';
import { mean } from './bootstrap.js';
import { Claims, sameRequests, type Clients } from './claimLoad.js';
import { databaseProcess } from './databaseWork.js';
import { againstOneProcess, meanOfSlices, type Figure } from './figure.js';
import { sendAll, sendSteadily } from './load.js';
import { logProgress } from './progress.js';
import { SERVER } from './programs.js';
import { CANDIDATES, fleetInputs } from './requests.js';
import { ServerProcess } from './serverProcess.js';
import { Slices } from './slices.js';

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
      for (const { server } of choices) {
        const work = clientsOf(bench, server, kind);
        await sendAll(work.clients, WARM_UP_MS);
        await work.end();
      }
    for (const load of LOADS) {
      logProgress(`${load.what}, ${load.rate ?? 'as many as there can be'} a second`);
      const found = new Map(choices.map((choice) => [choice, new Slices()]));
      for (let at = 0; at < SLICES; at++)
        for (const [{ server }, slices] of found) {
          const work = clientsOf(bench, server, load.kind);
          await slices.measure([server], pid, () =>
            load.rate === null
              ? sendAll(work.clients, SLICE_MS)
              : sendSteadily(work.clients, load.rate, SLICE_MS),
          );
          await work.end();
        }
      figures.push(...figuresOf(bench.hosts, load, found));
    }
    return figures;
  } finally {
    await database.close();
    for (const { server } of choices) await server.stop();
  }
}

function clientsOf(bench: Bench, server: ServerProcess, kind: Load['kind']): Clients {
  if (kind === 'claim') return new Claims(bench, [server], 'searched', CLIENTS);
  const variables = { request: fleetInputs(bench.targets).q1, limit: 1 };
  return sameRequests(server.url, CLIENTS, { query: CANDIDATES, variables }, 'allocationRequests');
}

function figuresOf(hosts: number, load: Load, found: ReadonlyMap<Choice, Slices>): Figure[] {
  const alone = [...found.values()][0];
  return [...found].flatMap(([{ workers }, { perSecond, servers, database, times }]) => {
    const name = `${load.what}, ${load.rate === null ? '' : `${load.rate} a second, `}${workers === 1 ? '1 process' : `${workers} workers`}`;
    const isAlone = workers === 1;
    const row = { hosts, count: times.count, detail: '' } as const;
    const rate: Figure = {
      ...row,
      what: name,
      ...meanOfSlices(perSecond, '/s'),
      p99: times.p99,
      checks: isAlone || load.rate !== null ? [] : [againstOneProcess(alone.perSecond, '/s', { atLeast: 1 })],
    };
    const cost: Figure = {
      ...row,
      what: `${name}: processor time of the server`,
      ...meanOfSlices(servers, 'ms'),
      detail: `${mean(database).toFixed(2)} ms of the database`,
      checks: isAlone ? [] : [againstOneProcess(alone.servers, 'ms', { atMost: MORE })],
    };
    return load.rate === null ? [rate, cost] : [cost];
  });
}
