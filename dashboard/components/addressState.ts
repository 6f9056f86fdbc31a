import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';

/** New values of parts of the query string; null leaves a part out. */
export type AddressChanges = Readonly<Record<string, string | null>>;

/** Whether a change is a new page of the history, to which Back leads, or replaces the page. */
type HistoryMode = 'push' | 'replace';

/** Returns the query string, and functions that change parts of it at once, or all of it. */
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
 * A part of the view's state in the query string, so that a link leads to the same picture. The address omits it while it is
 * `standard`.
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
