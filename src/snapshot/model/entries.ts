import { rootRow, type Block } from '../../engine/model/snapshot.js';

/** One provider with all that a snapshot holds of it. */
export interface ProviderEntry {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentId: number | null;
  readonly rootId: number;
  readonly stock: readonly StockEntry[];
  readonly traits: readonly number[];
  readonly aggregates: readonly number[];
}

/** An inventory as the search reads it: what it can hold instead of how that comes about. */
export interface StockEntry {
  readonly classId: number;
  readonly capacity: number;
  readonly used: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
}

/** The providers of one tree of a block, as they went in. */
export function entriesOf(block: Block, tree: number): ProviderEntry[] {
  const entries: ProviderEntry[] = [];
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++) {
    const parent = block.parents[row];
    entries.push({
      id: block.ids[row],
      uuid: block.uuids[row],
      name: block.names[row],
      generation: block.generations[row],
      parentId: parent < 0 ? null : block.ids[parent],
      rootId: block.ids[rootRow(block, row)],
      stock: stockOf(block, row),
      traits: [...block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1])],
      aggregates: [...block.aggregates.subarray(block.aggregateStarts[row], block.aggregateStarts[row + 1])],
    });
  }
  return entries;
}

function stockOf(block: Block, row: number): StockEntry[] {
  const stock: StockEntry[] = [];
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    stock.push({
      classId: block.classes[at],
      capacity: block.capacities[at],
      used: block.used[at],
      minUnit: block.minUnits[at],
      maxUnit: block.maxUnits[at],
      stepSize: block.stepSizes[at],
    });
  }
  return stock;
}
