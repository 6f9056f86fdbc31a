import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import type { Client } from './client.js';
import { timeFigure, type Figure } from './figure.js';
import { interleaved } from './measure.js';
import { allocationsOn } from './requests.js';

const CONSUMERS = 50;
const ONE_OF_EACH = { VCPU: 1, MEMORY_MB: 1, DISK_GB: 1 };
const CLASSES = Object.keys(ONE_OF_EACH);
/** The time of OpenStack Placement at 1,000 hosts, in milliseconds. */
const REFERENCE = 852;

const RESHAPE = `mutation ($input: ReshapeInput!) {
  reshape(input: $input) { __typename ... on UserError { message } }
}`;

/** Measures moves of 150 allocations of 50 consumers from a root to its two children and back. */
export async function reshapeFigures({ hosts, options, client }: Bench): Promise<Figure[]> {
  const tree = await ReshapedTree.create(client);
  const [own] = await interleaved([() => tree.reshape()], Math.ceil(options.repetitions / 10));
  await tree.remove();
  return [
    timeFigure(own, {
      hosts,
      what: 'reshape',
      detail: `${CONSUMERS} consumers, ${CONSUMERS * CLASSES.length} allocations`,
      reference: REFERENCE,
      checks: [{ bar: { atMost: 60 } }],
    }),
  ];
}

interface Stored {
  readonly resourceProvider: {
    readonly generation: number;
    readonly descendants: readonly { readonly uuid: string; readonly generation: number }[];
    readonly treeConsumers: {
      readonly nodes: readonly { readonly uuid: string; readonly generation: number }[];
    };
  };
}

/** A tree of the benchmark's own beside the fleet. */
class ReshapedTree {
  private readonly root = randomUUID();
  private readonly children = [randomUUID(), randomUUID()];
  private readonly consumers = Array.from({ length: CONSUMERS }, () => randomUUID());
  private isSpread = false;

  private constructor(private readonly client: Client) {}

  static async create(client: Client): Promise<ReshapedTree> {
    const tree = new ReshapedTree(client);
    const child = (uuid: string): object => ({ uuid, name: `bench-${uuid}` });
    await client.change('applyProviderTree', {
      root: { ...child(tree.root), inventories: inventories(true), children: tree.children.map(child) },
    });
    const consumers = tree.consumers.map((consumer) => allocationsOn(consumer, tree.root, ONE_OF_EACH));
    await client.change('setAllocations', { consumers });
    return tree;
  }

  /** Moves all allocations from the root to the children or back. Returns the time (ms). */
  async reshape(): Promise<number> {
    const { resourceProvider: stored } = await this.client.ask<Stored>(
      `query ($uuid: UUID!) { resourceProvider(by: { uuid: $uuid }) {
         generation descendants { uuid generation } treeConsumers(first: ${CONSUMERS}) { nodes { uuid generation } } } }`,
      { uuid: this.root },
    );
    const spread = !this.isSpread;
    const change = (resourceProvider: string, generation: number, hasSupply: boolean): object => ({
      resourceProvider: { uuid: resourceProvider },
      generation,
      inventories: inventories(hasSupply),
    });
    const input = {
      inventories: [
        change(this.root, stored.generation, !spread),
        ...stored.descendants.map(({ uuid, generation }) => change(uuid, generation, spread)),
      ],
      allocations: stored.treeConsumers.nodes.map(({ uuid, generation }, index) =>
        allocationsOn(uuid, spread ? this.children[index % 2] : this.root, ONE_OF_EACH, generation),
      ),
    };
    const { ms, text } = await this.client.send(RESHAPE, { input });
    if (!text().includes('ReshapePayload')) throw new Error(`a reshape failed: ${text()}`);
    this.isSpread = spread;
    return ms;
  }

  async remove(): Promise<void> {
    for (const consumer of this.consumers) {
      await this.client.change('deleteConsumer', { consumer });
    }
    for (const uuid of [...this.children, this.root]) {
      const resourceProvider = { uuid };
      await this.client.change('deleteResourceProvider', { resourceProvider });
    }
  }
}

function inventories(hasSupply: boolean): object[] {
  return hasSupply ? CLASSES.map((resourceClass) => ({ resourceClass, total: 1_000 })) : [];
}
