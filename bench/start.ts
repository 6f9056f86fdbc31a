import { isDeepStrictEqual } from 'node:util';
import type { Bench } from './bench.js';
import { Client } from './client.js';
import { timeFigure, type Figure } from './figure.js';
import { SERVER } from './programs.js';
import { CANDIDATES, fleetInputs, type CandidatesAnswer } from './requests.js';
import { Samples } from './samples.js';
import { ServerProcess } from './serverProcess.js';

const LIMIT = 10;

/** The capacity and usage of every host. Candidates cannot be compared, because they are random. */
const FLEET = '{ fleetMap(resourceClass: "VCPU") { names capacities used } }';

/** The measurements of all starts. */
class Starts {
  readonly serving = new Samples();
  readonly answer = new Samples();
  readonly processor = new Samples();
}

/** Measures further servers that start on the same database, one after the other. */
export async function startFigures(bench: Bench): Promise<Figure[]> {
  const expected = await bench.client.ask(FLEET);
  const databaseUrl = await bench.database.url();
  const starts = new Starts();
  for (let round = 0; round < Math.ceil(bench.options.repetitions / 30); round++)
    await measure(bench, starts, await ServerProcess.start({ ...SERVER, databaseUrl }), expected);
  const row = (what: string, detail: string) => ({ hosts: bench.hosts, what: `start, ${what}`, detail });
  return [
    timeFigure(starts.serving, {
      ...row('until it says so', 'of the process, database running'),
      checks: [],
    }),
    timeFigure(starts.answer, {
      ...row('first answer of q1', `limit ${LIMIT}, over HTTP`),
      checks: [],
    }),
    timeFigure(starts.processor, {
      ...row('processor time', 'of the process, until then'),
      checks: [],
    }),
  ];
}

/** @throws Error if the server answers with another fleet than `expected` */
async function measure(
  bench: Bench,
  starts: Starts,
  server: ServerProcess,
  expected: unknown,
): Promise<void> {
  const client = new Client(server.url);
  const { allocationCandidates } = await client.ask<CandidatesAnswer>(CANDIDATES, {
    request: fleetInputs(bench.targets).q1,
    limit: LIMIT,
  });
  const answered = server.age;
  const processor = await server.processorMs();
  if (allocationCandidates.allocationRequests.length === 0) throw new Error('q1 has no candidates');
  if (!isDeepStrictEqual(await client.ask(FLEET), expected))
    throw new Error('a server that has just started has another fleet');
  client.close();
  await server.stop();
  starts.serving.add(server.startMs);
  starts.answer.add(answered);
  starts.processor.add(processor);
}
