import type { Bench } from './bench.js';
import type { Part } from './options.js';
import { against, timeFigure, type Check, type Figure } from './figure.js';
import { runProbe, type Comparisons, type ProbeResult, type Refreshes } from './probeProcess.js';
import { FLEET_QUERIES, fleetRequests } from './requests.js';
import { Samples } from './samples.js';

/** The limits. `share` is the share of the repetitions for a search with the limit. */
const LIMITS = [
  { limit: 10, name: 'limit 10', share: 1 },
  { limit: 1000, name: 'limit 1000', share: 1 / 5 },
  { limit: null, name: 'no limit', share: 1 / 60 },
] as const;

/**
 * Measures the load and the refresh of the snapshot, and the searches alone, in fresh processes
 * without HTTP.
 */
export async function snapshotFigures(bench: Bench): Promise<Figure[]> {
  const { only, repetitions } = bench.options;
  const requests = fleetRequests(bench.targets);
  const searches = FLEET_QUERIES.filter((query) => only.has(query)).flatMap((query) =>
    LIMITS.map(({ limit, name, share }) => ({
      what: `${query}, ${name}, search alone`,
      order: { request: requests[query], limit, rounds: Math.ceil(repetitions * share) },
    })),
  );
  if (searches.length === 0 && !['load', 'refresh', 'comparison'].some((part) => only.has(part as Part)))
    return [];
  const probe = await runProbe({
    databaseUrl: await bench.database.url(),
    searches: searches.map(({ order }) => order),
    changes: only.has('refresh') ? { providers: bench.targets.nodes, rounds: repetitions } : undefined,
    comparisons: only.has('comparison') ? Math.ceil(repetitions / 10) : 0,
  });
  return [
    ...searches.map(({ what }, index) => {
      const { found, times } = probe.searches[index];
      return timeFigure(new Samples(times), { hosts: bench.hosts, what, detail: `${found} candidates` });
    }),
    ...(only.has('load') ? loadFigures(bench, [probe, ...(await again(bench))]) : []),
    ...(probe.refresh === null ? [] : refreshFigures(bench, probe.refresh)),
    ...comparisonFigures(bench, probe.comparison),
  ];
}

/** Loads the snapshot in further processes. */
async function again(bench: Bench): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  const databaseUrl = await bench.database.url();
  for (let run = 1; run < Math.min(3, bench.options.repetitions); run++) {
    results.push(await runProbe({ databaseUrl }));
  }
  return results;
}

function loadFigures({ hosts, server }: Bench, probes: readonly ProbeResult[]): Figure[] {
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

function refreshFigures({ hosts }: Bench, refresh: Refreshes): Figure[] {
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

function comparisonFigures({ hosts }: Bench, { times, ownProcessor }: Comparisons): Figure[] {
  if (times.length === 0) return [];
  const own = new Samples(ownProcessor).median;
  const detail = `of all providers, nothing changed; ${own.toFixed(1)} ms of it are this process' own`;
  return [timeFigure(new Samples(times), { hosts, what: 'comparison with the database', detail })];
}

/** Returns the current and the peak memory of the measured server. */
export async function memoryFigures({ hosts, server, options }: Bench): Promise<Figure[]> {
  if (!options.only.has('memory')) return [];
  const { now, peak } = await server.resident();
  const row = { hosts, unit: 'MiB', count: 1, checks: [] } as const;
  return [
    { ...row, what: 'server, resident at the end', value: now, detail: 'after all of the above' },
    { ...row, what: 'server, resident at its peak', value: peak, detail: 'over all of the above' },
  ];
}
