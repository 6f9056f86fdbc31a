import { setImmediate } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { type Total, Totals, type TotalsGrouping, WHOLE_FLEET } from '../../../search/totals/totals.js';
import { addGauge, type ProcessState, type GaugeValues } from './processGauges.js';
import type { Snapshot } from '../../../fleet/snapshot.js';

const AMOUNTS = [
  ['capacity', 'Capacity', ({ capacity }: Total) => capacity],
  ['used', 'Amount in use', ({ used }: Total) => used],
  ['available', 'Free amount', ({ available }: Total) => available],
] as const;

/** Adds the gauges of the fleet, which are equal in all processes. */
export function addFleetGauges(registry: Registry, figures: FleetFigures): void {
  const add = (name: string, help: string, labelNames: string[], read: (all: Figures) => GaugeValues): void =>
    addGauge(registry, name, help, {
      labelNames,
      aggregator: 'first',
      read: async () => read(await figures.current()),
    });
  for (const [name, meaning, value] of AMOUNTS) {
    const ofFleet = `${meaning} of each resource class in the whole fleet.`;
    add(`fleet_${name}`, ofFleet, ['resource_class'], ({ fleet }) =>
      fleet.map((total) => [{ resource_class: total.resourceClass }, value(total)]),
    );
    const ofAggregate = `${meaning} of each resource class in an aggregate that contains the provider or its root.`;
    add(`aggregate_${name}`, ofAggregate, ['aggregate', 'resource_class'], ({ aggregates }) =>
      aggregates.map((total) => [
        { aggregate: total.group, resource_class: total.resourceClass },
        value(total),
      ]),
    );
  }
  const omitted = 'Aggregates that are not shown, because there are more than metrics.aggregates.';
  add('aggregates_omitted', omitted, [], (all) => [[{}, all.omitted]]);
}

/** Providers per time slice: some milliseconds. */
const SLICE = 5_000;

/** The time in which totals are reused although the fleet has changed (ms). */
const FRESH_MS = 10_000;

/** The totals of the fleet, as a whole and by aggregate. */
export interface Figures {
  readonly fleet: readonly Total[];
  readonly aggregates: readonly Total[];
  readonly omitted: number;
}

const NONE: Figures = { fleet: [], aggregates: [], omitted: 0 };

/** Computes totals from the snapshot at a scrape, if the snapshot has changed. */
export class FleetFigures {
  private figures: Promise<Figures> = Promise.resolve(NONE);
  private of: Snapshot | null = null;
  private since = 0;

  constructor(
    private readonly state: Pick<ProcessState, 'snapshot'>,
    /** The maximum number of aggregates, those with the most providers. */
    private readonly most: number,
  ) {}

  current(): Promise<Figures> {
    const snapshot = this.state.snapshot?.snapshot ?? null;
    const now = performance.now();
    if (snapshot === null || snapshot === this.of) return this.figures;
    if (this.of !== null && now - this.since < FRESH_MS) return this.figures;
    [this.of, this.since] = [snapshot, now];
    return (this.figures = this.addUp(snapshot));
  }

  private async addUp(snapshot: Snapshot): Promise<Figures> {
    const fleet = await totalsOf(snapshot, null);
    if (this.most === 0) return { ...NONE, fleet };
    const all = await totalsOf(snapshot, 'AGGREGATE');
    const sizes = new Map<string, number>();
    for (const { group, providers } of all) sizes.set(group, Math.max(sizes.get(group) ?? 0, providers));
    const largest = [...sizes].sort(([a, of], [b, than]) => than - of || (a < b ? -1 : 1));
    const shown = new Set(largest.slice(0, this.most).map(([group]) => group));
    const aggregates = all.filter(({ group }) => shown.has(group));
    return { fleet, aggregates, omitted: sizes.size - shown.size };
  }
}

async function totalsOf(snapshot: Snapshot, grouping: TotalsGrouping | null): Promise<readonly Total[]> {
  const totals = new Totals(snapshot, { ...WHOLE_FLEET, grouping });
  while (!totals.run(SLICE)) await setImmediate();
  return totals.rows;
}
