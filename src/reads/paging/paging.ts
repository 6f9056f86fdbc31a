import { InvalidInput } from '../../domain/invalidInput.js';
import type { ProviderSource } from '../provider/providerSource.js';

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

/** A page that was read forwards; `found` has one object more than the page when there are more. */
export function forwardPage<T>(
  { size, isFirst }: { readonly size: number; readonly isFirst: boolean },
  found: readonly T[],
  cursorOf: (node: T) => string,
  totalCount: () => Promise<number>,
): Connection<T> {
  const edges = found.slice(0, size).map((node) => ({ cursor: encodeCursor(cursorOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: !isFirst,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
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
    after: after == null ? null : decodeCursor('after', after, NAME_CURSOR)[0],
    before: before == null ? null : decodeCursor('before', before, NAME_CURSOR)[0],
  };
}

/** Throws InvalidInput for a page that is negative or too large. */
export function checkSize(argument: 'first' | 'last', size: number | null | undefined): void {
  if (size == null || (size >= 0 && size <= LARGEST_PAGE)) return;
  throw new InvalidInput([argument], `${argument} is ${size}; a page has 0 to ${LARGEST_PAGE} objects`);
}

/** Cursors are opaque to clients. */
function encodeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

/** What a cursor says, by the groups of the pattern that it must have. */
export function decodeCursor(argument: 'after' | 'before', text: string, pattern: RegExp): string[] {
  const [, ...parts] = pattern.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (parts.length > 0) return parts;
  throw new InvalidInput([argument], `${JSON.stringify(text.slice(0, 60))} is no cursor of this list`);
}

const NAME_CURSOR = /^name:(.*)$/s;

function nameCursor(name: string): string {
  return `name:${name}`;
}

/** The page of a list in the order of names that was read forwards. */
export function namePage<T>(
  { size, after }: PageRequest,
  found: readonly T[],
  nameOf: (node: T) => string,
  totalCount: () => Promise<number>,
): Connection<T> {
  return forwardPage(
    { size, isFirst: after === null },
    found,
    (node) => nameCursor(nameOf(node)),
    totalCount,
  );
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
  const edges = page.map((node) => ({ cursor: encodeCursor(nameCursor(node.name)), node }));
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
