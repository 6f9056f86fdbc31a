import { positionOf } from '../model/collections.js';
import { consumptionRowsOf, type ConsumptionById, type ConsumptionRow } from './consumption.js';
import {
  inventoryAt,
  rootRow,
  type Block,
  type InventoryData,
  type ProviderData,
  type ProviderRef,
} from './snapshot.js';

/** Rows of `width` numbers. The first is the id of the provider. */
export class NumberRows<Row extends readonly number[]> {
  private values: Float64Array;
  private length = 0;

  constructor(private readonly width: Row['length']) {
    this.values = new Float64Array(16 * width);
  }

  add(row: Row): void {
    const at = this.length++ * this.width;
    if (at === this.values.length) this.grow();
    for (let field = 0; field < this.width; field++) this.values[at + field] = row[field];
  }

  column(field: number): Int32Array {
    return this.into(new Int32Array(this.length), field, null);
  }

  /** Returns numbers that may exceed 32 bits. */
  numbers(field: number): Float64Array {
    return this.into(new Float64Array(this.length), field, null);
  }

  /**
   * Groups the rows by provider in the order of the ascending `ids`, sorted by their second number. `starts` has the
   * start of each provider's rows, and one more at the end.
   */
  grouped(ids: Int32Array) {
    const { values, width } = this;
    const owners = this.column(0).map((id) => positionOf(ids, id));
    const starts = new Int32Array(ids.length + 1);
    for (const owner of owners) if (owner >= 0) starts[owner + 1]++;
    for (let owner = 0; owner < ids.length; owner++) starts[owner + 1] += starts[owner];
    const ends = starts.slice();
    const order = new Int32Array(starts[ids.length]);
    owners.forEach((owner, row) => {
      if (owner < 0) return;
      const key = values[row * width + 1];
      let at = ends[owner]++;
      for (; at > starts[owner] && values[order[at - 1] * width + 1] > key; at--) order[at] = order[at - 1];
      order[at] = row;
    });
    return {
      starts,
      integers: (field: number) => this.into(new Int32Array(order.length), field, order),
      numbers: (field: number) => this.into(new Float64Array(order.length), field, order),
    };
  }

  private into<C extends Int32Array | Float64Array>(column: C, field: number, order: Int32Array | null): C {
    const { values, width } = this;
    for (let at = 0; at < column.length; at++) {
      column[at] = values[(order === null ? at : order[at]) * width + field];
    }
    return column;
  }

  private grow(): void {
    const { values } = this;
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
  }
}

export interface ProviderColumns extends Omit<
  Block,
  'firstTree' | 'treeStarts' | 'parents' | 'ends' | 'trees' | 'sharing' | 'consumption' | 'index'
> {
  /** {@link NO_PARENT} for a root. */
  readonly parentIds: Int32Array;
  readonly rootIds: Int32Array;
  /** Null: no inventory consumes counters. */
  readonly consumption: ConsumptionById | null;
}

/** Ids begin at 1. */
export const NO_PARENT = 0;

type Link = readonly [providerId: number, id: number];

/**
 * Builds columns. Providers must be added in the order of their ids; inventories, traits and aggregates in
 * any order.
 */
export class ProviderColumnsBuilder {
  readonly providers = new NumberRows<
    [id: number, generation: number, parentId: number, rootId: number, createdAt: number, updatedAt: number]
  >(6);
  readonly uuids: string[] = [];
  readonly names: string[] = [];
  readonly inventories = new NumberRows<
    [
      providerId: number,
      classId: number,
      capacity: number,
      used: number,
      minUnit: number,
      maxUnit: number,
      stepSize: number,
    ]
  >(7);
  /** The inventories of which all is reserved. */
  readonly reservedWhole = new NumberRows<[providerId: number, classId: number, total: number]>(3);
  readonly traits = new NumberRows<Link>(2);
  readonly aggregates = new NumberRows<Link>(2);
  readonly consumption = new Map<number, ConsumptionRow[]>();

  build(): ProviderColumns {
    const ids = this.providers.column(0);
    const inventories = this.inventories.grouped(ids);
    const traits = this.traits.grouped(ids);
    const aggregates = this.aggregates.grouped(ids);
    const offer = {
      inventoryStarts: inventories.starts,
      classes: inventories.integers(1),
      capacities: inventories.numbers(2),
    };
    return {
      ids,
      uuids: this.uuids,
      names: this.names,
      generations: this.providers.column(1),
      parentIds: this.providers.column(2),
      rootIds: this.providers.column(3),
      createdAt: this.providers.numbers(4),
      updatedAt: this.providers.numbers(5),
      ...offer,
      allowed: this.allowedIn(ids, offer),
      used: inventories.numbers(3),
      minUnits: inventories.integers(4),
      maxUnits: inventories.integers(5),
      stepSizes: inventories.integers(6),
      traitStarts: traits.starts,
      traits: traits.integers(1),
      aggregateStarts: aggregates.starts,
      aggregates: aggregates.integers(1),
      consumption: this.consumption.size === 0 ? null : this.consumption,
    };
  }

  private allowedIn(
    ids: Int32Array,
    offer: Pick<Block, 'inventoryStarts' | 'classes' | 'capacities'>,
  ): Float64Array {
    const [owners, classes, totals] = [0, 1, 2].map((field) => this.reservedWhole.column(field));
    if (owners.length === 0) return offer.capacities;
    const allowed = offer.capacities.slice();
    for (const [each, owner] of owners.entries()) {
      const row = positionOf(ids, owner);
      if (row >= 0) allowed[inventoryAt(offer, row, classes[each])] = totals[each];
    }
    return allowed;
  }
}

export function columnsOf(providers: readonly ProviderData[]): ProviderColumns {
  const builder = new ProviderColumnsBuilder();
  for (const { id, uuid, name, generation, parentId, rootId, ...provider } of [...providers].sort(
    (a, b) => a.id - b.id,
  )) {
    const { createdAt, updatedAt } = provider;
    builder.providers.add([id, generation, parentId ?? NO_PARENT, rootId, createdAt, updatedAt]);
    builder.uuids.push(uuid);
    builder.names.push(name);
    for (const { classId, capacity, allowed, used, minUnit, maxUnit, stepSize } of provider.inventories) {
      builder.inventories.add([id, classId, capacity, used, minUnit, maxUnit, stepSize]);
      if (allowed !== capacity) builder.reservedWhole.add([id, classId, allowed]);
    }
    if (provider.consumption?.length) builder.consumption.set(id, [...provider.consumption]);
    for (const trait of provider.traits) builder.traits.add([id, trait]);
    for (const aggregate of provider.aggregates) builder.aggregates.add([id, aggregate]);
  }
  return builder.build();
}

/** Consecutive trees, each depth first. */
export interface Trees {
  readonly columns: ProviderColumns;
  /** By tree: the position of its root, and one more at the end. */
  readonly starts: Int32Array;
  /** By position: the provider's row in the columns. */
  readonly rows: Int32Array;
  /** By position: the parent's position, -1 for a root. */
  readonly parents: Int32Array;
  /** By position: one past the last descendant. */
  readonly ends: Int32Array;
}

/**
 * Arranges providers as trees, roots and siblings in column order. Omits providers that are not connected
 * with the root that they name, which another program may have left.
 */
export function treesOf(columns: ProviderColumns): Trees {
  const { ids, parentIds, rootIds } = columns;
  const { last, previous } = childrenOf(columns);
  const rows = new Int32Array(ids.length);
  const parents = new Int32Array(ids.length);
  const above = new Int32Array(ids.length).fill(-1);
  const stack = new Int32Array(ids.length);
  const starts: number[] = [];
  let position = 0;
  for (let root = 0; root < ids.length; root++) {
    if (parentIds[root] !== NO_PARENT || rootIds[root] !== ids[root]) continue;
    starts.push(position);
    stack[0] = root;
    for (let height = 1; height > 0; position++) {
      const row = stack[--height];
      rows[position] = row;
      parents[position] = above[row];
      for (let child = last[row]; child >= 0; child = previous[child]) {
        if (rootIds[child] !== ids[root]) continue;
        above[child] = position;
        stack[height++] = child;
      }
    }
  }
  starts.push(position);
  return {
    columns,
    starts: Int32Array.from(starts),
    rows: rows.subarray(0, position),
    parents: parents.subarray(0, position),
    ends: endsOf(parents.subarray(0, position)),
  };
}

/** Returns the trees from `from` to before `to`. */
export function sliceOf(trees: Trees, from: number, to: number): Trees {
  return { ...trees, starts: trees.starts.subarray(from, to + 1) };
}

/** Returns the last child and the previous sibling of each row; -1 if there is none. */
function childrenOf({ ids, parentIds }: ProviderColumns): { last: Int32Array; previous: Int32Array } {
  const last = new Int32Array(ids.length).fill(-1);
  const previous = new Int32Array(ids.length).fill(-1);
  for (let row = 0; row < ids.length; row++) {
    const parent = parentIds[row] === NO_PARENT ? -1 : positionOf(ids, parentIds[row]);
    if (parent < 0) continue;
    previous[row] = last[parent];
    last[parent] = row;
  }
  return { last, previous };
}

function endsOf(parents: Int32Array): Int32Array {
  const ends = parents.map((_, position) => position + 1);
  for (let position = parents.length - 1; position >= 0; position--) {
    const parent = parents[position];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[position]);
  }
  return ends;
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
    ...(block.consumption === null ? {} : { consumption: consumptionRowsOf(block, row) }),
    traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
    aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
  };
}

/** Returns texts that are equal for equal inventories without usage, traits and aggregates. */
export function partTexts({ inventories, traits, aggregates, consumption = [] }: ProviderParts) {
  const amounts = inventories.map(({ classId, capacity, allowed, minUnit, maxUnit, stepSize }) =>
    [classId, capacity, allowed, minUnit, maxUnit, stepSize].join(':'),
  );
  const consumed = consumption.map(({ classId, counterProviderId, counterClassId, amount }) =>
    [classId, counterProviderId, counterClassId, amount].join(':'),
  );
  const textOf = (list: readonly (string | number)[]): string => list.toSorted().join();
  return {
    inventories: `${textOf(amounts)} ${textOf(consumed)}`,
    traits: textOf(traits),
    aggregates: textOf(aggregates),
  };
}

type ProviderParts = Pick<ProviderData, 'inventories' | 'traits' | 'aggregates' | 'consumption'>;

/** Returns a text that is equal for equal states. Dates do not count. */
export function contentOf(provider: ProviderData): string {
  const { uuid, name, generation, parentId, rootId, inventories } = provider;
  const used = inventories.map((each) => `${each.classId}:${each.used}`).sort();
  return JSON.stringify([uuid, name, generation, parentId, rootId, partTexts(provider), used]);
}
