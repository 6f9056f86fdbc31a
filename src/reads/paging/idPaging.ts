import { checkSize, decodeCursor, DEFAULT_PAGE, forwardPage, type Connection } from './paging.js';

/** Which part of a list in the order of ids to read. */
export interface IdPage {
  readonly size: number;
  /** Only what has a higher id. */
  readonly after: number;
}

/** Throws InvalidInput for a page that is negative or too large, and for a bad cursor. */
export function idPage({
  first,
  after,
}: {
  readonly first?: number | null;
  readonly after?: string | null;
}): IdPage {
  checkSize('first', first);
  return {
    size: first ?? DEFAULT_PAGE,
    after: after == null ? -1 : Number(decodeCursor('after', after, CURSOR)[0]),
  };
}

const CURSOR = /^id:(\d{1,15})$/;

/** The page of a list; `found` has one object more than the page when there are more. */
export function idConnection<T extends { readonly id: number }>(
  { size, after }: IdPage,
  found: readonly T[],
  totalCount: () => Promise<number>,
): Connection<T> {
  return forwardPage({ size, isFirst: after < 0 }, found, ({ id }) => `id:${id}`, totalCount);
}
