import type { Registry } from 'prom-client';
import { freeOf } from '../../domain/capacity.js';
import type { Total } from '../../engine/totals/totals.js';
import type { FleetFigures, Figures } from './fleetFigures.js';
import { addGauge } from './processGauges.js';

const AMOUNTS = [
  ['capacity', 'How much may be in use', ({ capacity }: Total) => capacity],
  ['used', 'How much is in use', ({ used }: Total) => used],
  ['available', 'Capacity less what is in use', freeOf],
] as const;

/** Adds what the fleet offers: the same whichever process is asked. */
export function addFleetGauges(registry: Registry, figures: FleetFigures): void {
  const read = (of: (all: Figures) => readonly Total[], value: (total: Total) => number, label?: string) => ({
    labelNames: label === undefined ? ['resource_class'] : [label, 'resource_class'],
    aggregator: 'first' as const,
    read: async () =>
      of(await figures.current()).map(
        (total) =>
          [
            { ...(label && { [label]: total.group }), resource_class: total.resourceClass },
            value(total),
          ] as const,
      ),
  });
  for (const [name, meaning, value] of AMOUNTS) {
    addGauge(
      registry,
      `fleet_${name}`,
      `${meaning}, of each resource class in the whole fleet.`,
      read(({ fleet }) => fleet, value),
    );
    addGauge(
      registry,
      `aggregate_${name}`,
      `${meaning}, of each resource class in an aggregate: of providers that it, or the root of whose tree, is in.`,
      read(({ aggregates }) => aggregates, value, 'aggregate'),
    );
  }
  addGauge(
    registry,
    'aggregates_omitted',
    'Aggregates without figures, because there are more than are shown.',
    {
      aggregator: 'first',
      read: async () => [[{}, (await figures.current()).omitted]],
    },
  );
}
