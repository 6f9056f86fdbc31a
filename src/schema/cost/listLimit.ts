import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import { GraphQLError, type GraphQLFieldResolver } from 'graphql';
import { COUNTED_ABOVE } from './fieldCost.js';

/** The maximum number of objects in a list that is not paged. */
const MAX_LIST = 1_000;

/** The extension of a list field that names the connection or the filter for too long lists. */
export const readInPages = (alternative: string) => ({ alternative });

/** The extension of a list field whose length is limited, and charged for, by a field above it. */
export const BOUNDED_ABOVE = { isBounded: true };

/**
 * Rejects lists of objects that are longer than {@link MAX_LIST} with LIMIT_EXCEEDED. Lists whose length is
 * part of the cost of a field above them, or limited by it, are exempt.
 */
export function limitedList<OfSchema, Types extends SchemaTypes>(
  resolver: GraphQLFieldResolver<unknown, OfSchema, object>,
  { name, type, extensions }: Pick<PothosOutputFieldConfig<Types>, 'name' | 'type' | 'extensions'>,
): GraphQLFieldResolver<unknown, OfSchema, object> {
  if (type.kind !== 'List' || type.type.kind === 'Scalar' || type.type.kind === 'Enum') return resolver;
  if (extensions?.complexity === COUNTED_ABOVE || extensions?.isBounded === true) return resolver;
  const alternative = extensions?.alternative as string | undefined;
  const checked = (list: unknown): unknown => {
    if (!Array.isArray(list) || list.length <= MAX_LIST) return list;
    const message = `${name} has ${list.length} entries; a list has at most ${MAX_LIST}.`;
    throw new GraphQLError(alternative === undefined ? message : `${message} Read ${alternative} instead.`, {
      extensions: { code: 'LIMIT_EXCEEDED' },
    });
  };
  return (...call): unknown => {
    const list = resolver(...call);
    return list instanceof Promise ? list.then(checked) : checked(list);
  };
}
