import { migCard, migTree, profileClass } from '../../src/command/fleetSources/migCards.js';
import type { SourceNode } from '../../src/command/fleetSources/source.js';
import { expandInputs } from '../../src/command/inputFile.js';
import { Client } from '../client.js';
import { SERVER } from '../programs.js';
import { logProgress } from '../progress.js';
import { ServerProcess } from '../serverProcess.js';

export const CARD = 'H100-80GB';
export const CARDS_OF_HOST = 8;
/** The host, its cards, and the placements of each card. */
export const PROVIDERS_OF_HOST = 1 + CARDS_OF_HOST * (1 + 25);

/** A batch is one transaction; fleet apply writes as many providers at a time. */
const BATCH_HOSTS = 4;

/** Equal hosts in a database of their own. */
export interface DeviceFleet {
  /** The name of the database. */
  readonly name: string;
  readonly what: string;
  /** The class of one device. */
  readonly resourceClass: string;
  readonly treeOf: (host: string) => Promise<SourceNode>;
}

const card = migCard(CARD);

const migHost = async (host: string): Promise<SourceNode> => migTree(await card, host, CARDS_OF_HOST).root;

/** Hosts with 8 cards of which each has a provider for each placement, as `tree mig` prints them. */
export const MIG_FLEET: DeviceFleet = {
  name: 'partitions',
  what: '25 partitions a card',
  resourceClass: profileClass('1g.10gb'),
  treeOf: migHost,
};

/** The same providers. Each placement is a whole VGPU instead, and there are no counters. */
export const VGPU_FLEET: DeviceFleet = {
  name: 'vgpus',
  what: '25 VGPUs a card',
  resourceClass: 'VGPU',
  treeOf: async (host) => {
    const { name, children = [] } = await migHost(host);
    const whole = (partition: SourceNode): SourceNode => ({
      name: partition.name,
      inventories: { VGPU: { total: 1 } },
    });
    return {
      name,
      children: children.map((card) => ({ name: card.name, children: card.children!.map(whole) })),
    };
  },
};

const hostName = (at: number): string => `gpu-${at}`;

/** Writes the hosts that the database does not have yet. */
export async function fillFleet(
  databaseUrl: string,
  { name, treeOf }: DeviceFleet,
  hosts: number,
): Promise<void> {
  const server = await ServerProcess.start({ ...SERVER, databaseUrl });
  const client = new Client(server.url);
  for (let at = 0; at < hosts; at += BATCH_HOSTS) {
    const names = Array.from({ length: Math.min(BATCH_HOSTS, hosts - at) }, (_, more) => hostName(at + more));
    if (await hasHost(client, names.at(-1)!)) continue;
    if (at % 100 === 0) logProgress(`${name}: ${at} of ${hosts} hosts`);
    const trees = await Promise.all(
      names.map(async (host) => ({ source: host, input: { root: await treeOf(host) } })),
    );
    const inputs = await expandInputs<{ readonly root: object }>('tree', trees);
    await client.change('applyProviderTrees', {
      owner: 'bench',
      trees: inputs.map(({ input }) => input.root),
    });
  }
  client.close();
  await server.stop();
}

async function hasHost(client: Client, name: string): Promise<boolean> {
  const { resourceProvider } = await client.ask<{ resourceProvider: object | null }>(
    'query ($name: String!) { resourceProvider(by: { name: $name }) { uuid } }',
    { name },
  );
  return resourceProvider !== null;
}
