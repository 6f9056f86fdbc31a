import type { Block } from '../../engine/model/snapshot.js';
import { positionOf } from './numberRows.js';

/**
 * The tree index of each provider of these blocks, by uuid and by id: an open-addressing hash table of row numbers, which for a million
 * uuids takes a tenth of the time and memory of maps. Immutable. Uuids are read only where one is looked up.
 */
export class LoadedProviders {
  /** Rows of all blocks, one behind the other, plus one, by the hash of their uuid; linear probing; 0 is free. */
  private readonly table: Int32Array;
  private readonly shift: number;
  /** By block: its first row in that order, and one more at the end. */
  private readonly starts: Int32Array;
  /** Ascending; and in that order the tree indices. */
  private readonly ids: Int32Array;
  private readonly treeIndices: Int32Array;

  constructor(private readonly blocks: readonly Block[]) {
    this.starts = startsOf(blocks);
    const bits = Math.max(1, Math.ceil(Math.log2(2 * this.starts[blocks.length] + 1)));
    this.table = new Int32Array(2 ** bits);
    this.shift = 32 - bits;
    blocks.forEach((block, at) => this.addAll(block.uuids, this.starts[at]));
    const ids = joined(blocks.map((block) => block.ids));
    const treeIndices = joined(blocks.map(treeIndicesIn));
    const order = isAscending(ids) ? null : ascending(ids);
    this.ids = order === null ? ids : order.map((row) => ids[row]);
    this.treeIndices = order === null ? treeIndices : order.map((row) => treeIndices[row]);
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    const { table } = this;
    for (let at = this.first(hashOf(uuid)); table[at] !== 0; at = (at + 1) % table.length) {
      const { block, row } = this.place(table[at] - 1);
      if (block.uuids[row] === uuid) return block.firstTree + block.trees[row];
    }
    return undefined;
  }

  treeIndexOfId(id: number): number | undefined {
    const at = positionOf(this.ids, id);
    return at < 0 ? undefined : this.treeIndices[at];
  }

  /** Puts rows into the table, without comparing: no two uuids are equal. */
  private addAll(uuids: readonly string[], start: number): void {
    const { table } = this;
    for (let row = 0; row < uuids.length; row++) {
      let at = this.first(hashOf(uuids[row]));
      while (table[at] !== 0) at = (at + 1) % table.length;
      table[at] = start + row + 1;
    }
  }

  /** Where a uuid with this hash belongs, unless there is another one. */
  private first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }

  private place(row: number): { block: Block; row: number } {
    const { starts, blocks } = this;
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return { block: blocks[low], row: row - starts[low] };
  }
}

/** Uses all characters: uuids of one writer often begin, or end, alike. */
export function hashOf(uuid: string): number {
  let hash = 0;
  for (let at = 0; at < uuid.length; at++) hash = (Math.imul(hash, 31) + uuid.charCodeAt(at)) | 0;
  return hash >>> 0;
}

function startsOf(blocks: readonly Block[]): Int32Array {
  const starts = new Int32Array(blocks.length + 1);
  blocks.forEach(({ ids }, at) => (starts[at + 1] = starts[at] + ids.length));
  return starts;
}

function treeIndicesIn({ firstTree, trees }: Block): Int32Array {
  const treeIndices = new Int32Array(trees.length);
  for (let row = 0; row < trees.length; row++) treeIndices[row] = firstTree + trees[row];
  return treeIndices;
}

function isAscending(ids: Int32Array): boolean {
  for (let at = 1; at < ids.length; at++) if (ids[at - 1] >= ids[at]) return false;
  return true;
}

function joined(columns: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

/** The positions of ids in the order of the ids: sorted as numbers that have both in them, which takes no call for each comparison. */
function ascending(ids: Int32Array): Int32Array {
  const keys = Float64Array.from(ids, (id, position) => id * ids.length + position).sort();
  return Int32Array.from(keys, (key) => key % ids.length);
}
