import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.js';
import { Client } from './client.js';
import { meanOfSlices, type Figure } from './figure.js';
import { logProgress } from './progress.js';
import { OWNER } from './requests.js';

const CLIENTS = [1, 4, 16, 64];
/** The number of clients with the bar: a share of the rate of the best number of clients. */
const CHECKED = 16;
const SHARE_OF_BEST = 0.9;

/** The number of consumers with the default number of repetitions. */
const CONSUMERS = 1_000;
const ALLOCATIONS = 100;
/** The numbers of providers that the consumers share. */
const PROVIDERS = [100, 500];
/** The number of consumers in a request that creates them. */
const CREATED_AT_ONCE = 20;

const KINDS = ['replacements', 'deletes'] as const;
type Kind = (typeof KINDS)[number];

/** Measures replacements and deletes of large consumers on the same providers by several clients at a time. */
export async function deleteFigures(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  const { repetitions } = bench.options;
  const consumers = Math.min(CONSUMERS, Math.ceil((CONSUMERS * repetitions) / 300));
  for (const count of PROVIDERS) {
    const tree = await SharedTree.create(bench, count, consumers);
    const results = new Map(
      KINDS.map((kind) => [kind, CLIENTS.map((): Result => ({ rates: [], refused: 0 }))]),
    );
    for (let round = 0; round < Math.ceil(repetitions / 300); round++) {
      for (const [at, clients] of CLIENTS.entries()) {
        logProgress(`${count} providers, ${clients} clients`);
        await tree.fill();
        for (const kind of KINDS) await tree.measure(kind, clients, results.get(kind)![at]);
      }
    }
    for (const [kind, measured] of results) figures.push(...figuresOf(bench.hosts, kind, tree, measured));
    await tree.remove();
  }
  return figures;
}

interface Result {
  /** Acknowledged writes per second, by round. */
  readonly rates: number[];
  /** The number of writes that the server rejected. */
  refused: number;
}

function figuresOf(hosts: number, kind: Kind, tree: SharedTree, results: readonly Result[]): Figure[] {
  const measured = results.map(({ rates }) => meanOfSlices(rates, '/s'));
  const best = measured.reduce((one, other) => (other.value > one.value ? other : one));
  return CLIENTS.map((clients, at) => ({
    hosts,
    what: `${kind} on ${tree.size} providers, ${clients === 1 ? '1 client' : `${clients} clients`}`,
    ...measured[at],
    count: tree.consumerCount * results[at].rates.length,
    detail: `${ALLOCATIONS} allocations each, ${results[at].refused} rejected`,
    checks:
      clients === CHECKED
        ? [{ yardstick: { name: 'the best number', ...best }, bar: { atLeast: SHARE_OF_BEST } }]
        : [],
  }));
}

/** A tree of the benchmark's own, and consumers with allocations of its children. */
class SharedTree {
  private readonly root = randomUUID();
  private consumers: string[] = [];

  private constructor(
    private readonly bench: Bench,
    private readonly children: readonly string[],
    readonly consumerCount: number,
  ) {}

  /** The number of providers with inventories. */
  get size(): number {
    return this.children.length;
  }

  static async create(bench: Bench, count: number, consumers: number): Promise<SharedTree> {
    const children = Array.from({ length: count }, () => randomUUID());
    const tree = new SharedTree(bench, children, consumers);
    const provider = (uuid: string): object => ({ uuid, name: `bench-${uuid}` });
    const inventories = [{ resourceClass: 'VCPU', total: 1_000_000 }];
    const root = {
      ...provider(tree.root),
      children: children.map((uuid) => ({ ...provider(uuid), inventories })),
    };
    await bench.client.change('applyProviderTree', { root });
    return tree;
  }

  /** Creates the consumers. Deletes those that rejected writes have left. */
  async fill(): Promise<void> {
    const { client } = this.bench;
    for (const consumer of this.consumers) await client.change('deleteConsumer', { consumer });
    this.consumers = Array.from({ length: this.consumerCount }, () => randomUUID());
    const inputs = this.consumers.map((consumer, at) => this.input(consumer, at, 1));
    for (let from = 0; from < this.consumerCount; from += CREATED_AT_ONCE)
      await client.change('setAllocations', { consumers: inputs.slice(from, from + CREATED_AT_ONCE) });
  }

  /** Writes each consumer once, with as many clients at a time. */
  async measure(kind: Kind, clients: number, result: Result): Promise<void> {
    const waiting = [...this.consumers.entries()];
    const left: string[] = [];
    let written = 0;
    const work = async (client: Client): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, consumer] = next;
        const isWritten = await this.write(client, kind, consumer, at);
        if (isWritten) written++;
        if (!isWritten || kind !== 'deletes') left.push(consumer);
      }
      client.close();
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: clients }, () => work(new Client(this.bench.server.url))));
    result.rates.push((1_000 * written) / (performance.now() - began));
    result.refused += this.consumerCount - written;
    this.consumers = left;
  }

  async remove(): Promise<void> {
    const { client } = this.bench;
    for (const consumer of this.consumers) await client.change('deleteConsumer', { consumer });
    for (const uuid of [...this.children, this.root])
      await client.change('deleteResourceProvider', { resourceProvider: { uuid } });
  }

  /** Returns false if the server rejects the write. */
  private write(client: Client, kind: Kind, consumer: string, at: number): Promise<boolean> {
    const change =
      kind === 'deletes'
        ? client.change('deleteConsumer', { consumer })
        : client.change('setAllocations', { consumers: [this.input(consumer, at + 1, 2, 1)] });
    return change.then(
      () => true,
      (error: unknown) => {
        if (String(error).includes('ConcurrentUpdate')) return false;
        throw error;
      },
    );
  }

  /** Returns the input for a consumer on providers that depend on `at`. */
  private input(consumer: string, at: number, amount: number, generation?: number): object {
    const { children } = this;
    const first = at * 37;
    const allocations = Array.from({ length: ALLOCATIONS }, (_, one) => ({
      resourceProvider: { uuid: children[(first + one) % children.length] },
      resources: [{ resourceClass: 'VCPU', amount }],
    }));
    return { consumer, ...OWNER, type: 'INSTANCE', generation, allocations: { providers: allocations } };
  }
}
