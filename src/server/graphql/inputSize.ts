import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
} from 'graphql';
import { requestError } from './errorCodes.js';

/** The maximum number of nested lists and objects in variables: a provider tree has two for each level. */
export const MAX_NESTING = 500;

/** The characters of a text that count as one more value. */
const TEXT = 64;

const NO_FIELDS: GraphQLInputFieldMap = {};

type InputType = GraphQLInputType | null | undefined;

/**
 * Counts the values of an input, each list and object included. An object counts one more for each field of its type:
 * the executor reads each of them and adds default values.
 *
 * @throws LIMIT_EXCEEDED if the values are nested too deeply for the recursive functions that read them
 */
export function inputSize(value: unknown, type: InputType, nesting = 1): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (nesting > MAX_NESTING)
    throw requestError(
      'LIMIT_EXCEEDED',
      `The variables have more than ${MAX_NESTING} levels of nested lists and objects.`,
    );
  if (Array.isArray(value)) {
    const list = type && getNullableType(type);
    const inner = isListType(list) ? list.ofType : type;
    return value.reduce<number>((size, item) => size + inputSize(item, inner, nesting + 1), 1);
  }
  const fields = fieldsOf(type);
  let size = 1 + countOf(fields);
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    size += inputSize(inner, Object.hasOwn(fields, name) ? fields[name].type : null, nesting + 1);
  }
  return size;
}

export function sizeOfText({ length }: string): number {
  return 1 + Math.floor(length / TEXT);
}

const fieldCounts = new WeakMap<GraphQLInputFieldMap, number>();

/** Returns the number of fields of an input object, or of the objects in a list. */
export function fieldCount(type: InputType): number {
  return countOf(fieldsOf(type));
}

function countOf(fields: GraphQLInputFieldMap): number {
  let count = fieldCounts.get(fields);
  if (count === undefined) fieldCounts.set(fields, (count = Object.keys(fields).length));
  return count;
}

function fieldsOf(type: InputType): GraphQLInputFieldMap {
  const named = type ? getNamedType(type) : null;
  return isInputObjectType(named) ? named.getFields() : NO_FIELDS;
}
