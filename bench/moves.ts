import type { Bench } from './bench.js';
import { fleet } from '../src/tools/demo/fleet.js';
import { timeFigure, type Figure } from './figure.js';
import { Samples } from './samples.js';

const DRAINED = 200;
/** The maximum time of a plan for these hosts (ms). */
const MAX_DRAIN_MS = 5_000;

const DRAIN = `query ($from: TreesInput!) {
  planDrain(from: $from) {
    complete
    moves {
      consumer { uuid generation projectId userId }
      allocationRequest { claimToken }
      movedToSharing { amount }
    }
  }
}`;

interface Plan {
  readonly complete: boolean;
  readonly moves: readonly {
    readonly allocationRequest: object | null;
    readonly movedToSharing: readonly object[];
  }[];
}

/** Measures one plan that drains many hosts of the fleet, with all their consumers. */
export async function moveFigures({ hosts, options, client }: Bench): Promise<Figure[]> {
  const from = { providers: someHosts(hosts, options.seed).map((uuid) => ({ uuid })) };
  const { planDrain } = await client.ask<{ planDrain: Plan }>(DRAIN, { from });
  const moving = planDrain.moves.filter(({ allocationRequest }) => allocationRequest !== null).length;
  const toSharing = planDrain.moves.filter(({ movedToSharing }) => movedToSharing.length > 0).length;
  const samples = new Samples();
  for (let round = 0; round < Math.max(3, options.repetitions / 30); round++)
    samples.add((await client.send(DRAIN, { from })).ms);
  return [
    timeFigure(samples, {
      hosts,
      what: `drain plan of ${from.providers.length} hosts`,
      detail: `${moving} of ${planDrain.moves.length} consumers move, ${toSharing} disks to shared storage`,
      checks: [{ bar: { atMost: MAX_DRAIN_MS } }],
    }),
  ];
}

/** Returns the uuids of hosts from the whole fleet, at most half of it. */
function someHosts(hosts: number, seed: number): string[] {
  const roots = [...fleet({ hosts, seed })]
    .flatMap(({ providers }) => providers)
    .filter(({ parentId, name }) => parentId === null && name.startsWith('host-'));
  const step = Math.max(2, Math.floor(roots.length / DRAINED));
  return roots.flatMap(({ uuid }, at) => (at % step === 0 ? [uuid] : [])).slice(0, DRAINED);
}
