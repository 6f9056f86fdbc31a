import type { Bench } from './bench.js';
import { Claims, sameRequests, type Clients } from './claimLoad.js';
import { meanOfSlices, type Figure } from './figure.js';
import { sendAll } from './load.js';
import { logProgress } from './progress.js';
import { SERVER } from './programs.js';
import { CANDIDATES, fleetInputs } from './requests.js';
import { ServerProcess } from './serverProcess.js';

const CLIENTS = 16;
const ROUNDS = 10;
const ROUND_MS = 2_000;

/** `atLeast` is the minimum rate as a share of the rate of a server without a log. */
const LOADS = [
  { what: '{ __typename }', kind: 'minimal', atLeast: 0.93 },
  { what: 'q1, limit 10', kind: 'search', atLeast: 0.97 },
  { what: 'claims of given providers', kind: 'claim', atLeast: 0.97 },
] as const;
type Kind = (typeof LOADS)[number]['kind'];

/** Measures requests per second with the default log and without a log, in alternating rounds. */
export async function observingFigures(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.database.url();
  const silent = await ServerProcess.start({ ...SERVER, databaseUrl, isSilent: true });
  const logging = await ServerProcess.start({ ...SERVER, databaseUrl });
  const figures: Figure[] = [];
  for (const { what, kind, atLeast } of LOADS) {
    logProgress(`${what}, with and without a log`);
    const rates = new Map([logging, silent].map((server) => [server, new Array<number>()]));
    for (const server of rates.keys()) await rateOf(bench, server, kind);
    for (let round = 0; round < ROUNDS; round++)
      for (const [server, slices] of round % 2 === 0 ? rates : [...rates].reverse())
        slices.push(await rateOf(bench, server, kind));
    const [with_, without] = [...rates.values()];
    figures.push({
      hosts: bench.hosts,
      what: `${what}, ${CLIENTS} clients, default log`,
      ...meanOfSlices(with_, '/s'),
      count: ROUNDS,
      detail: `${ROUNDS} alternating rounds of ${ROUND_MS / 1_000} s`,
      checks: [{ yardstick: { name: 'without a log', ...meanOfSlices(without, '/s') }, bar: { atLeast } }],
    });
  }
  await Promise.all([silent.stop(), logging.stop()]);
  return figures;
}

/** Sends as many requests as the clients can for a round. Returns the requests per second. */
async function rateOf(bench: Bench, server: ServerProcess, kind: Kind): Promise<number> {
  const work =
    kind === 'claim' ? new Claims(bench, [server], 'given', CLIENTS) : queries(bench, server, kind);
  const began = performance.now();
  const { length } = await sendAll(work.clients, ROUND_MS);
  const perSecond = (1_000 * length) / (performance.now() - began);
  await work.end();
  return perSecond;
}

function queries({ targets }: Bench, { url }: ServerProcess, kind: Kind): Clients {
  const search = { query: CANDIDATES, variables: { request: fleetInputs(targets).q1, limit: 10 } };
  return sameRequests(url, CLIENTS, kind === 'search' ? search : { query: '{ __typename }' }, '"data":{');
}
