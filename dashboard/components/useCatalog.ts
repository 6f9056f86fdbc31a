import { useMemo } from 'react';
import { useQuery } from 'urql';
import { CatalogDocument } from '../generated/common/operations';

/** The names that completion offers. */
export interface Catalog {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
  /** The names of the named aggregates. */
  readonly aggregates: readonly string[];
  /** The uuids of the other aggregates. */
  readonly unnamed: readonly string[];
  /** Whether there are more aggregates than the catalog contains. */
  readonly hasMoreAggregates: boolean;
}

export function useCatalog(): Catalog {
  const [{ data }] = useQuery({ query: CatalogDocument });
  return useMemo(
    () => ({
      classes: data?.resourceClasses?.map(({ name }) => name) ?? [],
      traits: data?.traits?.map(({ name }) => name) ?? [],
      unnamed: data?.aggregates?.nodes.flatMap(({ uuid, name }) => (name === null ? uuid : [])) ?? [],
      hasMoreAggregates: data?.aggregates?.pageInfo.hasNextPage ?? false,
      aggregates: data?.aggregates?.nodes.flatMap(({ name }) => name ?? []) ?? [],
    }),
    [data],
  );
}
