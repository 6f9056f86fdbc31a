import { useCallback, useMemo } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';

/** New values of query parameters. Null removes a parameter. */
export type AddressChanges = Readonly<Record<string, string | null>>;

/** `push` adds an entry to the browser history; `replace` replaces the current one. */
type HistoryMode = 'push' | 'replace';

/**
 * Returns the query string, a function that changes parts of it, and one that replaces it. Reads the
 * address of the browser, because the router decodes it twice: a `%` in a name would be lost.
 */
export function useAddress(): [URLSearchParams, typeof changeAddress, typeof replaceAddress] {
  return [useParameters(), changeAddress, replaceAddress];
}

/** Returns the parameters of the query string. */
export function useParameters(): URLSearchParams {
  const search = useSearch();
  return useMemo(() => new URLSearchParams(search), [search]);
}

function changeAddress(changes: AddressChanges, mode: HistoryMode = 'replace'): void {
  const after = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes))
    if (value === null) after.delete(name);
    else after.set(name, value);
  replaceAddress(after, mode);
}

export function replaceAddress(address: URLSearchParams, mode: HistoryMode = 'replace'): void {
  const search = address.toString();
  navigate(location.pathname + (search && `?${search}`), { replace: mode === 'replace' });
}

/**
 * Keeps a part of the view's state in the query string, so that a link shows the same view. The
 * address omits the value while it equals `standard`.
 */
export function useAddressState(name: string, standard = ''): [string, (value: string) => void] {
  const params = useParameters();
  const set = useCallback(
    (value: string) => changeAddress({ [name]: value === standard ? null : value }),
    [name, standard],
  );
  return [params.get(name) ?? standard, set];
}

/** Returns the name or uuid at the end of the path. Unlike a parameter of wouter it may contain any character. */
export function useNameInPath(): string {
  const name = usePathname().split('/').at(-1)!;
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a `%` that somebody typed into the address
  }
}
