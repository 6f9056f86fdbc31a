import { InvalidInput } from '../../model/input.js';
import type { OrderEntry } from '../../model/listing/listOrder.js';
import type { SortKey, SortPlace } from '../../model/listing/orderedPage.js';

/** The default and the maximum number of objects on a page. */
export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1000;

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** A part of a list: the first `size` objects between two places, or the last if `backwards`. */
export interface Page<Place> {
  readonly size: number;
  readonly backwards: boolean;
  readonly after: Place | null;
  readonly before: Place | null;
}

/** The order of a list. A cursor names an object's place in it. No two objects have the same place. */
export interface ListOrder<T, Place> {
  /** Matches its cursors, with a group for each part of the place. */
  readonly pattern: RegExp;
  /** Returns null if the parts are not a place of this list. */
  readonly place: (...parts: string[]) => Place | null;
  readonly cursor: (node: T) => string;
}

/** The order of names or uuids. */
export function orderOfNames<T>(nameOf: (node: T) => string): ListOrder<T, string> {
  return { pattern: /^name:(.*)$/s, place: (name) => name, cursor: (node) => `name:${nameOf(node)}` };
}

export const ORDER_OF_NAMES = orderOfNames(({ name }: { readonly name: string }) => name);

/** The order of ids, which is the order of age. */
export const ORDER_OF_IDS: ListOrder<{ readonly id: number }, number> = {
  pattern: /^id:(\d{1,15})$/,
  place: Number,
  cursor: ({ id }) => `id:${id}`,
};

/**
 * The order that a client asks for. A cursor holds the keys of an object, so that it stays valid if the object is
 * deleted, and the order, so that a cursor of another order is rejected.
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

/** Selects the first or last `limit` objects between two places. */
export interface Bounds<Place> extends Omit<Page<Place>, 'size'> {
  readonly limit: number;
}

/** Returns the bounds of the objects to find: one more than the page size, to detect more. */
export function boundsOf<Place>({ size, ...bounds }: Page<Place>): Bounds<Place> {
  return { ...bounds, limit: size + 1 };
}

/** One page of a list. */
export interface Connection<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: () => Promise<number>;
}

/** @throws InvalidInput for a negative or too large page, both directions at once, and a bad cursor */
export function pageOf<Place>(
  order: Pick<ListOrder<never, Place>, 'pattern' | 'place'>,
  { first, after, last, before }: PageArguments,
): Page<Place> {
  if (first != null && last != null) throw new InvalidInput(['last'], 'give first or last, not both');
  checkSize('first', first);
  checkSize('last', last);
  const place = (argument: 'after' | 'before', cursor: string | null | undefined): Place | null => {
    if (cursor == null) return null;
    const [, ...parts] = order.pattern.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    const found = parts.length > 0 ? order.place(...parts) : null;
    if (found === null) throw badCursor(argument, cursor);
    return found;
  };
  return {
    size: first ?? last ?? DEFAULT_PAGE,
    backwards: last != null,
    after: place('after', after),
    before: place('before', before),
  };
}

function checkSize(argument: 'first' | 'last', size: number | null | undefined): void {
  if (size == null || (size >= 0 && size <= LARGEST_PAGE)) return;
  throw new InvalidInput([argument], `${argument} is ${size}; a page has 0 to ${LARGEST_PAGE} objects`);
}

function badCursor(argument: string, text: string): InvalidInput {
  return new InvalidInput([argument], `${JSON.stringify(text.slice(0, 60))} is not a cursor of this list`);
}

/** @throws InvalidInput for a cursor with a key that no object of the list can have */
export async function checkBounds<Key>(
  { after, before }: Readonly<Record<'after' | 'before', Key | null>>,
  canExist: (key: Key) => Promise<boolean>,
): Promise<void> {
  for (const [argument, key] of Object.entries({ after, before }))
    if (key !== null && !(await canExist(key))) throw badCursor(argument, JSON.stringify(key));
}

/**
 * Makes the page of a list. `found` holds the objects in the direction of reading, one more than the page's
 * size if there are more.
 */
export function connectionOf<T>(
  order: ListOrder<T, unknown>,
  { size, backwards, after, before }: Page<unknown>,
  found: readonly T[],
  totalCount: () => Promise<number>,
): Connection<T> {
  const more = found.length > size;
  const nodes = found.slice(0, size);
  if (backwards) nodes.reverse();
  const edges = nodes.map((node) => ({
    cursor: Buffer.from(order.cursor(node)).toString('base64url'),
    node,
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: backwards ? before !== null : more,
      hasPreviousPage: backwards ? more : after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
}

/** Replaces the objects of a page. */
export function mapNodes<T, U>({ edges, ...page }: Connection<T>, change: (node: T) => U): Connection<U> {
  return { ...page, edges: edges.map(({ cursor, node }) => ({ cursor, node: change(node) })) };
}
