import { byCodePoint } from '../codePointOrder.js';

/** What lists are ordered by. Null, where there is no such figure, comes last in either direction. */
export type SortKey = string | number | null;

/** The place of an object in a list: a key for each part of the order, the last of which no two objects share. */
export type SortPlace = readonly SortKey[];

/** For each key whether the largest comes first. */
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

/** Which part of an ordered list is wanted: `limit` objects from its front, or its back, of those between two places. */
export interface SortBounds {
  readonly after?: SortPlace | null;
  readonly before?: SortPlace | null;
  readonly backwards?: boolean;
  readonly limit: number;
}
