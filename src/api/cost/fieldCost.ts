import { getNamedType, getNullableType, isLeafType, isListType, type GraphQLField } from 'graphql';

/** The cost of a field itself, and the factor by which the cost of its selection is multiplied. */
export interface FieldCost {
  readonly field: number;
  readonly multiplier: number;
}

/** The cost of a field: fixed, or a function of its arguments. A number is a cost with the multiplier 1. */
export type Complexity<Args = object, OfSchema = object> =
  | FieldCost
  | number
  | ((args: Args, context: OfSchema, field: GraphQLField<unknown, unknown>) => FieldCost | number);

/** The expected length of a list whose field does not state one. */
const TYPICAL_LIST = 5;

/** The cost of a list whose length is part of the cost of a field above it. */
export const COUNTED_ABOVE: FieldCost = { field: 1, multiplier: 1 };

/** The cost of a long scalar. An operation also charges for text when it is resolved. */
export const LONG_SCALAR: FieldCost = { field: 1, multiplier: 0 };

/**
 * The default cost of a field: the number of objects that it is expected to return. Scalars and enums
 * cost nothing, and a list of them costs as much as an object.
 */
export function costOfField(
  _args: Record<string, unknown>,
  _context: object,
  field: Pick<GraphQLField<unknown, unknown>, 'type'>,
): FieldCost {
  const isList = isListType(getNullableType(field.type));
  if (isLeafType(getNamedType(field.type))) return { field: isList ? 1 : 0, multiplier: 0 };
  return costOfList(isList ? TYPICAL_LIST : 1);
}

/** The cost of a list that is expected to have `size` objects. */
export function costOfList(size: number): FieldCost {
  return { field: size, multiplier: size };
}

/**
 * The options of a list without pages that is expected to have `size` objects, and may have many more. Its length is
 * charged. `alternative` is the connection or the filter that an operation can read instead if it costs too much.
 */
export function readInPages(size: number, alternative: string) {
  return { complexity: costOfList(size), extensions: { alternative } };
}

/** Returns the number of entries of all lists in an input, at any depth. */
export function entriesIn(input: unknown): number {
  return combinedLengths(input, (one, other) => one + other);
}

/** Returns the length of the longest list in an input, at any depth. */
export function longestListIn(input: unknown): number {
  return combinedLengths(input, Math.max);
}

/** Reads each list once, however often the input contains it: a variable may occur thousands of times. */
function combinedLengths(input: unknown, combine: (one: number, other: number) => number): number {
  const known = new Map<readonly unknown[], number>();
  const lengthOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    let length = 0;
    if (!Array.isArray(value)) {
      const fields = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(fields)) length = combine(length, lengthOf(fields[name]));
      return length;
    }
    const earlier = known.get(value);
    if (earlier !== undefined) return earlier;
    length = value.length;
    for (const entry of value) length = combine(length, lengthOf(entry));
    known.set(value, length);
    return length;
  };
  return lengthOf(input);
}

/** The cost of an entry of a list of conditions: a search may compare it with every provider. */
const COST_OF_ENTRY = 10;

/** Returns the cost of the size of requests or filters, in which a variable counts at each reference. */
export function costOfEntries(input: unknown): number {
  return COST_OF_ENTRY * entriesIn(input);
}
