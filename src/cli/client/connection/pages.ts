/** A page of a list of the server. */
interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const LARGEST_PAGE = 1_000;

/**
 * A list of the server, page by page, as far as it is wanted.
 *
 * @param read gives the page of this size behind this cursor; nothing where what has the list is not there
 */
export async function allPages<Node>(
  read: (page: { first: number; after: string | null }) => Promise<Page<Node> | null | undefined>,
  limit = Infinity,
): Promise<Node[]> {
  const all: Node[] = [];
  for (let after: string | null = null; ;) {
    const page = await read({ first: Math.min(LARGEST_PAGE, limit - all.length), after });
    all.push(...(page?.nodes ?? []));
    if (!page?.pageInfo.hasNextPage || all.length >= limit) return all;
    after = page.pageInfo.endCursor;
  }
}
