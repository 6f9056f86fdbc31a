import type { Block } from '../../engine/model/snapshot.js';
import type { ProviderEntry } from './entries.js';
import { NumberRows } from './numberRows.js';

/** What a block holds of its providers whatever tree they are in. */
type Offer = Omit<Block, 'firstTree' | 'treeStarts' | 'parents' | 'ends' | 'trees' | 'sharing' | 'index'>;

/** Providers with all that a snapshot holds of them, in the order of their ids. */
export interface ProviderColumns extends Offer {
  /** {@link NO_PARENT} for a root. */
  readonly parentIds: Int32Array;
  readonly rootIds: Int32Array;
}

/** Ids begin at 1. */
export const NO_PARENT = 0;

/**
 * Makes columns of providers, which must come in the order of their ids, and of what belongs to them, which may come in any order.
 * A provider's inventories, traits and aggregates are put in the order of their ids.
 */
export class ColumnsBuilder {
  private readonly providers = new NumberRows(4);
  private readonly uuids: string[] = [];
  private readonly names: string[] = [];
  private readonly stock = new NumberRows(7);
  private readonly traits = new NumberRows(2);
  private readonly aggregates = new NumberRows(2);

  addProvider(
    row: readonly [id: number, generation: number, parentId: number, rootId: number],
    uuid: string,
    name: string,
  ): void {
    this.providers.add(row);
    this.uuids.push(uuid);
    this.names.push(name);
  }

  addStock(
    row: readonly [
      providerId: number,
      classId: number,
      capacity: number,
      used: number,
      minUnit: number,
      maxUnit: number,
      stepSize: number,
    ],
  ): void {
    this.stock.add(row);
  }

  addTrait(row: readonly [providerId: number, id: number]): void {
    this.traits.add(row);
  }

  addAggregate(row: readonly [providerId: number, id: number]): void {
    this.aggregates.add(row);
  }

  build(): ProviderColumns {
    const ids = this.providers.column(0);
    const stock = this.stock.grouped(ids);
    const traits = this.traits.grouped(ids);
    const aggregates = this.aggregates.grouped(ids);
    return {
      ids,
      uuids: this.uuids,
      names: this.names,
      generations: this.providers.column(1),
      parentIds: this.providers.column(2),
      rootIds: this.providers.column(3),
      inventoryStarts: stock.starts,
      classes: stock.integers(1),
      capacities: stock.numbers(2),
      used: stock.numbers(3),
      minUnits: stock.integers(4),
      maxUnits: stock.integers(5),
      stepSizes: stock.integers(6),
      traitStarts: traits.starts,
      traits: traits.integers(1),
      aggregateStarts: aggregates.starts,
      aggregates: aggregates.integers(1),
    };
  }
}

/** The columns of a few providers. */
export function columnsOf(entries: readonly ProviderEntry[]): ProviderColumns {
  const builder = new ColumnsBuilder();
  for (const { id, uuid, name, generation, parentId, rootId, ...entry } of [...entries].sort(
    (a, b) => a.id - b.id,
  )) {
    builder.addProvider([id, generation, parentId ?? NO_PARENT, rootId], uuid, name);
    for (const { classId, capacity, used, minUnit, maxUnit, stepSize } of entry.stock)
      builder.addStock([id, classId, capacity, used, minUnit, maxUnit, stepSize]);
    for (const trait of entry.traits) builder.addTrait([id, trait]);
    for (const aggregate of entry.aggregates) builder.addAggregate([id, aggregate]);
  }
  return builder.build();
}
