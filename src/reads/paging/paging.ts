import { InvalidInput } from '../../domain/invalidInput.js';

/** What a list gives when it is not told how much, and the most that it gives at once. */
export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1000;

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** Which part of a list to read: `size` objects from the front, or the back, of what is between places. */
export interface Page<Place> {
  readonly size: number;
  readonly backwards: boolean;
  readonly after: Place | null;
  readonly before: Place | null;
}

/** The order of a list, by which a cursor names an object's place. No two objects have the same place. */
export interface ListOrder<T, Place> {
  /** What its cursors look like, with a group for each part of the place. */
  readonly pattern: RegExp;
  /** Null: they make no place of this list. */
  readonly place: (...parts: string[]) => Place | null;
  readonly cursor: (node: T) => string;
}

/** The order of names or uuids. */
export function orderOfNames<T>(nameOf: (node: T) => string): ListOrder<T, string> {
  return { pattern: /^name:(.*)$/s, place: (name) => name, cursor: (node) => `name:${nameOf(node)}` };
}

export const ORDER_OF_NAMES = orderOfNames(({ name }: { readonly name: string }) => name);

/** The order of ids, which is that of age. */
export const ORDER_OF_IDS: ListOrder<{ readonly id: number }, number> = {
  pattern: /^id:(\d{1,15})$/,
  place: Number,
  cursor: ({ id }) => `id:${id}`,
};

/** One page of a list. */
export interface Connection<T> {
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  /** Called only when the count is asked for. */
  readonly totalCount: () => Promise<number>;
}

/** Throws InvalidInput for a negative or too large page, both directions at once, and a bad cursor. */
export function pageOf<Place>(
  order: Pick<ListOrder<never, Place>, 'pattern' | 'place'>,
  { first, after, last, before }: PageArguments,
): Page<Place> {
  if (first != null && last != null) throw new InvalidInput(['last'], 'give first or last, not both');
  checkSize('first', first);
  checkSize('last', last);
  const place = (argument: 'after' | 'before', cursor: string | null | undefined): Place | null =>
    cursor == null ? null : decodeCursor(argument, cursor, order);
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

function decodeCursor<Place>(
  argument: 'after' | 'before',
  text: string,
  order: Pick<ListOrder<never, Place>, 'pattern' | 'place'>,
): Place {
  const [, ...parts] = order.pattern.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const place = parts.length > 0 ? order.place(...parts) : null;
  if (place !== null) return place;
  throw new InvalidInput([argument], `${JSON.stringify(text.slice(0, 60))} is no cursor of this list`);
}

/**
 * The page of a list. `found` holds the objects in the direction of reading, one more than the page's size
 * when there are more. Cursors are opaque to clients.
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

/** The same page of other objects. */
export function mapNodes<T, U>({ edges, ...page }: Connection<T>, change: (node: T) => U): Connection<U> {
  return { ...page, edges: edges.map(({ cursor, node }) => ({ cursor, node: change(node) })) };
}
