import { getNamedType, getNullableType, isLeafType, isListType, type GraphQLField } from 'graphql';

/** What a field costs by itself, and by how much it multiplies what is selected of it. */
export interface FieldCost {
  readonly field: number;
  readonly multiplier: number;
}

/** How many objects a list is taken to have when its field does not say. */
export const TYPICAL_LIST = 5;

/**
 * The cost of a field that states none: the number of objects that it is expected to give; plain values cost
 * nothing. What is selected of a list counts once for each of its objects.
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
