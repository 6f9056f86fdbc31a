import type { Block } from '../../engine/model/snapshot.js';
import type { ProviderData } from './providerData.js';
import { NumberRows } from './numberRows.js';

/** The columns of a block that do not depend on trees. */
type TreelessColumns = Omit<
  Block,
  'firstTree' | 'treeStarts' | 'parents' | 'ends' | 'trees' | 'sharing' | 'index'
>;

/** All that a snapshot holds of providers, in the order of their ids. */
export interface ProviderColumns extends TreelessColumns {
  /** {@link NO_PARENT} for a root. */
  readonly parentIds: Int32Array;
  readonly rootIds: Int32Array;
}

/** Ids begin at 1. */
export const NO_PARENT = 0;

/**
 * Makes columns of providers, which must be added in the order of their ids, and of their inventories, traits
 * and aggregates, which may be added in any order and are sorted by id.
 */
export class ProviderColumnsBuilder {
  private readonly providers = new NumberRows(6);
  private readonly uuids: string[] = [];
  private readonly names: string[] = [];
  private readonly inventories = new NumberRows(7);
  private readonly traits = new NumberRows(2);
  private readonly aggregates = new NumberRows(2);

  addProvider(
    row: readonly [
      id: number,
      generation: number,
      parentId: number,
      rootId: number,
      createdAt: number,
      updatedAt: number,
    ],
    uuid: string,
    name: string,
  ): void {
    this.providers.add(row);
    this.uuids.push(uuid);
    this.names.push(name);
  }

  addInventory(
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
    this.inventories.add(row);
  }

  addTrait(row: readonly [providerId: number, id: number]): void {
    this.traits.add(row);
  }

  addAggregate(row: readonly [providerId: number, id: number]): void {
    this.aggregates.add(row);
  }

  build(): ProviderColumns {
    const ids = this.providers.column(0);
    const inventories = this.inventories.grouped(ids);
    const traits = this.traits.grouped(ids);
    const aggregates = this.aggregates.grouped(ids);
    return {
      ids,
      uuids: this.uuids,
      names: this.names,
      generations: this.providers.column(1),
      parentIds: this.providers.column(2),
      rootIds: this.providers.column(3),
      createdAt: this.providers.numbers(4),
      updatedAt: this.providers.numbers(5),
      inventoryStarts: inventories.starts,
      classes: inventories.integers(1),
      capacities: inventories.numbers(2),
      used: inventories.numbers(3),
      minUnits: inventories.integers(4),
      maxUnits: inventories.integers(5),
      stepSizes: inventories.integers(6),
      traitStarts: traits.starts,
      traits: traits.integers(1),
      aggregateStarts: aggregates.starts,
      aggregates: aggregates.integers(1),
    };
  }
}

/** The columns of a few providers. */
export function columnsOf(providers: readonly ProviderData[]): ProviderColumns {
  const builder = new ProviderColumnsBuilder();
  for (const { id, uuid, name, generation, parentId, rootId, ...provider } of [...providers].sort(
    (a, b) => a.id - b.id,
  )) {
    const { createdAt, updatedAt } = provider;
    builder.addProvider([id, generation, parentId ?? NO_PARENT, rootId, createdAt, updatedAt], uuid, name);
    for (const { classId, capacity, used, minUnit, maxUnit, stepSize } of provider.inventories)
      builder.addInventory([id, classId, capacity, used, minUnit, maxUnit, stepSize]);
    for (const trait of provider.traits) builder.addTrait([id, trait]);
    for (const aggregate of provider.aggregates) builder.addAggregate([id, aggregate]);
  }
  return builder.build();
}
