import { useAddress, type AddressChanges } from '../../components/addressState';
import type { Sorting } from '../../components/dataTable';
import type { OrderDirection, PageEndsFragment } from '../../generated/consumers/operations';

const PAGE = 50;

/** The variables that select a page of a list. */
export type PageVariables =
  | { readonly first: number; readonly after: string | null }
  | { readonly last: number; readonly before: string };

/** Leads to the first page. A cursor is valid only for one filter and one order. */
export const FIRST_PAGE: AddressChanges = { after: null, before: null };

/** Returns the page at the cursor of the address. */
export function pageOf(address: URLSearchParams): PageVariables {
  const before = address.get('before');
  return before === null ? { first: PAGE, after: address.get('after') } : { last: PAGE, before };
}

/** Reads the order from the address: a field, with a minus before it for a descending order. */
export function useSorting(standard: string): [Sorting, (sorting: Sorting) => void] {
  const [address, change] = useAddress();
  const order = address.get('order') ?? standard;
  const sort = ({ key, isDescending }: Sorting): void => {
    const next = `${isDescending ? '-' : ''}${key}`;
    change({ ...FIRST_PAGE, order: next === standard ? null : next }, 'push');
  };
  return [{ key: order.replace(/^-/, ''), isDescending: order.startsWith('-') }, sort];
}

export const directionOf = ({ isDescending }: Sorting): OrderDirection => (isDescending ? 'DESC' : 'ASC');

/** Returns the address changes for the previous and the next page; null if there is none. */
export function neighboursOf(ends: PageEndsFragment, address: URLSearchParams) {
  const hasPrevious = ends.hasPreviousPage || address.has('after');
  return {
    previous: hasPrevious && ends.startCursor !== null ? { ...FIRST_PAGE, before: ends.startCursor } : null,
    next: ends.hasNextPage && ends.endCursor !== null ? { ...FIRST_PAGE, after: ends.endCursor } : null,
  };
}
