import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bench } from './bench.js';
import { Client } from './client.js';
import { against, timeFigure, type Figure } from './figure.js';
import { SERVER } from './programs.js';
import { CANDIDATES, fleetRequests, type CandidatesAnswer } from './requests.js';
import { Samples } from './samples.js';
import { ServerProcess } from './serverProcess.js';

/** From the start of the process to the first answer, at most (ms), where the snapshot is in its file. */
const BAR = 2_000;

const LIMIT = 10;

/** What is free and used on every host: candidates are drawn at random, and differ. */
const FLEET = '{ fleetMap(resourceClass: "VCPU") { names capacities used } }';

/** Where a process has its snapshot from, as its figures tell. */
const WAYS = ['file', 'load'] as const;
type Way = (typeof WAYS)[number];

/** What is measured of one start. */
class Starts {
  readonly serving = new Samples();
  readonly answer = new Samples();
  readonly processor = new Samples();
}

/** Starts of further servers on the same database, with the snapshot in a file and without one in turn. */
export async function startFigures(bench: Bench): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'placement-bench-start-'));
  try {
    const file = join(directory, 'fleet.snapshot');
    const expected = await bench.client.ask(FLEET);
    const databaseUrl = await bench.database.url();
    const start = (way: Way): Promise<ServerProcess> => {
      return ServerProcess.start({ ...SERVER, databaseUrl, snapshotFile: way === 'file' ? file : undefined });
    };
    await (await start('file')).stop(); // which writes the file
    const starts = { file: new Starts(), load: new Starts() };
    for (let round = 0; round < Math.ceil(bench.options.repetitions / 30); round++) {
      for (const way of WAYS) await measure(bench, starts[way], { way, expected, server: await start(way) });
    }
    return figures(bench, starts);
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Started {
  readonly way: Way;
  /** What any server on this fleet answers. */
  readonly expected: unknown;
  readonly server: ServerProcess;
}

async function measure(bench: Bench, starts: Starts, { way, expected, server }: Started): Promise<void> {
  const client = new Client(server.url);
  const { allocationCandidates } = await client.ask<CandidatesAnswer>(CANDIDATES, {
    request: fleetRequests(bench.targets).q1,
    limit: LIMIT,
  });
  const answered = server.age;
  const processor = await server.processorMs();
  if (allocationCandidates.allocationRequests.length === 0) throw new Error('q1 has no candidates');
  if (!isDeepStrictEqual(await client.ask(FLEET), expected))
    throw new Error('a server that has just started has another fleet');
  await assertStarted(server, way);
  client.close();
  await server.stop();
  starts.serving.add(server.startMs);
  starts.answer.add(answered);
  starts.processor.add(processor);
}

/** @throws Error where the process has its snapshot from elsewhere */
async function assertStarted({ url }: ServerProcess, way: Way): Promise<void> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  if (!text.includes(`snapshot_read_duration_seconds_count{kind="${way}"} 1`))
    throw new Error(`the snapshot is not of kind ${way}: is the file refused?`);
}

function figures({ hosts }: Bench, { file, load }: Readonly<Record<Way, Starts>>): Figure[] {
  const bar = { atMost: BAR };
  const row = (what: string, detail: string) => ({ hosts, what: `start out of the file, ${what}`, detail });
  const name = 'with a full load';
  return [
    timeFigure(file.serving, {
      ...row('until it says so', 'of the process, database running'),
      checks: [against(name, load.serving)],
    }),
    timeFigure(file.answer, {
      ...row('first answer of q1', `limit ${LIMIT}, over HTTP`),
      checks: [against(name, load.answer), { bar }],
    }),
    timeFigure(file.processor, {
      ...row('processor time', 'of the process, until then'),
      checks: [against(name, load.processor)],
    }),
  ];
}
