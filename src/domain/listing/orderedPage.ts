import {
  compareKeys,
  comparePlaces,
  type Directions,
  type SortBounds,
  type SortKey,
  type SortPlace,
} from './sortKeys.js';

/** An object of a list, and its place there. */
export interface Placed<T> {
  readonly item: T;
  readonly place: SortPlace;
}

/** The order of a list: for each key how it is worked out. No two objects have the same last key. */
export interface ListKeys<T> {
  readonly keyOf: readonly ((item: T) => SortKey)[];
  readonly directions: Directions;
}

/**
 * One page of an ordered list, picked from objects that come in any order. Holds little more than the page, and works out no more keys
 * of an object than decide whether it is on it.
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

  /** What does not come before it, in the direction of reading, is not wanted; null while the page is not full. */
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

  /** Adds an object that is wanted. */
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
