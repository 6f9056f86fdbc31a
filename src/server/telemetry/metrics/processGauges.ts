import { Gauge, type Aggregator, type Registry } from 'prom-client';
import type { Block, Snapshot } from '../../../fleet/snapshot.js';

/** The prefix of all metrics except the default metrics of Node and of the process. */
export const PREFIX = 'placement_graphql_';

export type GaugeValues = Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;

interface GaugeOptions {
  readonly labelNames?: string[];
  /** Combines the values of several processes. Defaults to their sum. */
  readonly aggregator?: Aggregator;
  readonly read: () => GaugeValues | Promise<GaugeValues>;
}

/** Adds a gauge with exactly the series that `read` returns at each scrape. */
export function addGauge(registry: Registry, name: string, help: string, options: GaugeOptions): void {
  const { read, labelNames = [], aggregator = 'sum' } = options;
  new Gauge({
    name: PREFIX + name,
    help,
    labelNames,
    aggregator,
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      if (labelNames.length === 0) this.remove();
      for (const [labels, value] of values) this.set(labels, value);
    },
  });
}

const single = (value: number | null | undefined): GaugeValues => (value == null ? [] : [[{}, value]]);

const byLabel = (label: string, values: Readonly<Record<string, number>>): GaugeValues =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);

export function addProcessGauges(registry: Registry, state: ProcessState, version: string): void {
  const ofSnapshot = (name: string, help: string, size: (snapshot: Snapshot) => number): void =>
    addGauge(registry, name, help, {
      aggregator: 'max',
      read: () => single(state.snapshot && size(state.snapshot.snapshot)),
    });
  addGauge(registry, 'build_info', 'The version of the server; always 1.', {
    labelNames: ['version', 'node'],
    aggregator: 'first',
    read: () => [[{ version, node: process.version }, 1]],
  });
  addGauge(registry, 'snapshot_age_seconds', 'Time since the snapshot was last found to be current.', {
    aggregator: 'max',
    read: () => single(state.snapshot && state.snapshot.age / 1_000),
  });
  ofSnapshot('snapshot_providers', 'Resource providers in the snapshot.', ({ blocks }) =>
    sum(blocks, ({ ids }) => ids.length),
  );
  ofSnapshot('snapshot_trees', 'Trees of resource providers in the snapshot.', ({ blocks }) =>
    sum(blocks, treesIn),
  );
  addGauge(registry, 'snapshot_column_bytes', 'Memory of the columns of the snapshot.', {
    read: () => single(state.snapshot && sum(state.snapshot.snapshot.blocks, bytesOf)),
  });
  addGauge(
    registry,
    'queue_length',
    'Operations that wait for capacity or a connection, and claims that wait for a transaction, by queue.',
    {
      labelNames: ['queue'],
      read: () => byLabel('queue', state.queues()),
    },
  );
  addGauge(registry, 'operations_cost', 'Cost of all running operations, by their size.', {
    labelNames: ['size'],
    read: () => byLabel('size', state.costs()),
  });
  addGauge(registry, 'pool_connections', 'Connections to the database, by pool and state.', {
    labelNames: ['pool', 'state'],
    read: () =>
      Object.entries(state.pools()).flatMap(([pool, { active, idle }]) => [
        [{ pool, state: 'active' }, active] as const,
        [{ pool, state: 'idle' }, idle] as const,
      ]),
  });
  addGauge(registry, 'pool_waiting', 'Operations that wait for a connection to the database, by pool.', {
    labelNames: ['pool'],
    read: () => Object.entries(state.pools()).map(([pool, { waiting }]) => [{ pool }, waiting]),
  });
  addGauge(registry, 'event_streams', 'Open subscriptions.', {
    read: () => single(state.streams),
  });
  addGauge(registry, 'event_stream_bytes', 'Memory that subscriptions hold between events.', {
    read: () => single(state.heldBytes),
  });
}

function sum(blocks: readonly Block[], size: (block: Block) => number): number {
  return blocks.reduce((total, block) => total + size(block), 0);
}

function treesIn({ treeStarts }: Block): number {
  let trees = 0;
  for (let tree = 1; tree < treeStarts.length; tree++) if (treeStarts[tree] > treeStarts[tree - 1]) trees++;
  return trees;
}

function bytesOf(block: Block): number {
  return Object.values(block).reduce<number>(
    (bytes, column) => bytes + (ArrayBuffer.isView(column) ? column.byteLength : 0),
    0,
  );
}

export interface PoolState {
  readonly active: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface ProcessState {
  /** The snapshot, and the time since it was last found current (ms). Null before it is loaded. */
  readonly snapshot: { readonly snapshot: Snapshot; readonly age: number } | null;
  queues(): Readonly<Record<string, number>>;
  costs(): Readonly<Record<string, number>>;
  pools(): Readonly<Record<string, PoolState>>;
  readonly streams: number;
  readonly heldBytes: number;
}
