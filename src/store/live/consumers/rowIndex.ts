import { randomInt } from 'node:crypto';

/** A growing slot table is at most two thirds full. */
const slotsFor = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(16, 1.5 * rows)));

/** Clients choose uuids. A random start prevents keys that are chosen to collide. */
const SEED = randomInt(2 ** 31);

/**
 * Maps keys of `width` 32-bit integers to rows. It takes 4 bytes for each integer of a key and 6 to 12 bytes for each
 * row, and no object for a row, so that garbage collections do not visit it.
 */
export class RowIndex {
  /** The key of each row, one after another. Zeros for a row without a key. */
  keys: Int32Array;
  /** By open addressing: a row plus one. 0 is free. */
  private slots: Int32Array;
  private size = 0;

  constructor(
    private readonly width: number,
    rows: number,
  ) {
    this.keys = new Int32Array(width * rows);
    this.slots = new Int32Array(slotsFor(rows));
  }

  /** Returns the row of a key, or -1. */
  find(key: Int32Array): number {
    return this.slots[this.slotOf(key, 0)] - 1;
  }

  /** Returns whether a row has the key. Always false for a key of zeros, because rows without a key have it. */
  has(key: Int32Array, row: number): boolean {
    return this.isKey(row, key, 0) && key.some((word) => word !== 0);
  }

  /** Adds a key for a row without a key. If another row has the key, returns that row and adds nothing. */
  add(key: Int32Array, row: number): number {
    if (1.5 * (this.size + 1) > this.slots.length) this.enlarge();
    const slot = this.slotOf(key, 0);
    if (this.slots[slot] !== 0) return this.slots[slot] - 1;
    for (let word = 0; word < this.width; word++) this.keys[row * this.width + word] = key[word];
    this.slots[slot] = row + 1;
    this.size++;
    return row;
  }

  /** Removes the key of a row. Moves later entries, so that a search ends at the first free slot. */
  delete(row: number): void {
    const { slots, keys, width } = this;
    const mask = slots.length - 1;
    let free = this.slotOf(keys, row * width);
    if (slots[free] !== row + 1) return;
    for (let at = (free + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const first = this.hash(keys, (slots[at] - 1) * width);
      if (((at - first) & mask) < ((at - free) & mask)) continue;
      slots[free] = slots[at];
      free = at;
    }
    slots[free] = 0;
    keys.fill(0, row * width, (row + 1) * width);
    this.size--;
  }

  /** Makes place for more rows. */
  grow(rows: number): void {
    const { keys } = this;
    this.keys = new Int32Array(this.width * rows);
    this.keys.set(keys);
  }

  private enlarge(): void {
    const rows = this.slots.filter((slot) => slot !== 0);
    this.slots = new Int32Array(slotsFor(2 * rows.length));
    for (const row of rows) this.slots[this.slotOf(this.keys, (row - 1) * this.width)] = row;
  }

  /** Returns the slot of the key at this position of `keys`, or the free slot for it. */
  private slotOf(keys: Int32Array, from: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let at = this.hash(keys, from);
    while (slots[at] !== 0 && !this.isKey(slots[at] - 1, keys, from)) at = (at + 1) & mask;
    return at;
  }

  private isKey(row: number, keys: Int32Array, from: number): boolean {
    const { width } = this;
    for (let word = 0; word < width; word++)
      if (this.keys[row * width + word] !== keys[from + word]) return false;
    return true;
  }

  private hash(keys: Int32Array, from: number): number {
    if (this.width === 1) return keys[from] & (this.slots.length - 1); // ids follow each other
    let hash = SEED;
    for (let word = from; word < from + this.width; word++) {
      hash = Math.imul(hash ^ keys[word], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (this.slots.length - 1);
  }
}
