import { byCodePoint } from '../codePointOrder.js';

/** A value that lists are ordered by. Null, for an object without the value, comes last in either direction. */
export type SortKey = string | number | null;

/** The place of an object in a list: a key for each part of the order. No two objects share the last key. */
export type SortPlace = readonly SortKey[];

/** For each key, whether the largest comes first. */
export type Directions = readonly boolean[];

export function compareKeys(one: SortKey, other: SortKey, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : byCodePoint(String(one), String(other));
  return isDescending ? -order : order;
}

export function comparePlaces(one: SortPlace, other: SortPlace, directions: Directions): number {
  for (let at = 0; at < directions.length; at++) {
    const order = compareKeys(one[at], other[at], directions[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A part of an ordered list: the first `limit` objects between two places, or the last if `backwards`. */
export interface SortBounds {
  readonly after?: SortPlace | null;
  readonly before?: SortPlace | null;
  readonly backwards?: boolean;
  readonly limit: number;
}

/** An object of a list, and its place there. */
export interface Placed<T> {
  readonly item: T;
  readonly place: SortPlace;
}

/** The order of a list: one function for each key. No two objects have the same last key. */
export interface ListKeys<T> {
  readonly keyOf: readonly ((item: T) => SortKey)[];
  readonly directions: Directions;
}

/**
 * Selects one page of an ordered list from objects that come in any order. It holds at most about twice as
 * many objects as the page, and computes only the keys that decide whether an object is on the page.
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

  /** Only objects before this place, in the direction of reading, are wanted. Null while the page is not full. */
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

  /** Adds an object for which `isWanted` is true. */
  add(item: T): void {
    this.found.push({ item, place: this.keys.keyOf.map((keyOf) => keyOf(item)) });
    this.isSorted = false;
    if (this.found.length > 2 * this.bounds.limit + 1) this.sort();
  }

  /** In the direction of reading. */
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
