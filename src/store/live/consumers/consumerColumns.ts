import { RowIndex } from './rowIndex.js';

/** Texts of the rows, such as projects. Each distinct text is stored once. */
export class TextColumn<Text extends string | null> {
  readonly texts: Text[] = [];
  /** By row: the position of the text in `texts`. */
  positions: Int32Array;
  private readonly positionsByText = new Map<Text, number>();
  /** The position of the latest text: consecutive rows often have the same. */
  private latest = 0;

  constructor(rows: number) {
    this.positions = new Int32Array(rows);
  }

  /** Returns the position of a text, or -1 if no row ever had it. */
  find(text: Text): number {
    return this.positionsByText.get(text) ?? -1;
  }

  set(row: number, text: Text): void {
    this.positions[row] = this.texts[this.latest] === text ? this.latest : this.positionOf(text);
  }

  private positionOf(text: Text): number {
    let position = this.positionsByText.get(text);
    if (position === undefined) this.positionsByText.set(text, (position = this.texts.push(text) - 1));
    return (this.latest = position);
  }

  grow(rows: number): void {
    this.positions = resized(this.positions, rows);
  }
}

/** The uuids of the rows. Texts in another spelling, or that are no UUID, are in a map (decision D24). */
export class UuidColumn {
  private readonly index: RowIndex;
  private readonly others = new Map<string, number>();
  private readonly key = new Int32Array(4);
  /** The row that was found last, or -1. */
  private latest = -1;

  /** @param uuidOf returns the uuid of a text that is not in the usual spelling */
  constructor(
    rows: number,
    private readonly uuidOf: (text: string) => string,
  ) {
    this.index = new RowIndex(4, rows);
  }

  /** Returns the row of a stored text, or -1. Fast for texts in the order of the rows. */
  find(text: string): number {
    if (!this.read(text)) return this.others.get(text) ?? -1;
    const following = this.latest + 1;
    this.latest = this.index.has(this.key, following) ? following : this.index.find(this.key);
    return this.latest;
  }

  /** Adds a text of a row. @returns false if the uuid belongs to another row, which the text then leads to. */
  add(row: number, text: string): boolean {
    if (this.read(text)) return this.index.add(this.key, row) === row;
    const uuid = this.uuidOf(text);
    const owner = this.read(uuid) ? this.index.add(this.key, row) : (this.others.get(text) ?? row);
    this.others.set(text, owner);
    return owner === row;
  }

  delete(row: number): void {
    this.index.delete(row);
    for (const [text, owner] of this.others) if (owner === row) this.others.delete(text);
  }

  grow(rows: number): void {
    this.index.grow(rows);
  }

  /** Reads a uuid in the usual spelling into `key`. Returns false for other text. */
  private read(text: string): boolean {
    if (text.length !== 36) return false;
    for (const at of DASHES) if (text.charCodeAt(at) !== DASH) return false;
    const { key } = this;
    let all = 0;
    for (let word = 0; word < 4; word++) {
      let bits = 0;
      for (let digit = 8 * word; digit < 8 * word + 8; digit++) {
        const code = text.charCodeAt(DIGIT_PLACES[digit]);
        const value = DIGITS[code & 0xff];
        all |= value | (code & ~0xff);
        bits = (bits << 4) | value;
      }
      key[word] = bits;
    }
    return all >= 0 && all <= 0xf;
  }
}

const DASH = '-'.charCodeAt(0);
const DASHES = [8, 13, 18, 23];

/** The positions of the digits of a uuid. */
const DIGIT_PLACES = Uint8Array.from(
  Array.from({ length: 36 }, (_, at) => at).filter((at) => !DASHES.includes(at)),
);

/** By character: the value of a hexadecimal digit in lower case. -1 for other characters. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

/** The providers of each row's allocations: linked lists in columns. */
export class ProviderLists {
  /** By row: the first entry plus one. 0: none. */
  private heads: Int32Array;
  private providers: Int32Array;
  /** By entry: the next entry of the row, or of the free entries, plus one. */
  private next: Int32Array;
  private end = 0;
  private free = 0;

  constructor(rows: number, entries: number) {
    this.heads = new Int32Array(rows);
    this.providers = new Int32Array(entries);
    this.next = new Int32Array(entries);
  }

  get entries(): number {
    return this.end;
  }

  add(row: number, providerId: number): void {
    let entry = this.free - 1;
    if (entry >= 0) this.free = this.next[entry];
    else if ((entry = this.end++) === this.next.length) {
      const entries = enlarged(entry);
      this.providers = resized(this.providers, entries);
      this.next = resized(this.next, entries);
    }
    this.providers[entry] = providerId;
    this.next[entry] = this.heads[row];
    this.heads[row] = entry + 1;
  }

  clear(row: number): void {
    for (let entry = this.heads[row] - 1; entry >= 0;) {
      const after = this.next[entry];
      this.next[entry] = this.free;
      this.free = entry + 1;
      entry = after - 1;
    }
    this.heads[row] = 0;
  }

  hasAny(row: number, providerIds: ReadonlySet<number>): boolean {
    for (let entry = this.heads[row] - 1; entry >= 0; entry = this.next[entry] - 1)
      if (providerIds.has(this.providers[entry])) return true;
    return false;
  }

  grow(rows: number): void {
    this.heads = resized(this.heads, rows);
  }
}

/** Returns the next size of columns that are full. */
export function enlarged(length: number): number {
  return Math.ceil(length * 1.125) + 1_024;
}

/** Copies a column into a longer one. New rows contain `rest`. */
export function resized<C extends Int32Array | Float64Array>(column: C, length: number, rest = 0): C {
  const larger = new (column.constructor as new (length: number) => C)(length);
  larger.set(column);
  if (rest !== 0) larger.fill(rest, column.length);
  return larger;
}
