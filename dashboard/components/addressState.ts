import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** New values of parts of the query string; null leaves a part out. */
export type AddressChanges = Readonly<Record<string, string | null>>;

/** The query string, and functions that change parts of it at once, or all of it. Changes do not fill the history. */
export function useAddress(): [
  URLSearchParams,
  (changes: AddressChanges) => void,
  (address: URLSearchParams) => void,
] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: AddressChanges) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes))
            if (value === null) after.delete(name);
            else after.set(name, value);
          return after;
        },
        { replace: true },
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
 * A part of what a view shows that is kept in the query string, so that a link leads to the same picture. Leaves it out of the address
 * while it is `standard`.
 */
export function useAddressState(name: string, standard = ''): [string, (value: string) => void] {
  const [params, change] = useAddress();
  const set = useCallback(
    (value: string) => change({ [name]: value === standard ? null : value }),
    [name, standard, change],
  );
  return [params.get(name) ?? standard, set];
}
