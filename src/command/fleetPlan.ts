import { createHash } from 'node:crypto';
import * as api from '../generated/client/operations.js';
import { usualSpelling } from './arguments.js';
import type { Client } from './client.js';
import { EXIT, Failure, untilNoConflict } from './failure.js';
import { checkDistinct, nodesOf, type TreeInput } from './desiredTrees.js';
import { FleetBatch, type Host, type SourceRoot } from './fleetBatches.js';
import { slices } from './slices.js';
import { type ConsumerDifference, StatedConsumers } from './statedConsumers.js';

export interface FleetOptions {
  readonly owner: string;
  readonly dryRun?: boolean;
  readonly takeOver?: boolean;
  readonly allowRemoval?: boolean;
  /** Whether the trees state all pods and claims, so that others are released. */
  readonly withConsumers?: boolean;
}

export type FleetDifference = Difference | ConsumerDifference;

type Difference = api.ApplyTreesDifferenceFragment;

/** The number of requests for names of aggregates at a time. */
const CONCURRENT = 8;

/** The trees that an owner states, and the roots of those in which it owns a part and that it no longer states. */
export class FleetPlan {
  /** The uuids of aggregates by name, if they have no name yet. */
  private readonly newNames = new Map<string, string>();

  private constructor(
    private readonly client: Client,
    private readonly trees: readonly TreeInput[],
    private readonly removed: readonly Host[],
    private readonly consumers: StatedConsumers,
    private readonly options: FleetOptions,
  ) {}

  /** Throws a Failure if there is no host, if two have one name, or if too many hosts are missing. */
  static async of(client: Client, trees: readonly TreeInput[], options: FleetOptions): Promise<FleetPlan> {
    if (trees.length === 0) throw Failure.usage('there is no host: an empty source removes nothing');
    checkDistinct(trees);
    const owned = await ownedTrees(client, options.owner);
    const stated = new Set(trees.map(({ input: { root } }) => root.uuid ?? root.name));
    const missing = owned.filter(({ name, uuid }) => !stated.has(uuid) && !stated.has(name));
    if (2 * missing.length > owned.length && !options.allowRemoval)
      throw new Failure(
        EXIT.refused,
        `${missing.length} of the ${owned.length} hosts of ${options.owner} are missing, such as ` +
          `${missing[0].name}: --allow-removal removes them`,
      );
    const consumers = await StatedConsumers.of(
      client,
      trees.flatMap(({ input }) => input.allocations ?? []),
      options.withConsumers ? { owner: options.owner, all: options.allowRemoval ?? false } : null,
    );
    return new FleetPlan(client, trees, missing, consumers, options);
  }

  /**
   * Validates all batches and then writes the trees, their consumers and the removals, unless it is a dry run. Returns all
   * differences.
   */
  async run(): Promise<FleetDifference[]> {
    const batches = FleetBatch.of(await this.withAggregates(), this.removed);
    const checked = await this.check(batches);
    const trees = batches.filter((batch) => batch.trees.length > 0);
    const removals = batches.filter((batch) => batch.trees.length === 0);
    if (this.options.dryRun) {
      const [changed, removed] = [trees, removals].map((some) => some.flatMap((each) => checked.get(each)!));
      const consumers = await this.consumers.run(true);
      return [...changed, ...consumers, ...(await this.consumers.withoutReleased(removed))];
    }
    const written = await this.write(trees, 0);
    const count = sizeOf(trees);
    const consumers = await this.stating(count, false, [], async () => {
      for (const [name, uuid] of this.newNames)
        await this.client.mutate(api.NameAggregateDocument, { aggregate: { uuid }, name });
      return this.consumers.run(false);
    });
    return [...written, ...consumers, ...(await this.write(removals, count))];
  }

  /** @param before the number of hosts of earlier batches */
  private async write(batches: readonly FleetBatch[], before: number): Promise<Difference[]> {
    const differences: Difference[] = [];
    let hosts = before;
    for (const batch of batches) {
      differences.push(...(await this.send(batch, hosts, false)));
      hosts += batch.size;
    }
    return differences;
  }

  /**
   * Validates batches, and returns the differences of each. If a provider of another batch has a name that a batch states, the
   * host of that provider moves into this batch: one transaction frees names before it takes them.
   */
  private async check(batches: readonly FleetBatch[]): Promise<ReadonlyMap<FleetBatch, Difference[]>> {
    const checked = new Map<FleetBatch, Difference[]>();
    for (;;) {
      const batch = batches.find((each) => !checked.has(each));
      if (batch === undefined) return checked;
      const hosts = sizeOf([...checked.keys()]);
      try {
        checked.set(batch, await this.send(batch, hosts, true));
      } catch (error) {
        const giver = await this.join(batch, batches, error);
        if (giver === undefined) throw error;
        checked.delete(giver);
      }
    }
  }

  /** Moves the host that has the name of a DUPLICATE_NAME into a batch. Returns the batch that had it, if any. */
  private async join(
    batch: FleetBatch,
    batches: readonly FleetBatch[],
    error: unknown,
  ): Promise<FleetBatch | undefined> {
    if (!(error instanceof Failure && error.code === 'DUPLICATE_NAME')) return undefined;
    const [, position, ...within] = pathOf(error);
    const root = batch.trees[Number(position)]?.root;
    const name = within.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
    if (typeof name !== 'string') return undefined;
    const { resourceProvider } = await this.client.run(api.FindRootDocument, { name });
    return resourceProvider ? batch.take(resourceProvider.root, Number(position), batches) : undefined;
  }

  /** Validates or writes a batch. `before` is the number of hosts that are done. */
  private async send(batch: FleetBatch, before: number, dryRun: boolean): Promise<Difference[]> {
    const { owner, takeOver = false } = this.options;
    const trees = batch.trees.map(({ root }) => root);
    const remove = batch.removed.map(({ uuid }) => ({ uuid }));
    const input = { owner, takeOver, dryRun, trees, remove };
    const answer = await this.stating(before, dryRun, batch.trees, () =>
      untilNoConflict(() => this.client.mutate(api.ApplyTreesDocument, { input })),
    );
    const hosts = before + batch.size;
    showProgress(dryRun ? 'checked' : 'applied', hosts, this.trees.length + this.removed.length);
    return answer.differences;
  }

  /** Names in a failure of the work the document, and how many hosts are applied. */
  private async stating<Value>(
    hosts: number,
    dryRun: boolean,
    trees: readonly SourceRoot[],
    work: () => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const [list, position] = pathOf(error);
      const source = list === 'trees' && trees[Number(position)];
      const after = dryRun
        ? '; nothing is changed'
        : `; ${hosts} of ${this.trees.length} hosts are applied, repeat the command`;
      throw error.withMessage(`${source ? `${source.source}: ` : ''}${error.message}${after}`);
    }
  }

  /** Replaces names of aggregates by their uuids. A name that does not exist yet gets a uuid that is made from it. */
  private async withAggregates(): Promise<SourceRoot[]> {
    const names = new Set<string>();
    for (const { input } of this.trees)
      for (const node of nodesOf(input.root))
        for (const { name } of node.aggregates ?? []) if (name) names.add(name);
    const uuids = new Map<string, string>();
    for (const some of slices([...names], CONCURRENT)) {
      const found = await Promise.all(
        some.map((name) => this.client.run(api.FindAggregateDocument, { by: { name } })),
      );
      for (const [at, { aggregate }] of found.entries()) {
        const uuid = aggregate?.uuid ?? uuidOfName(some[at]);
        uuids.set(some[at], uuid);
        if (!aggregate) this.newNames.set(some[at], uuid);
      }
    }
    const replace = (node: api.DesiredProviderInput): api.DesiredProviderInput => ({
      ...node,
      ...(node.aggregates && {
        aggregates: node.aggregates.map((ref): api.AggregateRef =>
          ref.name == null ? ref : { uuid: uuids.get(ref.name)! },
        ),
      }),
      ...(node.children && { children: node.children.map(replace) }),
    });
    return this.trees.map(({ source, input }) => ({ source, root: replace(input.root) }));
  }
}

const sizeOf = (batches: readonly FleetBatch[]): number => batches.reduce((sum, { size }) => sum + size, 0);

/** Returns the path of a failure in the input. */
const pathOf = ({ path = [] }: Failure): readonly string[] => (path[0] === 'input' ? path.slice(1) : path);

/** Reads the roots of the trees in which an owner owns a part. */
async function ownedTrees(client: Client, owner: string): Promise<Host[]> {
  return client.all({
    document: api.OwnedTreesDocument,
    variables: { owner },
    listOf: ({ fleetOwners }: api.OwnedTreesQuery) => fleetOwners?.at(0)?.trees,
  });
}

/** Returns the uuid of a new aggregate: two runs, and two clusters, get the same one. */
function uuidOfName(name: string): string {
  const bytes = createHash('sha256').update(`placement-graphql aggregate ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return usualSpelling(bytes.toString('hex'));
}

const BAR = 30;

/** Draws a progress bar on a terminal. */
function showProgress(verb: string, count: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const full = Math.round((BAR * count) / total);
  const bar = `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${verb} ${count} of ${total} hosts`;
  process.stderr.write(`\r${bar}${count >= total ? '\n' : ''}`);
}
