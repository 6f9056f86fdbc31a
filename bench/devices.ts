import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import { Client } from './client.js';
import { timeFigure, type Figure } from './figure.js';
import { interleaved } from './measure.js';
import { CANDIDATES, deviceRequest, inputOf, type CandidatesAnswer } from './requests.js';
import { runProbe } from './probeProcess.js';
import { SERVER } from './programs.js';
import { Samples } from './samples.js';
import { ServerProcess } from './serverProcess.js';

/** A request to a host with this many devices of one unit. */
interface DeviceCase {
  readonly what: string;
  readonly devices: number;
  readonly groups: number;
  readonly limit: number | null;
  readonly mostMs?: number;
}

const CASES: readonly DeviceCase[] = [
  { what: 'q7: 8 devices, 8 isolated groups, limit 1000', devices: 8, groups: 8, limit: 1000, mostMs: 20 },
  { what: 'q7: 8 devices, 8 isolated groups, no limit', devices: 8, groups: 8, limit: null, mostMs: 1_000 },
  { what: 'q7: 64 devices, 8 isolated groups, limit 1000', devices: 64, groups: 8, limit: 1000, mostMs: 20 },
  { what: 'q7: 12 devices, 13 isolated groups, no limit', devices: 12, groups: 13, limit: null },
];

/**
 * Measures q7 on a fleet of hosts with interchangeable devices: over HTTP, and the search alone.
 */
export async function deviceFigures(bench: Bench): Promise<Figure[]> {
  const { repetitions } = bench.options;
  const databaseUrl = await bench.database.url('devices');
  const server = await ServerProcess.start({ ...SERVER, databaseUrl });
  const client = new Client(server.url);
  const figures: Figure[] = [];
  try {
    for (const { what, devices, groups, limit, mostMs } of CASES) {
      const request = deviceRequest(await deviceHost(client, devices), groups);
      const checks = mostMs === undefined ? [] : [{ bar: { atMost: mostMs } }];
      const rounds = Math.ceil(repetitions / (limit === null ? 60 : 5));
      const variables = { request: inputOf(request), limit };
      const first = await client.send(CANDIDATES, variables);
      const { data } = JSON.parse(first.text()) as { data: CandidatesAnswer };
      const found = data.allocationCandidates.allocationRequests.length;
      const [own] = await interleaved([async () => (await client.send(CANDIDATES, variables)).ms], rounds);
      const detail = `${found} candidates, ${(first.bytes / 1e6).toFixed(1)} MB`;
      figures.push(timeFigure(own, { hosts: 1, what, detail, checks }));
      const { searches } = await runProbe({ databaseUrl, searches: [{ request, limit, rounds }] });
      const alone = new Samples(searches[0].times);
      figures.push(
        timeFigure(alone, {
          hosts: 1,
          what: `${what}, search alone`,
          detail: `${searches[0].found} found`,
          checks,
        }),
      );
    }
  } finally {
    client.close();
    await server.stop();
  }
  return figures;
}

/** Returns the uuid of the host. Creates the host if the database does not have it. */
async function deviceHost(client: Client, devices: number): Promise<string> {
  const name = `devices-${devices}`;
  const { resourceProvider } = await client.ask<{ resourceProvider: { uuid: string } | null }>(
    'query ($name: String!) { resourceProvider(by: { name: $name }) { uuid } }',
    { name },
  );
  if (resourceProvider !== null) return resourceProvider.uuid;
  const uuid = randomUUID();
  await client.change('createResourceClass', { name: 'CUSTOM_BENCH_DEVICE' });
  const inventories = [{ resourceClass: 'CUSTOM_BENCH_DEVICE', total: 1 }];
  const children = Array.from({ length: devices }, (_, index) => ({ name: `${name}-${index}`, inventories }));
  await client.change('applyProviderTree', { root: { name, uuid, children } });
  return uuid;
}
