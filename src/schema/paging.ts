import { InvalidInput } from '../engine/invalid.js';
import type { ProviderSource } from './providerSource.js';

/** What a list gives when it is not told how much, and the most that it gives at once. */
export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1000;

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/**
 * Which part of a list to read: `size` objects from the front, or from the back, of what lies between two names.
 * Lists are in the order of the names; as those are unique, the uuid never has to decide.
 */
export interface PageRequest {
  readonly size: number;
  readonly backwards: boolean;
  readonly after: string | null;
  readonly before: string | null;
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
  /** Called only when the count is asked for. */
  readonly totalCount: () => Promise<number>;
}

export type ProviderConnection = Connection<ProviderSource>;

/** Throws InvalidInput for a page that is negative or too large, for both directions at once, and for a bad cursor. */
export function pageRequest({ first, after, last, before }: PageArguments): PageRequest {
  if (first != null && last != null) throw new InvalidInput(['last'], 'give first or last, not both');
  checkSize('first', first);
  checkSize('last', last);
  return {
    size: first ?? last ?? DEFAULT_PAGE,
    backwards: last != null,
    after: after == null ? null : decodeCursor('after', after),
    before: before == null ? null : decodeCursor('before', before),
  };
}

/** Throws InvalidInput for a page that is negative or too large. */
export function checkSize(argument: 'first' | 'last', size: number | null | undefined): void {
  if (size == null || (size >= 0 && size <= LARGEST_PAGE)) return;
  throw new InvalidInput([argument], `${argument} is ${size}; a page has 0 to ${LARGEST_PAGE} objects`);
}

const CURSOR = 'name:';

function encodeCursor({ name }: ProviderSource): string {
  return Buffer.from(CURSOR + name).toString('base64url');
}

function decodeCursor(argument: 'after' | 'before', text: string): string {
  const decoded = Buffer.from(text, 'base64url').toString();
  if (decoded.startsWith(CURSOR)) return decoded.slice(CURSOR.length);
  throw new InvalidInput([argument], `${JSON.stringify(text.slice(0, 60))} is no cursor of this list`);
}

/**
 * The page of a list. `found` holds the objects in the direction of reading, one more than the page's size when
 * there are more.
 */
export function connectionOf(
  { size, backwards, after, before }: PageRequest,
  found: readonly ProviderSource[],
  totalCount: () => Promise<number>,
): ProviderConnection {
  const more = found.length > size;
  const page = found.slice(0, size);
  if (backwards) page.reverse();
  const edges = page.map((node) => ({ cursor: encodeCursor(node), node }));
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
