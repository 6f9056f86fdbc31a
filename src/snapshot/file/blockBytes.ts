import type { Block } from '../../engine/model/snapshot.js';
import { blockIndexOf, type Columns } from '../model/blocks/blockIndex.js';
import { hashOf } from '../model/loadedProviders.js';
import { blockChecksums, setBlockChecksums } from '../reconciliation/checksums.js';
import { storedTextsOf, withTexts, type StoredTexts } from './blockTexts.js';

const NUMBERS = { Float64Array, Int32Array, Uint16Array, Uint8Array } as const;

/** How many entries there are of what a column may be as long as. */
interface Counts {
  readonly rows: number;
  readonly trees: number;
  readonly inventories: number;
  readonly traits: number;
  readonly aggregates: number;
  readonly ranges: number;
}

/** What is computed of a block and stored with it: for its texts, and the checksums of the ranges of ids. */
interface StoredNumbers {
  readonly hashes: Int32Array;
  readonly uuidsEnds: Int32Array;
  readonly namesEnds: Int32Array;
  readonly ranges: Int32Array;
  readonly providerChecksums: Int32Array;
  readonly usageChecksums: Int32Array;
}

type NumberColumns = Omit<Columns, 'firstTree' | 'uuids' | 'names'>;

/** The columns of numbers in the order in which they are stored: the wider ones first, so that each begins where it may. */
const LAYOUT = [
  ['createdAt', 'Float64Array', 'rows', 0],
  ['updatedAt', 'Float64Array', 'rows', 0],
  ['capacities', 'Float64Array', 'inventories', 0],
  ['used', 'Float64Array', 'inventories', 0],
  ['treeStarts', 'Int32Array', 'trees', 1],
  ['ids', 'Int32Array', 'rows', 0],
  ['generations', 'Int32Array', 'rows', 0],
  ['parents', 'Int32Array', 'rows', 0],
  ['ends', 'Int32Array', 'rows', 0],
  ['inventoryStarts', 'Int32Array', 'rows', 1],
  ['classes', 'Int32Array', 'inventories', 0],
  ['minUnits', 'Int32Array', 'inventories', 0],
  ['maxUnits', 'Int32Array', 'inventories', 0],
  ['stepSizes', 'Int32Array', 'inventories', 0],
  ['traitStarts', 'Int32Array', 'rows', 1],
  ['traits', 'Int32Array', 'traits', 0],
  ['aggregateStarts', 'Int32Array', 'rows', 1],
  ['aggregates', 'Int32Array', 'aggregates', 0],
  ['hashes', 'Int32Array', 'rows', 0],
  ['uuidsEnds', 'Int32Array', 'rows', 0],
  ['namesEnds', 'Int32Array', 'rows', 0],
  ['ranges', 'Int32Array', 'ranges', 0],
  ['providerChecksums', 'Int32Array', 'ranges', 0],
  ['usageChecksums', 'Int32Array', 'ranges', 0],
  ['trees', 'Uint16Array', 'rows', 0],
  ['sharing', 'Uint8Array', 'rows', 0],
] as const satisfies readonly (readonly [
  column: keyof NumberColumns | keyof StoredNumbers,
  type: keyof typeof NUMBERS,
  count: keyof Counts,
  more: 0 | 1,
])[];

/** What was stored with another one cannot be read. */
export const LAYOUT_TEXT = JSON.stringify([LAYOUT, hashOf('how uuids are hashed')]);

/** A block without its index. The parts share its memory. */
export function bytesOf(block: Block): Buffer[] {
  const texts = storedTextsOf(block);
  const checksums = storedChecksums(block);
  const computed: StoredNumbers = {
    hashes: texts.hashes,
    uuidsEnds: texts.uuids.ends,
    namesEnds: texts.names.ends,
    ...checksums,
  };
  const counts = [
    block.firstTree,
    block.ids.length,
    block.treeStarts.length - 1,
    block.classes.length,
    block.traits.length,
    block.aggregates.length,
    checksums.ranges.length,
    Number(texts.uuids.isWide),
    Number(texts.names.isWide),
  ];
  // not copied from the block at once: that would read its texts
  const columns = LAYOUT.map(([column]) =>
    column in computed ? computed[column as keyof StoredNumbers] : block[column as keyof NumberColumns],
  );
  const numbers = [Float64Array.from(counts), ...columns];
  return [
    ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    texts.uuids.characters,
    texts.names.characters,
  ];
}

/** A block that was read, and the hashes of its uuids. */
export interface ReadBlock {
  readonly block: Block;
  readonly hashes: Int32Array;
}

/** The block that was stored so. Its columns share the memory of the bytes. */
export function blockFrom(bytes: Buffer): ReadBlock {
  const reader = new ColumnReader(bytes);
  const [firstTree, rows, trees, inventories, traits, aggregates, ranges, ...areWide] = reader.take(
    'Float64Array',
    9,
  );
  const counts: Counts = { rows, trees, inventories, traits, aggregates, ranges };
  const read = Object.fromEntries(
    LAYOUT.map(([column, type, count, more]) => [column, reader.take(type, counts[count] + more)]),
  ) as unknown as NumberColumns & StoredNumbers;
  const {
    hashes,
    uuidsEnds,
    namesEnds,
    ranges: numbers,
    providerChecksums,
    usageChecksums,
    ...columns
  } = read;
  const [uuids, names] = [uuidsEnds, namesEnds].map((ends, at): StoredTexts['uuids'] => {
    const isWide = areWide[at] === 1;
    return { ends, isWide, characters: reader.takeBytes((ends.at(-1) ?? 0) * (isWide ? 2 : 1)) };
  });
  const whole = withTexts({ firstTree, ...columns }, { uuids, names, hashes });
  const block = Object.assign(whole, { index: blockIndexOf(whole) });
  setBlockChecksums(block, {
    providers: byRange(numbers, providerChecksums),
    usage: byRange(numbers, usageChecksums),
  });
  return { block, hashes };
}

type StoredChecksums = Pick<StoredNumbers, 'ranges' | 'providerChecksums' | 'usageChecksums'>;

/** A range that has none of a kind has the same as one whose sum is nothing. */
function storedChecksums(block: Block): StoredChecksums {
  const { providers, usage } = blockChecksums(block);
  const ranges = Int32Array.from(new Set([...providers.keys(), ...usage.keys()]));
  return {
    ranges,
    providerChecksums: ranges.map((range) => providers.get(range) ?? 0),
    usageChecksums: ranges.map((range) => usage.get(range) ?? 0),
  };
}

function byRange(ranges: Int32Array, checksums: Int32Array): Map<number, number> {
  return new Map(Array.from(ranges, (range, at) => [range, checksums[at]]));
}

class ColumnReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  take<Type extends keyof typeof NUMBERS>(type: Type, length: number) {
    const Column = NUMBERS[type];
    const start = this.bytes.byteOffset + this.at;
    this.at += length * Column.BYTES_PER_ELEMENT;
    return new Column(this.bytes.buffer as ArrayBuffer, start, length) as InstanceType<
      (typeof NUMBERS)[Type]
    >;
  }

  takeBytes(length: number): Buffer {
    return this.bytes.subarray(this.at, (this.at += length));
  }
}
