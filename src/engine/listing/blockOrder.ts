import { partitionPoint } from '../../domain/collections.js';
import { byCodePoint, compareKeys, type SortKey } from '../../domain/listing/orderedPage.js';
import type { Block, BlockOrder, ProviderRef } from '../model/snapshot.js';
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
  const all = rootsOnly ? rootsOf(block) : block.ids.map((_, row) => row);
  const numbers = new Float64Array(block.ids.length);
  const texts: string[] = [];
  const isKeyed = new Uint8Array(block.ids.length);
  for (const row of all) {
    const value = keyOf({ block, row });
    if (typeof value === 'string') texts[row] = value;
    else if (value !== null) numbers[row] = value;
    isKeyed[row] = Number(value !== null);
  }
  const keyed = all.filter((row) => isKeyed[row] === 1);
  if (texts.length > 0) keyed.sort((one, other) => byCodePoint(texts[one], texts[other]));
  else keyed.sort((one, other) => numbers[one] - numbers[other]);
  const rows = new Int32Array(all.length);
  rows.set(keyed);
  rows.set(
    all.filter((row) => isKeyed[row] === 0),
    keyed.length,
  );
  return { rows, keyed: keyed.length };
}

function rootsOf({ treeStarts }: Block): Int32Array {
  return treeStarts.filter((start, tree) => tree + 1 < treeStarts.length && start < treeStarts[tree + 1]);
}

/** The rows of a block in the direction of reading. */
export class RowSequence {
  readonly length: number;

  readonly isNew: boolean;
  private readonly order: BlockOrder;
  private readonly keyOf: (provider: ProviderRef) => SortKey;

  constructor(
    readonly block: Block,
    key: PlannedKey,
    private readonly arrangement: {
      readonly isDescending: boolean;
      readonly backwards: boolean;
      readonly rootsOnly: boolean;
    },
  ) {
    const { order, isNew } = blockOrder(block, key, arrangement.rootsOnly);
    this.order = order;
    this.isNew = isNew;
    this.keyOf = keyOfProvider(key);
    this.length = this.order.rows.length;
  }

  rowAt(position: number): number {
    return this.order.rows[this.indexOf(position)];
  }

  keyAt(position: number): SortKey {
    return this.keyOf({ block: this.block, row: this.rowAt(position) });
  }

  /** Returns the first position whose key does not come before `key`. */
  firstFrom(key: SortKey): number {
    return partitionPoint(0, this.length, (at) => this.compare(this.keyAt(at), key) < 0);
  }

  compare(one: SortKey, other: SortKey): number {
    const order = compareKeys(one, other, this.arrangement.isDescending);
    return this.arrangement.backwards ? -order : order;
  }

  private indexOf(position: number): number {
    const { keyed } = this.order;
    const { isDescending, backwards } = this.arrangement;
    const forwards = backwards ? this.length - 1 - position : position;
    return isDescending && forwards < keyed ? keyed - 1 - forwards : forwards;
  }
}
