import { getNamedType, getNullableType, isLeafType, isListType, type GraphQLField } from 'graphql';

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

/** Returns the number of entries of all lists in an input, at any depth. */
export function entriesIn(input: unknown): number {
  if (typeof input !== 'object' || input === null) return 0;
  const entries: unknown[] = Object.values(input);
  return entries.reduce(
    (sum: number, entry) => sum + entriesIn(entry),
    Array.isArray(input) ? input.length : 0,
  );
}

/** Returns the length of the longest list in an input, at any depth. */
export function longestListIn(input: unknown): number {
  if (typeof input !== 'object' || input === null) return 0;
  const entries: unknown[] = Object.values(input);
  return entries.reduce(
    (longest: number, entry) => Math.max(longest, longestListIn(entry)),
    Array.isArray(input) ? input.length : 0,
  );
}
