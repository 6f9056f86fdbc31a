/** Null if the object does not have the value. Null comes last in either direction. */
export type SortKey = string | number | null;

/**
 * The position of an object in a list: one key for each part of the order. No two objects share the last
 * key.
 */
export type SortPlace = readonly SortKey[];

/** Contains true for each key that sorts in descending order. */
export type Directions = readonly boolean[];

export function compareKeys(one: SortKey, other: SortKey, isDescending: boolean): number {
  if (typeof one === 'number' && typeof other === 'number') return isDescending ? other - one : one - other;
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order = byCodePoint(String(one), String(other));
  return isDescending ? -order : order;
}

export function comparePlaces(one: SortPlace, other: SortPlace, directions: Directions): number {
  for (let at = 0; at < directions.length; at++) {
    const order = compareKeys(one[at], other[at], directions[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Selects the first `limit` objects between `after` and `before`, or the last if `backwards`. */
export interface SortBounds {
  readonly after?: SortPlace | null;
  readonly before?: SortPlace | null;
  readonly backwards?: boolean;
  readonly limit: number;
}

export interface Placed<T> {
  readonly item: T;
  readonly place: SortPlace;
}

/** The order of a list: one function per key. No two objects share the last key. */
export interface ListKeys<T> {
  readonly keyOf: readonly ((item: T) => SortKey)[];
  readonly directions: Directions;
}

/**
 * Selects one page of an ordered list from objects in any order. Holds at most about twice as many objects
 * as the page, and computes only the keys that it needs.
 */
export class OrderedPage<T> {
  private found: Placed<T>[] = [];
  private isSorted = true;
  private last: SortPlace | null = null;
  private readonly direction: 1 | -1;

  constructor(
    private readonly keys: ListKeys<T>,
    private readonly bounds: SortBounds,
  ) {
    this.direction = bounds.backwards ? -1 : 1;
  }

  /** The page rejects objects from this place on. Null while the page is not full. */
  get threshold(): SortPlace | null {
    return this.last;
  }

  isWanted(item: T): boolean {
    const { after = null, before = null } = this.bounds;
    return (
      (this.last === null || this.direction * this.compare(item, this.last) < 0) &&
      (after === null || this.compare(item, after) > 0) &&
      (before === null || this.compare(item, before) < 0)
    );
  }

  /** `isWanted(item)` must be true. */
  add(item: T): void {
    this.found.push({ item, place: this.keys.keyOf.map((keyOf) => keyOf(item)) });
    this.isSorted = false;
    if (this.found.length > 2 * this.bounds.limit + 1) this.sort();
  }

  /** The objects of the page in reading order, which is reversed if `backwards`. */
  get rows(): readonly Placed<T>[] {
    if (!this.isSorted) this.sort();
    return this.found;
  }

  private compare(item: T, place: SortPlace): number {
    const { keyOf, directions } = this.keys;
    for (let at = 0; at < directions.length; at++) {
      const order = compareKeys(keyOf[at](item), place[at], directions[at]);
      if (order !== 0) return order;
    }
    return 0;
  }

  private sort(): void {
    const { directions } = this.keys;
    this.found.sort((one, other) => this.direction * comparePlaces(one.place, other.place, directions));
    this.found = this.found.slice(0, this.bounds.limit);
    this.isSorted = true;
    if (this.found.length === this.bounds.limit) this.last = this.found.at(-1)?.place ?? null;
  }
}

/** Compares by code point, as the database's binary collation does. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates represent code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return byCodePoint(a.name, b.name);
}
