import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import {
  getNamedType,
  getNullableType,
  GraphQLError,
  isLeafType,
  isListType,
  type GraphQLField,
  type GraphQLFieldResolver,
} from 'graphql';

/** The cost of a field itself, and the factor by which the cost of its selection is multiplied. */
export interface FieldCost {
  readonly field: number;
  readonly multiplier: number;
}

/** The expected length of a list whose field does not state one. */
const TYPICAL_LIST = 5;

/** The cost of a list whose length is part of the cost of a field above it. */
export const COUNTED_ABOVE: FieldCost = { field: 1, multiplier: 1 };

/**
 * The default cost of a field: the number of objects that it is expected to return. Scalars and enums
 * cost nothing.
 */
export function costOfField(
  _args: Record<string, unknown>,
  _context: object,
  field: Pick<GraphQLField<unknown, unknown>, 'type'>,
): FieldCost {
  if (isLeafType(getNamedType(field.type))) return { field: 0, multiplier: 0 };
  return costOfList(isListType(getNullableType(field.type)) ? TYPICAL_LIST : 1);
}

/** The cost of a list that is expected to have `size` objects. */
export function costOfList(size: number): FieldCost {
  return { field: size, multiplier: size };
}

/** The maximum number of objects in a list that is not paged. */
const MAX_LIST = 1_000;

/**
 * The options of a list that is expected to have `size` objects, and may be too long. The alternative is the
 * connection or the filter for too long lists.
 */
export function readInPages(size: number, alternative: string) {
  return { complexity: costOfList(size), extensions: { alternative } };
}

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

/** Returns the number of entries of all lists in an input, at any depth. */
export function entriesIn(input: unknown): number {
  return combinedLengths(input, (one, other) => one + other);
}

/** Returns the length of the longest list in an input, at any depth. */
export function longestListIn(input: unknown): number {
  return combinedLengths(input, Math.max);
}

function combinedLengths(input: unknown, combine: (one: number, other: number) => number): number {
  if (typeof input !== 'object' || input === null) return 0;
  let result = Array.isArray(input) ? input.length : 0;
  for (const entry of Object.values(input)) result = combine(result, combinedLengths(entry, combine));
  return result;
}
