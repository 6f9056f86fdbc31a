import {
  getNullableType,
  getOperationAST,
  GraphQLError,
  GraphQLBoolean,
  isInputObjectType,
  isNonNullType,
  Kind,
  TypeInfo,
  valueFromAST,
  ValidationContext,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { coercion } from '../../api/cost/coercion.js';
import { badInput } from './errorCodes.js';

type Values = Readonly<Record<string, unknown>>;

/** A use of a nullable variable in a position that requires a value. */
interface Use {
  readonly definition: VariableDefinitionNode;
  readonly node: VariableNode;
  /** Whether an absent variable is an error too: the position has no default value. */
  readonly requiresPresence: boolean;
  /** The name of the position in messages. */
  readonly position: string;
}

/**
 * Rejects an operation if a nullable variable of a root field is null in a position that requires a value: a field of a
 * @oneOf input, or an argument or field with a default value. Validation accepts such variables, because they may have a value. The
 * executor would report the field, but not the variable.
 */
export function useNullVariables(): Plugin {
  const known = new WeakMap<OperationDefinitionNode, readonly Use[]>();
  const check = ({ args, setResultAndStopExecution }: Execution): void => {
    const { schema, document, operationName } = args;
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    let uses = known.get(operation);
    if (uses === undefined) known.set(operation, (uses = usesIn(schema, document, operation)));
    if (uses.length === 0) return;
    const { coerced } = coercion(args);
    if (coerced === undefined || !uses.some((use) => isRefused(use, coerced))) return;
    // other fields may have null: those that the operation skips, and those of objects that do not exist
    const executed = executedRoots(document, coerced);
    const refused = usesIn(schema, executed, getOperationAST(executed, operationName)!).find((use) =>
      isRefused(use, coerced),
    );
    if (refused) setResultAndStopExecution({ errors: [errorOf(refused)] });
  };
  return { onExecute: check, onSubscribe: check };
}

interface Execution {
  readonly args: ExecutionArgs;
  readonly setResultAndStopExecution: (result: { readonly errors: readonly GraphQLError[] }) => void;
}

function isRefused({ definition, requiresPresence }: Use, values: Values): boolean {
  const name = definition.variable.name.value;
  return Object.hasOwn(values, name) ? values[name] === null : requiresPresence;
}

function usesIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Use[] {
  const { variableDefinitions = [] } = operation;
  const nullable = new Map(
    variableDefinitions
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map((definition) => [definition.variable.name.value, definition]),
  );
  if (nullable.size === 0) return [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  return context.getRecursiveVariableUsages(operation).flatMap(({ node, type, parentType, defaultValue }) => {
    const definition = nullable.get(node.name.value);
    if (definition === undefined) return [];
    const parent = parentType && getNullableType(parentType);
    if (isInputObjectType(parent) && parent.isOneOf)
      return { definition, node, requiresPresence: true, position: `the @oneOf input ${parent.name}` };
    if (!isNonNullType(type)) return [];
    const position = `a position of the type ${String(type)}`;
    return { definition, node, requiresPresence: defaultValue === undefined, position };
  });
}

/** The values of `if` with which a directive excludes a selection. */
const EXCLUDING: ReadonlyMap<string, boolean> = new Map([
  ['skip', true],
  ['include', false],
]);

/** Removes all but the root fields that @skip and @include do not exclude. */
function executedRoots(document: DocumentNode, values: Values): DocumentNode {
  const isWithout = ({ directives = [] }: SelectionNode): boolean =>
    directives.some(({ name, arguments: [condition] = [] }) => {
      const excludes = EXCLUDING.get(name.value);
      return excludes !== undefined && valueFromAST(condition.value, GraphQLBoolean, values) === excludes;
    });
  const enter = (node: SelectionNode): null | undefined => (isWithout(node) ? null : undefined);
  return visit(document, {
    Field: { enter: (node) => (isWithout(node) ? null : { ...node, selectionSet: undefined }) },
    InlineFragment: { enter },
    FragmentSpread: { enter },
  });
}

function errorOf({ definition, node, position }: Use): GraphQLError {
  const name = definition.variable.name.value;
  return badInput(
    new GraphQLError(`Variable "$${name}" must have a value: ${position} does not accept null.`, {
      nodes: [definition, node],
    }),
  );
}
