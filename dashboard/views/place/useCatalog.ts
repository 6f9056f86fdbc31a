import { useMemo } from 'react';
import { useQuery } from 'urql';
import { PlaceCatalogDocument } from '../../generated/place/operations';

/** The names that completion offers. */
export interface Catalog {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

export function useCatalog(): Catalog {
  const [{ data }] = useQuery({ query: PlaceCatalogDocument });
  return useMemo(
    () => ({
      classes: data?.resourceClasses?.map(({ name }) => name) ?? [],
      traits: data?.traits?.map(({ name }) => name) ?? [],
      aggregates: data?.aggregates?.nodes.flatMap(({ name }) => name ?? []) ?? [],
    }),
    [data],
  );
}
