import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';

/** New values of query parameters. Null removes a parameter. */
export type AddressChanges = Readonly<Record<string, string | null>>;

/** `push` adds an entry to the browser history; `replace` replaces the current one. */
type HistoryMode = 'push' | 'replace';

/** Returns the query string, a function that changes parts of it, and one that replaces it. */
export function useAddress(): [
  URLSearchParams,
  (changes: AddressChanges, mode?: HistoryMode) => void,
  (address: URLSearchParams) => void,
] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: AddressChanges, mode: HistoryMode = 'replace') =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes))
            if (value === null) after.delete(name);
            else after.set(name, value);
          return after;
        },
        { replace: mode === 'replace' },
      ),
    [setParams],
  );
  const replace = useCallback(
    (address: URLSearchParams) => setParams(address, { replace: true }),
    [setParams],
  );
  return [params, change, replace];
}

/**
 * Keeps a part of the view's state in the query string, so that a link shows the same view. The
 * address omits the value while it equals `standard`.
 */
export function useAddressState(name: string, standard = ''): [string, (value: string) => void] {
  const [params, change] = useAddress();
  const set = useCallback(
    (value: string) => change({ [name]: value === standard ? null : value }),
    [name, standard, change],
  );
  return [params.get(name) ?? standard, set];
}

/** Returns the name or uuid at the end of the path. Unlike a parameter of wouter it may contain any character. */
export const useNameInPath = (): string => decodeURIComponent(usePathname().split('/').at(-1)!);
