import type { ProviderFields } from '../model/provider.js';
import { type Block, rootRow, type Names, type ProviderRef } from './snapshot.js';

/** Dates are seconds since 1970 or NOT_RECORDED. */
export interface ProviderData extends ProviderFields {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly inventories: readonly InventoryData[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

export interface InventoryData {
  readonly classId: number;
  readonly capacity: number;
  /** See allowedUsageOf. */
  readonly allowed: number;
  readonly used: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
}

export function providersIn(block: Block, tree: number): ProviderData[] {
  const providers: ProviderData[] = [];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++)
    providers.push(providerAt({ block, row }));
  return providers;
}

export function providerAt({ block, row }: ProviderRef): ProviderData {
  const parent = block.parents[row];
  const inventories: InventoryData[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    inventories.push({
      classId: block.classes[at],
      capacity: block.capacities[at],
      allowed: block.allowed[at],
      used: block.used[at],
      minUnit: block.minUnits[at],
      maxUnit: block.maxUnits[at],
      stepSize: block.stepSizes[at],
    });
  }
  return {
    id: block.ids[row],
    uuid: block.uuids[row],
    name: block.names[row],
    generation: block.generations[row],
    parentId: parent < 0 ? null : block.ids[parent],
    rootId: block.ids[rootRow(block, row)],
    createdAt: block.createdAt[row],
    updatedAt: block.updatedAt[row],
    inventories,
    traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
    aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
  };
}

/** Returns a text that is equal for equal states. Dates do not count. */
export function contentOf({ inventories, traits, aggregates, ...provider }: ProviderData): string {
  const { uuid, name, generation, parentId, rootId } = provider;
  const amounts = inventories.map(({ classId, capacity, allowed, used, minUnit, maxUnit, stepSize }) =>
    [classId, capacity, allowed, used, minUnit, maxUnit, stepSize].join(':'),
  );
  const lists = [amounts, traits, aggregates].map((list) => list.toSorted());
  return JSON.stringify([uuid, name, generation, parentId, rootId, lists]);
}

export class NameTable implements Names {
  private readonly ids = new Map<string, number>();
  private readonly names = new Map<number, string>();
  /** Deleted ids. A provider that was read before its names may still refer to them. */
  private readonly deleted: ReadonlyMap<number, string>;
  /** The id that stands for others of the same name: another program may spell one aggregate in several rows. */
  private readonly firstIds = new Map<number, number>();

  constructor(records: readonly { readonly id: number; readonly name: string }[], previous?: NameTable) {
    const repeated = new Map<string, number[]>();
    for (const { id, name } of records) {
      const other = this.ids.get(name);
      const first = previous?.firstOf(id) ?? id;
      if (first !== id) this.firstIds.set(id, first);
      if (other === undefined) this.ids.set(name, first);
      else if (name !== '') repeated.set(name, [...(repeated.get(name) ?? [other]), first]);
      this.names.set(id, name);
    }
    const known = previous === undefined ? [] : [...previous.deleted, ...previous.names];
    this.deleted = new Map(known.filter(([id]) => !this.names.has(id)));
    for (const [name, ids] of repeated) {
      // the snapshot refers to ids of the previous table, so one of these stays the id of all
      const first = ids.find((id) => previous?.ids.get(name) === id) ?? Math.min(...ids);
      this.ids.set(name, first);
      for (const id of ids) if (id !== first) this.firstIds.set(id, first);
    }
  }

  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  /** Returns the id that stands for all ids with the name of this one: itself unless the name has several. */
  firstOf(id: number): number {
    return this.firstIds.get(id) ?? id;
  }

  /** Returns the ids that others stand for, with those. */
  replacedIds(): ReadonlyMap<number, number> {
    return this.firstIds;
  }

  has(id: number): boolean {
    return this.names.has(id);
  }

  entries(): Iterable<readonly [id: number, name: string]> {
    return this.names;
  }

  nameOf(id: number): string {
    const name = this.names.get(id) ?? this.deleted.get(id);
    if (name === undefined) throw new Error(`no name is known for id ${id}`);
    return name;
  }
}

/** Returns the ids of the aggregates of a provider, each aggregate once. */
export function aggregatesOnce(ids: readonly number[], names: NameTable): readonly number[] {
  return names.replacedIds().size === 0 ? ids : [...new Set(ids.map((id) => names.firstOf(id)))];
}
