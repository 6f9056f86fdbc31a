import type { OrderEntry } from '../../domain/listing/listOrder.js';
import type { SortBounds, SortKey, SortPlace } from '../../domain/listing/sortKeys.js';
import type { ListOrder, Page } from './paging.js';

/**
 * The order that a client asks for. A cursor holds the keys of an object, the last of which only that one has, so that it marks a
 * place also when the object is gone; and the order, so that a cursor of another order is rejected.
 */
export function orderOfKeys<T extends { readonly place: SortPlace }>(
  orderBy: readonly OrderEntry[],
  keys = orderBy.length + 1,
): ListOrder<T, SortPlace> {
  const name = orderBy
    .map(({ field, direction, resourceClass }) => `${field} ${direction} ${resourceClass ?? ''}`.trim())
    .join(', ');
  return {
    pattern: /^by ([^:]*):(.*)$/s,
    place: (order, place) => (order === name ? placeOf(place, keys) : null),
    cursor: ({ place }) => `by ${name}:${JSON.stringify(place)}`,
  };
}

function placeOf(text: string, keys: number): SortPlace | null {
  try {
    const place: unknown = JSON.parse(text);
    return Array.isArray(place) && place.length === keys && place.every(isKey) ? place : null;
  } catch {
    return null;
  }
}

function isKey(value: unknown): value is SortKey {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

/** What has to be found for a page: one object more than it has, to know whether there are more. */
export function boundsOf({ size, ...bounds }: Page<SortPlace>): SortBounds {
  return { ...bounds, limit: size + 1 };
}
