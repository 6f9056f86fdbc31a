import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { buildSchema } from '../../src/api/schema.js';

let schema: GraphQLSchema | undefined;

/**
 * Wraps the uuids in a value of an input type as references, `{ uuid }`, and lists of allocations as `{ providers }`.
 * Models and oracles work with uuids and lists.
 */
export function withReferences(typeName: string, value: object): object {
  schema ??= buildSchema();
  return wrapped(schema.getType(typeName) as GraphQLInputType, value) as object;
}

function wrapped(type: GraphQLInputType, value: unknown): unknown {
  const nullable = getNullableType(type);
  if (value == null) return value;
  if (Array.isArray(value) && nullable.toString() === 'AllocationsInput')
    return wrapped(type, { providers: value });
  if (Array.isArray(value))
    return value.map((each) => wrapped(isListType(nullable) ? nullable.ofType : type, each));
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return value;
  if (typeof value === 'string') return { uuid: value };
  const fields = named.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name in fields ? wrapped(fields[name].type, each) : each,
    ]),
  );
}

/** Returns the input type of a mutation: `CreateTraitInput` for `createTrait`. */
export function inputTypeOf(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
}
