import { byCodePoint } from '../../domain/codePointOrder.js';
import { compareKeys, type SortKey } from '../../domain/listing/orderedPage.js';
import type { Block, ProviderRef } from '../model/snapshot.js';
import { columnsOf, keyOfProvider, type PlannedKey } from './providerOrder.js';

/** The providers of a block, or the roots of its trees, ordered by one key: the least first, those without the key last. */
interface BlockOrder {
  readonly rows: Int32Array;
  /** How many have the key. */
  readonly keyed: number;
}

interface Known {
  readonly name: string;
  readonly columns: readonly unknown[];
  readonly order: BlockOrder;
}

/** Orders that are kept of a block at a time: one takes four bytes for each of its rows. */
const MOST_KEPT = 8;

/** By the column that changes with most of the changes that make them invalid; the last used ones last. */
const kept = new WeakMap<object, Known[]>();

/** Made when it is first asked for, and again when one of the columns that it depends on has changed. */
function blockOrder(
  block: Block,
  key: PlannedKey,
  rootsOnly: boolean,
): { readonly order: BlockOrder; readonly isNew: boolean } {
  const name = `${key.field} ${key.resourceClass} ${rootsOnly}`;
  const columns = columnsOf(block, key);
  const known = kept.get(columns[0]) ?? [];
  kept.set(columns[0], known);
  const at = known.findIndex(
    (each) => each.name === name && each.columns.every((column, position) => column === columns[position]),
  );
  const [found] = at < 0 ? [{ name, columns, order: makeOrder(block, key, rootsOnly) }] : known.splice(at, 1);
  known.push(found);
  if (known.length > MOST_KEPT) known.shift();
  return { order: found.order, isNew: at < 0 };
}

function makeOrder(block: Block, key: PlannedKey, rootsOnly: boolean): BlockOrder {
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

  /** Whether the rows had to be put in order first. */
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

  /** The first position whose key does not come before another one; negative orders come before. */
  firstFrom(key: SortKey): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.keyAt(middle), key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** In the direction of reading. */
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
