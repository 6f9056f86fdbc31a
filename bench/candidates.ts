import type { Bench } from './bench.js';
import { MINIMAL, type Answer } from './client.js';
import { against, timeFigure, type Bar, type Figure } from './figure.js';
import { interleaved, timed, type Work } from './measure.js';
import { LatencyMonitor } from './latencyMonitor.js';
import {
  CANDIDATES,
  FLEET_QUERIES,
  fleetInputs,
  type CandidatesAnswer,
  type FleetQuery,
} from './requests.js';
import type { Samples } from './samples.js';

type Limit = 10 | 1000 | null;

/** The times of OpenStack Placement at 10,000 hosts with a limit of 10, in milliseconds. */
const REFERENCE: Readonly<Record<FleetQuery, number>> = {
  q1: 9_162,
  q2: 1_093,
  q3: 14_358,
  q4: 5_786,
  q5: 729,
  q6: 31,
};
/**
 * The maximum time of each query as a share of the time of Placement. Queries that take Placement
 * tens of milliseconds get a larger share than those that take thousands.
 */
const BARS: Readonly<Record<FleetQuery, number>> = {
  q1: 1 / 2_000,
  q2: 1 / 300,
  q3: 1 / 3_000,
  q4: 1 / 1_500,
  q5: 1 / 300,
  q6: 1 / 14,
};
const REFERENCE_WITHOUT_LIMIT = 12_500;

/** Measures q1 to q6, each with limit 10, limit 1000 and no limit. */
export async function candidateFigures(bench: Bench): Promise<Figure[]> {
  const queries = FLEET_QUERIES.filter((query) => bench.options.only.has(query));
  if (queries.length === 0) return [];
  const { repetitions } = bench.options;
  return [
    ...(await shortAnswers(bench, queries, repetitions)),
    ...(await longAnswers(bench, queries, 1000, Math.ceil(repetitions / 5))),
    ...(await longAnswers(bench, queries, null, Math.ceil(repetitions / 60))),
    ...(queries.includes('q1') ? [await latencyFigure(bench)] : []),
  ];
}

function ask({ client, targets: landmarks }: Bench, query: FleetQuery, limit: Limit): Promise<Answer> {
  return client.send(CANDIDATES, { request: fleetInputs(landmarks)[query], limit });
}

function parse({ text }: Answer): CandidatesAnswer {
  const { data, errors } = JSON.parse(text()) as { data: CandidatesAnswer; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function shortAnswers(bench: Bench, queries: readonly FleetQuery[], rounds: number): Promise<Figure[]> {
  const answers = new Map<FleetQuery, Answer>();
  const works = queries.map((query): Work => async () => {
    const answer = await ask(bench, query, 10);
    answers.set(query, answer);
    return answer.ms;
  });
  // a minimal query before each query pays for the garbage that the previous queries have left
  const samples = await interleaved(
    works.flatMap((work) => [bench.client.minimal, work]),
    rounds,
  );
  const yardstick = samples[0];
  return [
    ...queries.map((query, index) =>
      timeFigure(samples[2 * index + 1], {
        hosts: bench.hosts,
        what: `${query}, limit 10`,
        detail: describe(answers.get(query)!),
        reference: bench.hosts === 10_000 ? REFERENCE[query] : undefined,
        checks: [
          against(MINIMAL, samples[2 * index]),
          ...(bench.hosts === 10_000 ? [{ bar: { atMost: BARS[query] * REFERENCE[query] } }] : []),
        ],
      }),
    ),
    timeFigure(yardstick, { hosts: bench.hosts, what: MINIMAL, detail: 'the minimal query' }),
  ];
}

/** Compares each answer with the time to write the same answer as JSON. */
async function longAnswers(
  bench: Bench,
  queries: readonly FleetQuery[],
  limit: 1000 | null,
  rounds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const query of queries) {
    const first = await ask(bench, query, limit);
    const data = parse(first);
    const [own, json] = await interleaved(
      [async () => (await ask(bench, query, limit)).ms, timed(() => JSON.stringify({ data }))],
      rounds,
    );
    figures.push(longFigure(bench, { query, limit, own, json, detail: describe(first) }));
  }
  return figures;
}

interface Long {
  readonly query: FleetQuery;
  readonly limit: 1000 | null;
  readonly own: Samples;
  readonly json: Samples;
  readonly detail: string;
}

function longFigure({ hosts }: Bench, { query, limit, own, json, detail }: Long): Figure {
  const isFirst = query === 'q1';
  const bar: Bar | undefined = isFirst && limit !== null ? { atMost: 4 } : undefined;
  const whole = isFirst && limit === null;
  return timeFigure(own, {
    hosts,
    what: `${query}, ${limit === null ? 'no limit' : `limit ${limit}`}`,
    detail,
    reference: whole && hosts === 10_000 ? REFERENCE_WITHOUT_LIMIT : undefined,
    checks: [
      against('JSON.stringify', json, bar),
      ...(whole && hosts <= 10_000 ? [{ bar: { atMost: 1_500 } }] : []),
    ],
  });
}

/**
 * Measures the longest wait of another client for the minimal query while the server answers q1
 * without a limit.
 */
async function latencyFigure(bench: Bench): Promise<Figure> {
  const pulse = await LatencyMonitor.start(bench.server.url);
  const rounds = Math.ceil(bench.options.repetitions / 100);
  for (let round = 0; round < rounds; round++) await ask(bench, 'q1', null);
  const { longest, count, p99 } = await pulse.stop();
  return {
    hosts: bench.hosts,
    what: 'others while q1, no limit',
    value: longest,
    unit: 'ms',
    p99,
    count,
    detail: `the longest wait for ${MINIMAL} on a second connection`,
    checks: [{ bar: { atMost: 50 } }],
  };
}

function describe(answer: Answer): string {
  const { allocationRequests } = parse(answer).allocationCandidates;
  return `${allocationRequests.length} candidates, ${size(answer.bytes)}`;
}

function size(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
