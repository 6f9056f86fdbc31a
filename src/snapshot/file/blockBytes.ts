import type { Block } from '../../engine/model/snapshot.js';
import { blockIndexOf, type Columns } from '../model/blocks/blockIndex.js';

const NUMBERS = { Float64Array, Int32Array, Uint16Array, Uint8Array } as const;

/** How many entries there are of what a column may be as long as. */
interface Counts {
  readonly rows: number;
  readonly trees: number;
  readonly inventories: number;
  readonly traits: number;
  readonly aggregates: number;
}

/** The columns of a block as they are stored: texts as the characters of all, and where each ends. */
type StoredColumns = Omit<Columns, 'firstTree' | Texts> & Readonly<Record<`${Texts}Ends`, Int32Array>>;

const TEXTS = ['uuids', 'names'] as const;
type Texts = (typeof TEXTS)[number];

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
  ['uuidsEnds', 'Int32Array', 'rows', 0],
  ['namesEnds', 'Int32Array', 'rows', 0],
  ['trees', 'Uint16Array', 'rows', 0],
  ['sharing', 'Uint8Array', 'rows', 0],
] as const satisfies readonly (readonly [
  column: keyof StoredColumns,
  type: keyof typeof NUMBERS,
  count: keyof Counts,
  more: 0 | 1,
])[];

/** What was stored with another one cannot be read. */
export const LAYOUT_TEXT = JSON.stringify([LAYOUT, TEXTS]);

/** A block without its index. The parts share its memory. */
export function bytesOf(block: Block): Buffer[] {
  const [uuids, names] = TEXTS.map((column) => packed(block[column]));
  const columns: StoredColumns = { ...block, uuidsEnds: uuids.ends, namesEnds: names.ends };
  const counts = [
    block.firstTree,
    block.ids.length,
    block.treeStarts.length - 1,
    block.classes.length,
    block.traits.length,
    block.aggregates.length,
    ...[uuids, names].map(({ isWide }) => Number(isWide)),
  ];
  const numbers = [Float64Array.from(counts), ...LAYOUT.map(([column]) => columns[column])];
  return [
    ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    uuids.characters,
    names.characters,
  ];
}

/** The block that was stored so. Its columns share the memory of the bytes. */
export function blockFrom(bytes: Buffer): Block {
  const reader = new ColumnReader(bytes);
  const [firstTree, rows, trees, inventories, traits, aggregates, ...areWide] = reader.take(
    'Float64Array',
    8,
  );
  const counts: Counts = { rows, trees, inventories, traits, aggregates };
  const stored = Object.fromEntries(
    LAYOUT.map(([column, type, count, more]) => [column, reader.take(type, counts[count] + more)]),
  ) as unknown as StoredColumns;
  const { uuidsEnds, namesEnds, ...numbers } = stored;
  const [uuids, names] = [uuidsEnds, namesEnds].map((ends, at) => reader.takeTexts(ends, areWide[at] === 1));
  const columns: Columns = { firstTree, ...numbers, uuids, names };
  return { ...columns, index: blockIndexOf(columns) };
}

interface PackedTexts {
  readonly ends: Int32Array;
  readonly characters: Buffer;
  /** Two bytes to a character; otherwise one. */
  readonly isWide: boolean;
}

function packed(texts: readonly string[]): PackedTexts {
  let end = 0;
  const ends = Int32Array.from(texts, (text) => (end += text.length));
  const all = texts.join('');
  const isWide = /[^\0-\xff]/.test(all);
  return { ends, characters: Buffer.from(all, isWide ? 'utf16le' : 'latin1'), isWide };
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

  takeTexts(ends: Int32Array, isWide: boolean): string[] {
    const start = this.at;
    this.at += (ends.at(-1) ?? 0) * (isWide ? 2 : 1);
    const all = this.bytes.toString(isWide ? 'utf16le' : 'latin1', start, this.at);
    const texts = new Array<string>(ends.length);
    for (let at = 0, from = 0; at < ends.length; from = ends[at++]) texts[at] = all.slice(from, ends[at]);
    return texts;
  }
}
