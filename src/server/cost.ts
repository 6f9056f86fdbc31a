import {
  getOperationAST,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import { OperationCost } from '../schema/cost/operationCost.js';

/** Costs that are remembered of each document. */
const MOST_REMEMBERED = 100;

/** The variables on which the cost of an operation has depended so far, and its costs by the values of these. */
interface RememberedCosts {
  readonly variables: Set<string>;
  readonly costs: Map<string, number>;
}

const documents = new WeakMap<DocumentNode, RememberedCosts>();

/** What an operation is expected to cost; 0 where it cannot run anyway, and the executor says why. */
export function costOf(args: ExecutionArgs, asText: ReadonlySet<string>): number {
  const { document, operationName } = args;
  const operation = getOperationAST(document, operationName);
  if (!operation) return 0;
  let known = documents.get(document);
  if (known === undefined)
    documents.set(document, (known = { variables: new Set(), costs: new Map<string, number>() }));
  const given = args.variableValues ?? {};
  const key = keyOf(args, known.variables, asText);
  const remembered = key === null ? undefined : known.costs.get(key);
  if (remembered !== undefined) return remembered;
  const variables = { ...defaultsOf(operation), ...given };
  const price = new OperationCost({
    schema: args.schema,
    fragments: fragmentsOf(document),
    variables,
    asText,
  });
  const cost = price.ofOperation(operation);
  for (const name of price.variablesUsed) known.variables.add(name);
  const newKey = keyOf(args, known.variables, asText);
  if (newKey === null) return cost;
  if (known.costs.size >= MOST_REMEMBERED) known.costs.clear();
  known.costs.set(newKey, cost);
  return cost;
}

/** Null where a variable on which the cost depends is a list or an object: it may be large. */
function keyOf(
  { operationName, variableValues = {} }: ExecutionArgs,
  variables: ReadonlySet<string>,
  asText: ReadonlySet<string>,
): string | null {
  if (variables.size === 0) return `${operationName ?? ''} ${asText.size}`;
  const values = Array.from(variables, (name) => variableValues?.[name]);
  if (values.some((value) => typeof value === 'object' && value !== null)) return null;
  return JSON.stringify([operationName, asText.size, ...values.map((value) => [typeof value, value])]);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  return Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}
