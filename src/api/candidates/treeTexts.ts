import type { Block, ProviderRef, Snapshot, Tree } from '../../fleet/snapshot.js';

/*
 * Writers append values to JSON text. Writers of values combine to writers of lists and objects.
 */

/** A text to which writers append. */
export interface Text {
  text: string;
}

export type Write<T> = (out: Text, value: T) => void;

export function list<T>(write: Write<T>): Write<readonly T[]> {
  return (out, values) => {
    out.text += '[';
    for (let at = 0; at < values.length; at++) {
      if (at > 0) out.text += ',';
      write(out, values[at]);
    }
    out.text += ']';
  };
}

/** The maximum number of list items in one piece, and the length from which a piece ends (characters). */
const ITEMS = 64;
const LONG_PIECE = 65_536;

/** Yields the text of a list in pieces. */
export function* listPieces<T>(write: Write<T>, values: readonly T[]): Generator<string> {
  let out = { text: '[' };
  for (let at = 0; at < values.length; at++) {
    if (at > 0) out.text += ',';
    write(out, values[at]);
    if (at % ITEMS !== ITEMS - 1 && out.text.length < LONG_PIECE) continue;
    yield out.text;
    out = { text: '' };
  }
  yield `${out.text}]`;
}

/** A part of a JSON text: characters, or texts as bytes that nobody changes. */
export type Piece = string | readonly Uint8Array[];

/** Yields a list of items in pieces. `textOf` returns the bytes of an item after a comma. */
export function* bytePieces<T>(
  values: Iterable<T>,
  textOf: (value: T) => Uint8Array,
  [start, end]: readonly [start: string, end: string],
): Generator<Piece> {
  yield start;
  let part: Uint8Array[] = [];
  let isFirst = true;
  for (const value of values) {
    const text = textOf(value);
    part.push(isFirst ? text.subarray(1) : text);
    isFirst = false;
    if (part.length < ITEMS) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
  yield end;
}

/** Returns the writer of a value that `textOf` converts to JSON text. */
export function leaf<T>(textOf: (value: T) => string): Write<T> {
  return (out, value) => {
    out.text += textOf(value);
  };
}

/** Matches text that needs no escapes in JSON, which is nearly all text. */
const PLAIN = /^[\w.:=-]*$/;

/** Equals JSON.stringify, but is twice as fast for plain text. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Returns the text that a writer appends for a value. */
export function textOf<T>(write: Write<T>, value: T): string {
  const own = { text: '' };
  write(own, value);
  own.text.charCodeAt(0); // flattens the concatenated string once instead of at each use
  return own.text;
}

/** Writes the text of a value again if it equals the last one. */
export function repeating<T>(write: Write<T>): Write<T> {
  let last: { readonly value: T; readonly text: string } | null = null;
  return (out, value) => {
    if (last === null || last.value !== value) last = { value, text: textOf(write, value) };
    out.text += last.text;
  };
}

/** The maximum number of cached texts. A full cache is cleared. */
const MOST_REMEMBERED = 4_096;

/**
 * Caches the texts of repeated values by two keys, from their first repetition on. If `keysOf` returns null, it does not
 * cache.
 */
export function remembering<T>(
  write: Write<T>,
  keysOf: (value: T) => readonly [unknown, object] | null,
): Write<T> {
  const texts = new Map<unknown, Map<object, string | null>>();
  let count = 0;

  return (out, value) => {
    const keys = keysOf(value);
    if (keys === null) return write(out, value);
    const [first, second] = keys;
    if (count === MOST_REMEMBERED) {
      texts.clear();
      count = 0;
    }
    let known = texts.get(first);
    if (known === undefined) texts.set(first, (known = new Map<object, string>()));
    let text = known.get(second);
    if (text === undefined) {
      known.set(second, null);
      count++;
      return write(out, value);
    }
    if (text === null) known.set(second, (text = textOf(write, value)));
    out.text += text;
  };
}

/** The maximum memory of all kept texts (bytes). If they need more, all are discarded. */
const MAX_BYTES = 2 ** 26;

/** The memory of a text besides its bytes. */
const OVERHEAD = 96;

/** The columns on which a text may depend besides generations and usage. */
const COLUMNS = [
  'treeStarts',
  'uuids',
  'names',
  'parents',
  'inventoryStarts',
  'classes',
  'capacities',
  'traitStarts',
  'traits',
] as const;

/** The texts of the trees of a block and of its later versions, in one form. */
interface BlockTexts {
  readonly columns: Pick<Block, (typeof COLUMNS)[number]>;
  readonly names: Pick<Snapshot, 'classes' | 'traits'>;
  /** By the first row of the tree. */
  readonly texts: (Uint8Array | undefined)[];
  /** The generations and the usage when each text was written. */
  readonly generations: Int32Array;
  readonly used: Float64Array;
}

/**
 * Keeps the texts of all providers of a tree as bytes until one of them changes. They may depend on the uuids, names,
 * generations, traits, inventories and usage of the providers of the tree.
 */
class TreeTexts {
  /** By form: the texts of each block. Versions of a block share the object of its orders. */
  private forms = new Map<string, WeakMap<object, BlockTexts>>();
  private bytes = 0;

  /**
   * Returns a function from the trees of a snapshot to their texts.
   *
   * @param form identifies what `write` writes of a provider
   */
  of(form: string, { classes, traits }: Snapshot, write: (provider: ProviderRef) => string) {
    let last: Block | null = null;
    let known!: BlockTexts;
    return (tree: Tree): Uint8Array => {
      const { block, start, end } = tree;
      if (block !== last) {
        last = block;
        known = this.textsOf(form, block, { classes, traits });
      }
      const text = known.texts[start];
      if (text !== undefined && isCurrent(known, tree)) return text;
      let written = '';
      for (let row = start; row < end; row++) written += write({ block, row });
      return this.keep(known, tree, Buffer.from(written));
    };
  }

  private textsOf(form: string, block: Block, names: BlockTexts['names']): BlockTexts {
    let blocks = this.forms.get(form);
    if (blocks === undefined) this.forms.set(form, (blocks = new WeakMap()));
    const known = blocks.get(block.index.orders);
    if (known !== undefined && isOf(known, block, names)) return known;
    for (const text of known?.texts ?? []) if (text) this.bytes -= text.length + OVERHEAD;
    if (known !== undefined) this.bytes -= sizeOf(known);
    const fresh = {
      columns: Object.fromEntries(COLUMNS.map((column) => [column, block[column]])) as BlockTexts['columns'],
      names,
      texts: [],
      generations: new Int32Array(block.generations.length),
      used: new Float64Array(block.used.length),
    };
    this.bytes += sizeOf(fresh);
    blocks.set(block.index.orders, fresh);
    return fresh;
  }

  private keep(known: BlockTexts, { block, start, end }: Tree, text: Uint8Array): Uint8Array {
    this.bytes += text.length - (known.texts[start]?.length ?? -OVERHEAD);
    if (this.bytes > MAX_BYTES) {
      this.forms = new Map();
      this.bytes = 0;
    }
    known.texts[start] = text;
    known.generations.set(block.generations.subarray(start, end), start);
    const [first, last] = [block.inventoryStarts[start], block.inventoryStarts[end]];
    known.used.set(block.used.subarray(first, last), first);
    return text;
  }
}

/** Returns the memory besides the texts (bytes). */
function sizeOf({ generations, used }: BlockTexts): number {
  return generations.byteLength + used.byteLength + OVERHEAD;
}

function isOf(
  { columns, names }: BlockTexts,
  block: Block,
  { classes, traits }: BlockTexts['names'],
): boolean {
  return (
    names.classes === classes &&
    names.traits === traits &&
    COLUMNS.every((column) => columns[column] === block[column])
  );
}

function isCurrent({ generations, used }: BlockTexts, { block, start, end }: Tree): boolean {
  for (let row = start; row < end; row++) if (generations[row] !== block.generations[row]) return false;
  const last = block.inventoryStarts[end];
  for (let at = block.inventoryStarts[start]; at < last; at++) if (used[at] !== block.used[at]) return false;
  return true;
}

/** The kept texts of this process. */
export const TREE_TEXTS = new TreeTexts();
