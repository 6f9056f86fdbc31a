import { type Snapshot, NameTable } from '../../src/fleet/snapshot.js';
import { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';
import { NO_PARENT, ProviderColumnsBuilder } from '../../src/fleet/providerColumns.js';

/** An inventory of a provider. Omitted fields do not limit. */
export interface Inventory {
  readonly total: number;
  readonly used?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** One provider of a tree. */
export interface Provider {
  /** The index of the parent in the list. Null for the root, which comes first. */
  readonly parent: number | null;
  readonly inventories?: Readonly<Record<string, Inventory>>;
  readonly traits?: readonly string[];
  /** The uuids of the aggregates. */
  readonly aggregates?: readonly string[];
}

/** The providers of a tree, parents before children. */
export type Tree = readonly Provider[];

export const NO_LIMIT = 2 ** 31 - 1;

/** Returns the uuid of the n-th provider of a fleet, counted from 1. */
function providerUuid(id: number): string {
  return `00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}`;
}

/** Returns the snapshot of a fleet of these trees, without a database. */
export function snapshotOfTrees(trees: Iterable<Tree>): Snapshot {
  const builder = new ProviderColumnsBuilder();
  const names = { classes: new Numbering(), traits: new Numbering(), aggregates: new Numbering() };
  let last = 0;
  for (const tree of trees) {
    const root = last + 1;
    for (const { parent, inventories = {}, traits = [], aggregates = [] } of tree) {
      const id = ++last;
      builder.providers.add([id, 0, parent === null ? NO_PARENT : root + parent, root, 0, 0]);
      builder.uuids.push(providerUuid(id));
      builder.names.push(providerUuid(id));
      for (const [name, { total, used = 0, min = 1, max = NO_LIMIT, step = 1 }] of Object.entries(
        inventories,
      ))
        builder.inventories.add([id, names.classes.of(name), total, used, min, max, step]);
      for (const trait of traits) builder.traits.add([id, names.traits.of(trait)]);
      for (const aggregate of aggregates) builder.aggregates.add([id, names.aggregates.of(aggregate)]);
    }
  }
  return FleetSnapshot.of(builder.build(), {
    classes: names.classes.table(),
    traits: names.traits.table(),
    aggregates: names.aggregates.table(),
  });
}

class Numbering {
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.numbers.get(name) ?? this.numbers.size + 1;
    this.numbers.set(name, known);
    return known;
  }

  table(): NameTable {
    return new NameTable(Array.from(this.numbers, ([name, id]) => ({ id, name })));
  }
}
