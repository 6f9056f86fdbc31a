import type { Bench } from './bench.js';
import { against, timeFigure, type Check, type Figure } from './figure.js';
import { runProbe, type ProbeResult } from './probeProcess.js';
import { FLEET_QUERIES, fleetRequests } from './requests.js';
import { Samples } from './samples.js';

const LIMITS = [10, 1000] as const;

/** Loading the offer, keeping it up, and the searches by themselves: measured in fresh processes without HTTP. */
export async function snapshotFigures(bench: Bench): Promise<Figure[]> {
  const { only, repetitions } = bench.options;
  const queries = FLEET_QUERIES.filter((query) => only.has(query));
  const requests = fleetRequests(bench.landmarks);
  const asked = queries.flatMap((query) =>
    LIMITS.map((limit) => ({ query, limit, request: requests[query] })),
  );
  if (asked.length === 0 && !only.has('load') && !only.has('refresh')) return [];
  const probe = await runProbe({
    databaseUrl: await bench.database.url(),
    rounds: repetitions,
    searches: asked.map(({ request, limit }) => ({ request, limit })),
    changing: only.has('refresh') ? bench.landmarks.nodes : undefined,
  });
  return [
    ...asked.map(({ query, limit }, index) => {
      const { found, times } = probe.searches[index];
      const what = `${query}, limit ${limit}, search alone`;
      return timeFigure(new Samples(times), { hosts: bench.hosts, what, detail: `${found} candidates` });
    }),
    ...(only.has('load') ? loadFigures(bench, probe, await again(bench)) : []),
    ...(only.has('refresh') ? refreshFigures(bench, probe) : []),
  ];
}

/** Loads in further processes. */
async function again(bench: Bench): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  const databaseUrl = await bench.database.url();
  for (let run = 1; run < Math.min(3, bench.options.repetitions); run++) {
    results.push(await runProbe({ databaseUrl, rounds: 1 }));
  }
  return results;
}

function loadFigures({ hosts, server }: Bench, first: ProbeResult, others: readonly ProbeResult[]): Figure[] {
  const probes = [first, ...others];
  const largest = hosts === 100_000;
  const checks = (most: number): Check[] => (largest ? [{ bar: { atMost: most } }] : []);
  const memory = (what: string, values: readonly number[]): Figure => ({
    hosts,
    what,
    value: new Samples(values).median,
    unit: 'MiB',
    count: values.length,
    detail: 'of a process that has loaded the offer',
    checks: checks(1_536),
  });
  return [
    timeFigure(new Samples(probes.map(({ loadMs }) => loadMs)), {
      hosts,
      what: 'start-up load',
      detail: `each in a fresh process; this server served after ${Math.round(server.startMs)} ms`,
      checks: checks(10_000),
    }),
    memory(
      'resident after the load',
      probes.map(({ resident }) => resident.now),
    ),
    memory(
      'resident at the peak of the load',
      probes.map(({ resident }) => resident.peak),
    ),
  ];
}

function refreshFigures({ hosts }: Bench, { refresh }: ProbeResult): Figure[] {
  const read = new Samples(refresh.read);
  const name = 'a read by primary key';
  return [
    timeFigure(new Samples(refresh.changed), {
      hosts,
      what: 'refresh after one change',
      detail: 'a claim or release by another writer',
      checks: [against(name, read), { bar: { atMost: 2 } }],
    }),
    timeFigure(new Samples(refresh.unchanged), {
      hosts,
      what: 'refresh without a change',
      detail: 'the read of the change feed',
      checks: [against(name, read)],
    }),
    timeFigure(read, { hosts, what: name, detail: 'through the pool' }),
  ];
}

/** What the server that was measured has taken at most. */
export async function memoryFigures({ hosts, server, options }: Bench): Promise<Figure[]> {
  if (!options.only.has('memory')) return [];
  const { now, peak } = await server.resident();
  const row = { hosts, unit: 'MiB', count: 1, checks: [] } as const;
  return [
    { ...row, what: 'server, resident at the end', value: now, detail: 'after all of the above' },
    { ...row, what: 'server, resident at its peak', value: peak, detail: 'over all of the above' },
  ];
}
