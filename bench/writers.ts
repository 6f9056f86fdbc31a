import type { Bench } from './bench.js';
import { mean } from './bootstrap.js';
import { Claims, type ClaimKind } from './claimLoad.js';
import { databaseProcess, databaseWork, type DatabaseWork } from './databaseWork.js';
import { againstOneProcess, meanOfSlices, type Figure } from './figure.js';
import { sendAll, sendSteadily } from './load.js';
import { logProgress } from './progress.js';
import { SERVER } from './programs.js';
import { RawClient } from './rawClient.js';
import { CANDIDATES, fleetInputs } from './requests.js';
import { ServerProcess } from './serverProcess.js';
import { Slices } from './slices.js';

/** The numbers of server processes that claim on one database. */
const PROCESSES = [1, 2, 4, 8];
/** The total number of clients, spread over the processes. */
const CLIENTS = 16;
/** The total claims per second of a load that is the same for every number of processes. */
const STEADY = 300;
/** The maximum increase of processor time per claim with each further process (share). */
const MORE_FOR_EACH = 0.1;
/**
 * The minimum claims per second of one process at full speed, and the maximum p99 in milliseconds.
 */
const BARS = { given: 4_000, searched: 2_000, p99: 15 };

/**
 * The claims per second of one process, and the searches per second of another process, which reads
 * these claims from the feed.
 */
const FOREIGN = 500;
const SEARCHES = 100;

const SLICES = 5;
const SLICE_MS = 2_500;
/**
 * The warm-up time of each process at full speed (ms). Rarely run code is compiled late, and the
 * measurement would include its compilation.
 */
const WARM_UP_MS = 6_000;

const NAMES: Readonly<Record<ClaimKind, string>> = {
  given: 'claims of given providers',
  searched: 'claims that search',
};

/**
 * The kinds of claims, at a steady rate (claims per second) or as fast as the clients can send
 * (null), by numbers of processes in turn.
 */
const LOADS = [
  { kind: 'searched', rate: STEADY, processes: PROCESSES },
  { kind: 'searched', rate: null, processes: PROCESSES },
  { kind: 'given', rate: null, processes: [1] },
] as const;

/**
 * Measures the cost of a claim, and its growth with the number of writing processes. Each process
 * reads the claims of the others before it searches.
 */
export async function writerFigures(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.database.url();
  const servers: ServerProcess[] = [];
  for (let count = 0; count < Math.max(...PROCESSES); count++)
    servers.push(await ServerProcess.start({ ...SERVER, databaseUrl }));
  const database = bench.database.open(1);
  try {
    const figures: Figure[] = [];
    const pid = await databaseProcess(database.pool);
    for (const server of servers) await warmUp(bench, server);
    for (const how of LOADS) {
      logProgress(`${NAMES[how.kind]}, ${how.rate ?? 'as many as there can be'} a second`);
      const load = new Load(bench, servers, { ...how, pid });
      for (let slice = 0; slice < SLICES; slice++)
        for (const count of how.processes) await load.run(count, () => databaseWork(database.pool));
      figures.push(...load.figures());
    }
    figures.push(await foreignClaims(bench, servers[0], servers[1]));
    return figures;
  } finally {
    await database.close();
    for (const server of servers) await server.stop();
  }
}

/**
 * Measures what a claim of one process costs another process that searches. Slices with and without
 * claims alternate.
 */
async function foreignClaims(bench: Bench, writer: ServerProcess, reader: ServerProcess): Promise<Figure> {
  const connection = new RawClient(reader.url);
  const { q1: request } = fleetInputs(bench.targets);
  const search = JSON.stringify({ query: CANDIDATES, variables: { request, limit: 10 } });
  const slice = async (claimsPerSecond: number): Promise<{ perSecond: number; claims: number }> => {
    const claims = new Claims(bench, [writer], 'given', CLIENTS);
    const before = await reader.processorMs();
    const [, sent] = await Promise.all([
      sendSteadily([() => connection.send(search, 'allocationRequests')], SEARCHES, SLICE_MS),
      claimsPerSecond === 0 ? [] : sendSteadily(claims.clients, claimsPerSecond, SLICE_MS),
    ]);
    const perSecond = ((await reader.processorMs()) - before) / (SLICE_MS / 1_000);
    await claims.end();
    return { perSecond, claims: sent.length };
  };
  const costs: number[] = [];
  for (let at = 0; at < 2 * SLICES; at++) {
    const without = await slice(0);
    const { perSecond, claims } = await slice(FOREIGN);
    costs.push(((perSecond - without.perSecond) * (SLICE_MS / 1_000)) / claims);
  }
  connection.close();
  return {
    hosts: bench.hosts,
    what: 'a claim of another process',
    ...meanOfSlices(costs, 'ms'),
    count: costs.length,
    detail: `more processor time of one that has ${SEARCHES} searches a second, for each of ${FOREIGN} a second`,
    checks: [],
  };
}

async function warmUp(bench: Bench, server: ServerProcess): Promise<void> {
  for (const kind of ['searched', 'given'] as const) {
    const claims = new Claims(bench, [server], kind, CLIENTS);
    await sendAll(claims.clients, WARM_UP_MS / 2);
    await claims.end();
  }
}

/** The results of slices with one number of processes. */
class ClaimSlices extends Slices {
  readonly work: DatabaseWork[] = [];
}

/** One kind of claims, by numbers of processes. */
class Load {
  private readonly slices: ReadonlyMap<number, ClaimSlices>;

  constructor(
    private readonly bench: Bench,
    private readonly servers: readonly ServerProcess[],
    /** `pid` is the process id of the database server. */
    private readonly how: (typeof LOADS)[number] & { readonly pid: number },
  ) {
    this.slices = new Map(how.processes.map((count) => [count, new ClaimSlices()]));
  }

  /** Runs a slice of time on the first `count` servers. */
  async run(count: number, workSoFar: () => Promise<DatabaseWork>): Promise<void> {
    const { rate, pid } = this.how;
    const used = this.servers.slice(0, count);
    const claims = new Claims(this.bench, used, this.how.kind, CLIENTS);
    const slices = this.slices.get(count)!;
    const before = await workSoFar();
    const sent = await slices.measure(used, pid, () =>
      rate === null ? sendAll(claims.clients, SLICE_MS) : sendSteadily(claims.clients, rate, SLICE_MS),
    );
    slices.work.push((await workSoFar()).since(before, sent));
    await claims.end();
  }

  figures(): Figure[] {
    return [...this.slices.keys()].flatMap((count) =>
      this.how.rate === null ? this.fast(count) : this.steady(count),
    );
  }

  private name(count: number): string {
    return `${NAMES[this.how.kind]}, ${count === 1 ? '1 process' : `${count} processes`}`;
  }

  private steady(count: number): Figure[] {
    const { servers, database, times } = this.slices.get(count)!;
    const alone = this.slices.get(1)!;
    const detail = `at ${STEADY} a second in all`;
    const row = { hosts: this.bench.hosts, count: times.count, detail };
    const figure = (what: string, values: readonly number[], ofOne: readonly number[], atMost: number) => ({
      ...row,
      what: `${this.name(count)}: ${what}`,
      ...meanOfSlices(values, 'ms'),
      checks: count === 1 ? [] : [againstOneProcess(ofOne, 'ms', { atMost })],
    });
    const bar = 1 + MORE_FOR_EACH * (count - 1);
    return [
      { ...figure('processor time of the servers', servers, alone.servers, bar), p99: times.p99 },
      figure('processor time of the database', database, alone.database, bar),
    ];
  }

  private fast(count: number): Figure[] {
    const { perSecond, servers, database, times, work } = this.slices.get(count)!;
    const row = { hosts: this.bench.hosts, what: this.name(count), count: times.count } as const;
    const isAlone = count === 1;
    const cost = `${mean(servers).toFixed(2)} ms of the servers, ${mean(database).toFixed(2)} of the database`;
    const rate: Figure = {
      ...row,
      ...meanOfSlices(perSecond, '/s'),
      p99: times.p99,
      detail: isAlone ? `${cost}; ${meanOf(work)}` : cost,
      checks: isAlone ? [{ bar: { atLeast: BARS[this.how.kind] } }] : [],
    };
    if (!isAlone) return [rate];
    const p99 = {
      ...row,
      what: `${row.what}, p99`,
      unit: 'ms',
      detail: '',
      checks: [{ bar: { atMost: BARS.p99 } }],
    } as const;
    return [rate, { ...p99, value: times.p99 }];
  }
}

function meanOf(work: readonly DatabaseWork[]): string {
  const part = (of: (each: DatabaseWork) => number): string => mean(work.map(of)).toFixed(2);
  return (
    `each ${part(({ statements }) => statements)} statements, ${part(({ kilobytes }) => kilobytes)} kB, ` +
    `${part(({ logWrites }) => logWrites)} writes of the log`
  );
}
