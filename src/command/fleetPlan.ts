import { createHash } from 'node:crypto';
import * as api from '../generated/client/operations.js';
import { byProvider } from './commands/consumer.js';
import type { Client } from './client.js';
import { EXIT, Failure, untilNoConflict } from './failure.js';
import type { FileInput } from './inputFile.js';
import { allocationDifferences } from './differences.js';

export interface FleetOptions {
  readonly owner: string;
  readonly dryRun?: boolean;
  readonly takeOver?: boolean;
  readonly allowRemoval?: boolean;
}

type Difference = api.ApplyTreesDifferenceFragment;
type Tree = FileInput<api.ApplyProviderTreeInput>;

/** A batch is one transaction. It has at most this many trees and, unless a tree has more, this many providers. */
const BATCH_TREES = 100;
const BATCH_PROVIDERS = 1_000;

/** The maximum number of consumers of one read and of one write. */
const BATCH_CONSUMERS = 200;

/** The number of requests for names of aggregates at a time. */
const CONCURRENT = 8;

/** The trees that an owner states, and the roots that it owns and no longer states. */
export class FleetPlan {
  /** The uuids of aggregates by name, if they have no name yet. */
  private readonly newNames = new Map<string, string>();

  private constructor(
    private readonly client: Client,
    private readonly trees: readonly Tree[],
    private readonly removed: readonly string[],
    private readonly options: FleetOptions,
  ) {}

  /** Throws a Failure if there is no host, if two have one name, or if too many hosts are missing. */
  static async of(client: Client, trees: readonly Tree[], options: FleetOptions): Promise<FleetPlan> {
    if (trees.length === 0) throw Failure.usage('there is no host: an empty source removes nothing');
    checkDistinct(trees);
    const owned = await ownedRoots(client, options.owner);
    const names = new Set(trees.map(({ input }) => input.root.name));
    const uuids = new Set(trees.map(({ input }) => input.root.uuid));
    const missing = owned.filter(({ name, uuid }) => !names.has(name) && !uuids.has(uuid));
    if (2 * missing.length > owned.length && !options.allowRemoval)
      throw new Failure(
        EXIT.refused,
        `${missing.length} of the ${owned.length} hosts of ${options.owner} are missing, such as ` +
          `${missing[0].name}: --allow-removal removes them`,
      );
    return new FleetPlan(
      client,
      trees,
      missing.map(({ uuid }) => uuid),
      options,
    );
  }

  /** Validates all batches and then writes them, unless it is a dry run. Returns all differences. */
  async run(): Promise<Difference[]> {
    const roots = await this.withAggregates();
    const batches: Partial<api.ApplyProviderTreesInput>[] = [
      ...batchesOf(roots).map((trees) => ({ trees })),
      ...slices(this.removed, BATCH_TREES).map((some) => ({ remove: some.map((uuid) => ({ uuid })) })),
    ];
    const differences = await this.send(batches, true);
    if (this.options.dryRun) return differences;
    const written = await this.send(batches, false);
    for (const [name, uuid] of this.newNames)
      await this.client.mutate(api.NameAggregateDocument, { aggregate: { uuid }, name });
    await this.setConsumers();
    return written;
  }

  private async send(
    batches: readonly Partial<api.ApplyProviderTreesInput>[],
    dryRun: boolean,
  ): Promise<Difference[]> {
    const { owner, takeOver = false } = this.options;
    const differences: Difference[] = [];
    let hosts = 0;
    for (const batch of batches) {
      try {
        const input = { owner, takeOver, dryRun, ...batch };
        const answer = await untilNoConflict(() => this.client.mutate(api.ApplyTreesDocument, { input }));
        differences.push(...answer.differences);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw this.about(error, hosts, dryRun);
      }
      hosts += batch.trees?.length ?? batch.remove?.length ?? 0;
      showProgress(dryRun ? 'checked' : 'applied', hosts, this.trees.length + this.removed.length);
    }
    return differences;
  }

  /** Names the document of a failure, and how many hosts are applied. */
  private about(error: Failure, before: number, dryRun: boolean): Failure {
    const [, at] = /^trees\.(\d+)/.exec((error.path ?? []).join('.').replace(/^input\./, '')) ?? [];
    const source = at === undefined ? '' : `${this.trees[before + Number(at)]?.source}: `;
    const after = dryRun
      ? '; nothing is changed'
      : `; ${before} of ${this.trees.length} hosts are applied, repeat the command`;
    return error.withMessage(`${source}${error.message}${after}`);
  }

  /** Replaces names of aggregates by their uuids. A name that does not exist yet gets a uuid that is made from it. */
  private async withAggregates(): Promise<api.DesiredProviderInput[]> {
    const roots = this.trees.map(({ input }) => input.root);
    const names = new Set<string>();
    for (const root of roots)
      for (const node of nodesOf(root))
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
    return roots.map(replace);
  }

  /** Writes the consumers whose allocations differ. */
  private async setConsumers(): Promise<void> {
    const all = this.trees.flatMap(({ input }) => input.allocations ?? []);
    for (const some of slices(all, BATCH_CONSUMERS)) {
      const filter = { uuidIn: some.map(({ consumer }) => consumer) };
      const stored = await this.client.all({
        document: api.ListConsumersDocument,
        variables: { filter },
        listOf: ({ consumers }: api.ListConsumersQuery) => consumers,
      });
      const byUuid = new Map(stored.map((each) => [each.uuid, each]));
      const consumers = some.flatMap((input) => {
        const before = byUuid.get(input.consumer);
        if (before === undefined) return input;
        const after = (input.allocations.providers ?? []).map(({ resourceProvider, resources }) => ({
          name: resourceProvider.name ?? resourceProvider.uuid ?? '',
          resources,
        }));
        const isEqual = allocationDifferences(byProvider(before), after).length === 0;
        return isEqual ? [] : { ...input, generation: before.generation };
      });
      if (consumers.length > 0)
        await this.client.mutate(api.SetAllocationsDocument, { input: { consumers } });
    }
  }
}

/** Rejects two documents that state one host. */
function checkDistinct(trees: readonly Tree[]): void {
  const sources = new Map<string, string>();
  for (const { source, input } of trees)
    for (const { name } of nodesOf(input.root)) {
      const other = sources.get(name);
      if (other !== undefined) throw Failure.usage(`${source}: provider "${name}" is also in ${other}`);
      sources.set(name, source);
    }
}

async function ownedRoots(client: Client, owner: string) {
  return client.all({
    document: api.OwnedRootsDocument,
    variables: { owner },
    listOf: ({ fleetOwners }: api.OwnedRootsQuery) => fleetOwners?.at(0)?.resourceProviders,
  });
}

function nodesOf(node: api.DesiredProviderInput): api.DesiredProviderInput[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function batchesOf(roots: readonly api.DesiredProviderInput[]): api.DesiredProviderInput[][] {
  const batches: api.DesiredProviderInput[][] = [];
  let room = 0;
  for (const root of roots) {
    const size = nodesOf(root).length;
    if (room < size || batches.at(-1)!.length === BATCH_TREES) {
      batches.push([]);
      room = BATCH_PROVIDERS;
    }
    batches.at(-1)!.push(root);
    room -= size;
  }
  return batches;
}

function slices<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Returns the uuid of a new aggregate: two runs, and two clusters, get the same one. */
function uuidOfName(name: string): string {
  const bytes = createHash('sha256').update(`placement-graphql aggregate ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const BAR = 30;

/** Draws a progress bar on a terminal. */
function showProgress(verb: string, count: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const full = Math.round((BAR * count) / total);
  const bar = `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${verb} ${count} of ${total} hosts`;
  process.stderr.write(`\r${bar}${count >= total ? '\n' : ''}`);
}
