import { randomUUID } from 'node:crypto';
import { Client } from '../client.js';
import { against, timeFigure, type Figure } from '../figure.js';
import { startFleetDatabase, type FleetDatabase } from '../fleetDatabase.js';
import { machineLine } from '../machine.js';
import { interleaved, type Work } from '../measure.js';
import type { Options } from '../options.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { amounts, CLAIM, claimInput, OWNER } from '../requests.js';
import { ServerProcess } from '../serverProcess.js';
import { tables } from '../table.js';
import { fillFleet, MIG_FLEET, PROVIDERS_OF_HOST, VGPU_FLEET, type DeviceFleet } from './fleets.js';
import { strandingFigures } from './stranding.js';

/** The maximum time of a claim of a partition, as a multiple of that of a claim of a whole VGPU. */
const TIMES_WHOLE = 1.5;
const STRANDING = [{ leastStranding: { weights: [] } }];

/** A server on a fleet of its own. */
interface Served {
  readonly fleet: DeviceFleet;
  readonly server: ServerProcess;
  readonly client: Client;
}

/**
 * Measures claims of a partition in turn with claims of a whole VGPU on another fleet of as many providers, with the
 * memory of both servers, and the stranding of the order `leastStranding`.
 */
export async function partitions(options: Options): Promise<string> {
  const figures: Figure[] = [];
  let machine = '';
  for (const hosts of options.hosts) {
    logProgress(`preparing fleets of ${hosts} hosts with ${hosts * PROVIDERS_OF_HOST} providers each`);
    const database = await startFleetDatabase(options, hosts);
    machine ||= await machineLine({ database });
    const served = [
      await serve(database, MIG_FLEET, hosts, options),
      await serve(database, VGPU_FLEET, hosts, options),
    ] as const;
    figures.push(...(await claimFigures(served, hosts, options.repetitions)));
    figures.push(...(await strandingFigures(database, hosts, options.seed)));
    for (const { server, client } of served) {
      client.close();
      await server.stop();
    }
    await database.close();
  }
  return `${machine}\n\n${tables(figures, options.markdown)}`;
}

async function serve(
  database: FleetDatabase,
  fleet: DeviceFleet,
  hosts: number,
  { directory, profile }: Options,
): Promise<Served> {
  const databaseUrl = await database.url(fleet.name);
  await fillFleet(databaseUrl, fleet, hosts);
  const path = profile ? `${directory}/profiles/${fleet.name}-${Date.now()}.cpuprofile` : undefined;
  const server = await ServerProcess.start({ ...SERVER, databaseUrl, profile: path });
  return { fleet, server, client: new Client(server.url) };
}

async function claimFigures(
  served: readonly [mig: Served, vgpu: Served],
  hosts: number,
  repetitions: number,
): Promise<Figure[]> {
  const [mig, vgpu] = served;
  const resident = await Promise.all(served.map(({ server }) => server.resident()));
  const [whole, part, ordered] = await interleaved(
    [claimAndRelease(vgpu), claimAndRelease(mig), claimAndRelease(mig, STRANDING)],
    repetitions,
  );
  const after = await Promise.all(served.map(({ server }) => server.resident()));
  const detail = `${mig.fleet.resourceClass}, ${(hosts * PROVIDERS_OF_HOST).toLocaleString('en')} providers`;
  const yardstick = 'claim of a whole VGPU';
  return [
    timeFigure(whole, { hosts, what: yardstick, detail: 'as many providers, without counters' }),
    timeFigure(part, {
      hosts,
      what: 'claim of a partition',
      detail,
      checks: [against(yardstick, whole, { atMost: TIMES_WHOLE })],
    }),
    timeFigure(ordered, {
      hosts,
      what: 'claim of a partition, leastStranding',
      detail,
      checks: [against(yardstick, whole)],
    }),
    ...served.map(({ fleet }, at): Figure => ({
      hosts,
      what: `server, ${fleet.what}`,
      value: after[at].now,
      unit: 'MiB',
      count: 1,
      detail: `${Math.round(resident[at].now)} MiB after the start, ${Math.round(after[at].peak)} MiB at the peak`,
      checks: [],
    })),
  ];
}

/** Claims one device of the fleet. The release does not count. */
function claimAndRelease(
  { fleet: { resourceClass }, client }: Served,
  orderBy: readonly object[] = [],
): Work {
  return async () => {
    const consumer = randomUUID();
    const request = { groups: [{ resources: amounts({ [resourceClass]: 1 }) }], orderBy };
    const { ms, text } = await client.send(CLAIM, {
      input: claimInput(request, [{ consumer, ...OWNER }]),
    });
    if (!text().includes('"ClaimPayload"')) throw new Error(`a claim failed: ${text()}`);
    await client.change('deleteConsumer', { consumer });
    return ms;
  };
}
