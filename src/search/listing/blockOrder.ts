import { partitionPoint } from '../../model/collections.js';
import { compareKeys, type SortKey } from '../../model/listing/orderedPage.js';
import type { Block, BlockOrder } from '../../fleet/snapshot.js';
import { columnsOf, keyOfProvider, type PlannedKey } from './providerOrder.js';

/** The maximum number of cached orders of a block. An order takes four bytes per row. */
const MAX_ORDERS = 16;

/** Returns a cached order. Computes it on first use and after a change of its columns. */
function blockOrder(
  block: Block,
  key: PlannedKey,
  rootsOnly: boolean,
): { readonly order: BlockOrder; readonly isNew: boolean } {
  const { orders } = block.index;
  const name = `${key.field} ${key.resourceClass} ${rootsOnly}`;
  const columns = columnsOf(block, key);
  const known = orders.get(name);
  if (known?.columns.every((column, at) => column === columns[at])) return { order: known, isNew: false };
  const order = { columns, ...makeOrder(block, key, rootsOnly) };
  orders.delete(name);
  const [oldest] = orders.keys();
  if (orders.size >= MAX_ORDERS) orders.delete(oldest);
  orders.set(name, order);
  return { order, isNew: true };
}

function makeOrder(block: Block, key: PlannedKey, rootsOnly: boolean): Pick<BlockOrder, 'rows' | 'keyed'> {
  const keyOf = keyOfProvider(key);
  const rows = rootsOnly ? rootsOf(block) : block.ids.map((_, row) => row);
  const keys: SortKey[] = [];
  for (const row of rows) keys[row] = keyOf({ block, row });
  rows.sort((one, other) => compareKeys(keys[one], keys[other], false));
  return { rows, keyed: rows.filter((row) => keys[row] !== null).length };
}

function rootsOf({ treeStarts }: Block): Int32Array {
  return treeStarts.filter((start, tree) => tree + 1 < treeStarts.length && start < treeStarts[tree + 1]);
}

/** The rows of a block in the direction of reading. */
export type RowSequence = ReturnType<typeof rowSequence>;

export function rowSequence(
  block: Block,
  key: PlannedKey,
  {
    isDescending,
    backwards,
    rootsOnly,
  }: Readonly<Record<'isDescending' | 'backwards' | 'rootsOnly', boolean>>,
) {
  const { order, isNew } = blockOrder(block, key, rootsOnly);
  const { rows, keyed } = order;
  const keyOf = keyOfProvider(key);
  const rowAt = (position: number): number => {
    const forwards = backwards ? rows.length - 1 - position : position;
    return rows[isDescending && forwards < keyed ? keyed - 1 - forwards : forwards];
  };
  const keyAt = (position: number): SortKey => keyOf({ block, row: rowAt(position) });
  const compare = (one: SortKey, other: SortKey): number => {
    const difference = compareKeys(one, other, isDescending);
    return backwards ? -difference : difference;
  };
  /** Returns the first position whose key does not come before `wanted`. */
  const firstFrom = (wanted: SortKey): number =>
    partitionPoint(0, rows.length, (at) => compare(keyAt(at), wanted) < 0);
  return { block, length: rows.length, isNew, rowAt, keyAt, compare, firstFrom };
}
