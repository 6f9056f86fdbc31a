import { getOperationAST, getVariableValues, type ExecutionArgs } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

type Coercion = Partial<ReturnType<typeof getVariableValues>>;

const known = new WeakMap<ExecutionArgs, Coercion>();

/** Coerces the variables of an operation, once for all who ask. Stops at the first mistake. */
export function coercion(args: ExecutionArgs): Coercion {
  let found = known.get(args);
  if (found === undefined) known.set(args, (found = coerce(args)));
  return found;
}

/** Returns the variables as resolvers receive them. Null if the operation cannot run; the executor reports why. */
export function coercedVariables(args: ExecutionArgs): Variables | null {
  return coercion(args).coerced ?? null;
}

function coerce({ schema, document, operationName, variableValues }: ExecutionArgs): Coercion {
  const operation = getOperationAST(document, operationName);
  if (!operation || !schema.getRootType(operation.operation)) return {};
  const definitions = operation.variableDefinitions ?? [];
  const found = getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors: 1 });
  if (found.coerced) Reflect.deleteProperty(found.coerced, '__proto__'); // as in Yoga's executor, which cannot set it
  return found;
}
