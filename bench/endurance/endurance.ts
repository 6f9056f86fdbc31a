import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { Client } from '../client.js';
import type { Figure } from '../figure.js';
import { interleavedRates } from '../measure.js';
import { logProgress } from '../progress.js';
import { sendSteadily } from '../load.js';
import { Metrics } from './metrics.js';
import { Mix } from './mix.js';
import { svgOf, type Picture } from './picture.js';

const CLIENTS = 32;
/** The rate, as a share of the rate at which each client sends one operation after the other. */
const LOAD = 0.8;
const CAPACITY_MS = 60_000;
const READ_EVERY_MS = 10_000;
/** The maximum ratio of the last quarter to the second one, for the memory and for the latency. */
const FLAT = 1.2;
const LATENCY = 'placement_graphql_operation_duration_seconds';

/**
 * Runs a mixed load at a steady rate for many minutes. Reports and draws the metrics of the server.
 * Operations are due at fixed moments, even if earlier ones are not answered yet.
 */
export async function enduranceFigures(bench: Bench): Promise<Figure[]> {
  const { hosts, options, server, targets } = bench;
  const clients = Array.from({ length: CLIENTS }, () => new Client(server.url));
  const mix = new Mix(targets);
  const [{ perSecond }] = await interleavedRates(
    [{ clients: clients.map((client) => () => mix.next(client)) }],
    CAPACITY_MS,
  );
  const rate = LOAD * perSecond;
  logProgress(`${options.minutes} minutes of ${rate.toFixed(0)} operations a second`);
  const readings = await Promise.all([
    readMetrics(server.url, options.minutes),
    sendSteadily(
      clients.map((client) => () => mix.next(client)),
      rate,
      options.minutes * 60_000,
    ),
  ]).then(([all]) => all);
  await mix.end(clients[0]);
  for (const client of clients) client.close();
  await draw(join(options.directory, 'endurance'), readings);
  return figuresOf(hosts, rate, readings);
}

async function readMetrics(url: string, minutes: number): Promise<Metrics[]> {
  const began = performance.now();
  const readings: Metrics[] = [];
  const times = (minutes * 60_000) / READ_EVERY_MS;
  for (let at = 0; at <= times; at++) {
    const wait = began + at * READ_EVERY_MS - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
    readings.push(await Metrics.read(url, (performance.now() - began) / 1000));
  }
  return readings;
}

const residentOf = (reading: Metrics): number => reading.sum('process_resident_memory_bytes') / 2 ** 20;

function figuresOf(hosts: number, rate: number, readings: readonly Metrics[]): Figure[] {
  const [first, last] = [readings[0], readings.at(-1)!];
  const operations =
    last.sum('placement_graphql_operations_total') - first.sum('placement_graphql_operations_total');
  const errors =
    last.sum('placement_graphql_operation_errors_total') -
    first.sum('placement_graphql_operation_errors_total');
  const quarter = Math.floor((readings.length - 1) / 4);
  const [early, middle, late] = [readings[quarter], readings[2 * quarter], readings[3 * quarter]];
  const detail = `${rate.toFixed(0)} operations a second for ${(last.at / 60).toFixed(0)} minutes`;
  const ofLast = (what: string, unit: 'MiB' | 'ms', value: number, inSecondQuarter: number): Figure => ({
    hosts,
    what,
    value,
    unit,
    count: operations,
    detail,
    checks: [
      { yardstick: { name: 'in the second quarter', value: inSecondQuarter, unit }, bar: { atMost: FLAT } },
    ],
  });
  const p99 = (to: Metrics, from: Metrics, kind: string): number =>
    1000 * to.quantileSince(from, LATENCY, `kind="${kind}"`, 0.99);
  return [
    {
      hosts,
      what: 'endurance: errors',
      value: errors,
      unit: 'times',
      count: operations,
      detail,
      checks: [{ bar: { atMost: 0 } }],
    },
    ofLast('endurance: resident memory at the end', 'MiB', residentOf(last), residentOf(middle)),
    ofLast(
      'endurance: p99 of queries in the last quarter',
      'ms',
      p99(last, late, 'query'),
      p99(middle, early, 'query'),
    ),
    ofLast(
      'endurance: p99 of mutations in the last quarter',
      'ms',
      p99(last, late, 'mutation'),
      p99(middle, early, 'mutation'),
    ),
  ];
}

/** Writes the pictures into a folder. */
async function draw(folder: string, readings: readonly Metrics[]): Promise<void> {
  const pairs = readings.slice(1).map((reading, at) => ({ reading, before: readings[at] }));
  const perSecond = (name: string, ...labels: string[]) =>
    pairs.map(({ reading, before }) => ({
      at: reading.at,
      value: (reading.sum(name, ...labels) - before.sum(name, ...labels)) / (reading.at - before.at),
    }));
  const latency = (kind: string, share: number) =>
    pairs.map(({ reading, before }) => ({
      at: reading.at,
      value: 1000 * reading.quantileSince(before, LATENCY, `kind="${kind}"`, share),
    }));
  const now = (value: (reading: Metrics) => number) =>
    readings.map((reading) => ({ at: reading.at, value: value(reading) }));
  const pictures: Readonly<Record<string, Picture>> = {
    rate: {
      title: 'Operations a second',
      unit: '/s',
      lines: [
        { name: 'queries', points: perSecond('placement_graphql_operations_total', 'kind="query"') },
        { name: 'mutations', points: perSecond('placement_graphql_operations_total', 'kind="mutation"') },
      ],
    },
    latency: {
      title: 'From the arrival of an operation to the end of its answer',
      unit: 'ms',
      lines: [
        { name: 'queries, median', points: latency('query', 0.5) },
        { name: 'queries, p99', points: latency('query', 0.99) },
        { name: 'mutations, median', points: latency('mutation', 0.5) },
        { name: 'mutations, p99', points: latency('mutation', 0.99) },
      ],
    },
    memory: {
      title: 'Memory',
      unit: 'MiB',
      lines: [
        { name: 'resident', points: now(residentOf) },
        {
          name: 'heap in use',
          points: now((reading) => reading.sum('nodejs_heap_size_used_bytes') / 2 ** 20),
        },
      ],
    },
  };
  await mkdir(folder, { recursive: true });
  for (const [name, picture] of Object.entries(pictures))
    await writeFile(join(folder, `${name}.svg`), svgOf(picture));
  logProgress(`pictures: ${folder}`);
}
