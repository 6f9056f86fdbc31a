import { useAddress, type AddressChanges } from '../../components/addressState';
import type { Sorting } from '../../components/dataTable';
import type { OrderDirection, PageEndsFragment } from '../../generated/consumers/operations';

const PAGE = 50;

/** The part of a list that is asked for, as its query takes it. */
export type PageVariables =
  | { readonly first: number; readonly after: string | null }
  | { readonly last: number; readonly before: string };

/** Leads to the first page: what else is listed, or in another order, has other cursors. */
export const FIRST_PAGE: AddressChanges = { after: null, before: null };

/** The page that the address names by a cursor. */
export function pageOf(address: URLSearchParams): PageVariables {
  const before = address.get('before');
  return before === null ? { first: PAGE, after: address.get('after') } : { last: PAGE, before };
}

/** The order that the address names: a field, with a minus before it where it falls. */
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

/** Where the pages beside this one are; null where there is none. */
export function neighboursOf(ends: PageEndsFragment, address: URLSearchParams) {
  const hasPrevious = ends.hasPreviousPage || address.has('after');
  return {
    previous: hasPrevious && ends.startCursor !== null ? { ...FIRST_PAGE, before: ends.startCursor } : null,
    next: ends.hasNextPage && ends.endCursor !== null ? { ...FIRST_PAGE, after: ends.endCursor } : null,
  };
}
