import { getOperationAST, getVariableValues, type ExecutionArgs, type VariableDefinitionNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

type Coercion = Partial<ReturnType<typeof getVariableValues>>;

const known = new WeakMap<ExecutionArgs, Coercion>();

const NO_VARIABLES: Coercion = { coerced: Object.freeze({}) };

/** Coerces the variables of an operation, once for all who ask. Stops at the first mistake. */
export function coercion(args: ExecutionArgs): Coercion {
  const operation = getOperationAST(args.document, args.operationName);
  if (!operation || !args.schema.getRootType(operation.operation)) return {};
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return NO_VARIABLES;
  let found = known.get(args);
  if (found === undefined) known.set(args, (found = coerce(args, definitions)));
  return found;
}

/** Returns the variables as resolvers receive them. Null if the operation cannot run; the executor reports why. */
export function coercedVariables(args: ExecutionArgs): Variables | null {
  return coercion(args).coerced ?? null;
}

function coerce(
  { schema, variableValues }: ExecutionArgs,
  definitions: readonly VariableDefinitionNode[],
): Coercion {
  const found = getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors: 1 });
  if (found.coerced) Reflect.deleteProperty(found.coerced, '__proto__'); // as in Yoga's executor, which cannot set it
  return found;
}
