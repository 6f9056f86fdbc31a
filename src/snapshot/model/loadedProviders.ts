import type { Block } from '../../engine/model/snapshot.js';
import { positionOf } from './numberRows.js';

/**
 * The tree index of each provider of a full load, by uuid and by id: an open-addressing hash table of row
 * numbers, which for a million uuids takes a tenth of the time and memory of maps. Immutable.
 */
export class LoadedProviders {
  /** Rows, plus one, by the hash of their uuid; linear probing; 0 is free. */
  private readonly table: Int32Array;
  private readonly shift: number;

  /** `ids` ascends; `treeIndices` has -1 for a provider that is in no tree. */
  constructor(
    private readonly ids: Int32Array,
    private readonly uuids: readonly string[],
    private readonly treeIndices: Int32Array,
  ) {
    const bits = Math.max(1, Math.ceil(Math.log2(2 * ids.length + 1)));
    this.table = new Int32Array(2 ** bits);
    this.shift = 32 - bits;
    this.addAll();
  }

  /** The providers of these blocks. */
  static in(blocks: readonly Block[]): LoadedProviders {
    const ids = joined(blocks.map((block) => block.ids));
    const uuids: string[] = [];
    for (const block of blocks) for (const uuid of block.uuids) uuids.push(uuid);
    const trees = joined(blocks.map(treeIndicesIn));
    if (ids.every((id, at) => at === 0 || ids[at - 1] < id)) return new LoadedProviders(ids, uuids, trees);
    const order = ascending(ids);
    return new LoadedProviders(
      order.map((row) => ids[row]),
      Array.from(order, (row) => uuids[row]),
      order.map((row) => trees[row]),
    );
  }

  treeIndexOfUuid(uuid: string): number | undefined {
    return this.treeIndexOfRow(this.table[this.find(uuid)] - 1);
  }

  treeIndexOfId(id: number): number | undefined {
    return this.treeIndexOfRow(positionOf(this.ids, id));
  }

  private treeIndexOfRow(row: number): number | undefined {
    return row < 0 || this.treeIndices[row] < 0 ? undefined : this.treeIndices[row];
  }

  /** The position of a uuid in the table, or a free one. */
  private find(uuid: string): number {
    const { table, uuids } = this;
    let at = this.first(hashOf(uuid));
    while (table[at] !== 0 && uuids[table[at] - 1] !== uuid) at = (at + 1) % table.length;
    return at;
  }

  /**
   * Puts all rows into the table, without comparing: no two uuids are equal. Hashes them as parts of one text, because the characters of a
   * uuid that is itself a part of a text, as those out of a file are, cost several times as much.
   */
  private addAll(): void {
    const { table, uuids } = this;
    for (let from = 0; from < uuids.length; from += HASHED_AT_ONCE) {
      const some = uuids.slice(from, from + HASHED_AT_ONCE);
      const text = some.join('');
      let start = 0;
      some.forEach(({ length }, row) => {
        let at = this.first(hashIn(text, start, start + length));
        while (table[at] !== 0) at = (at + 1) % table.length;
        table[at] = from + row + 1;
        start += length;
      });
    }
  }

  /** Where a uuid with this hash belongs, unless there is another one. */
  private first(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.shift;
  }
}

const HASHED_AT_ONCE = 4_096;

/** Uses all characters: uuids of one writer often begin, or end, alike. */
export function hashOf(uuid: string): number {
  return hashIn(uuid, 0, uuid.length);
}

function hashIn(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash >>> 0;
}

function treeIndicesIn({ firstTree, trees }: Block): Int32Array {
  return new Int32Array(trees).map((tree) => firstTree + tree);
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
