import { InvalidInput } from '../engine/invalid.js';
import { checkSize, DEFAULT_PAGE, type Connection } from './paging.js';

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
  return { size: first ?? DEFAULT_PAGE, after: after == null ? -1 : decodeCursor(after) };
}

/** The page of a list; `found` has one object more than the page when there are more. */
export function idConnection<T extends { readonly id: number }>(
  { size, after }: IdPage,
  found: readonly T[],
  totalCount: () => Promise<number>,
): Connection<T> {
  const edges = found.slice(0, size).map((node) => ({ cursor: encodeCursor(node.id), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > size,
      hasPreviousPage: after >= 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  };
}

function encodeCursor(id: number): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

function decodeCursor(text: string): number {
  const [, digits] = /^id:(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new InvalidInput(['after'], `${JSON.stringify(text.slice(0, 60))} is no cursor of this list`);
}
