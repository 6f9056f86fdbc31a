import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  getOperationAST,
  GraphQLError,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/** The most that one operation may cost: about the number of objects that its answer may have. */
export const MAX_COST = 500_000;

/**
 * Estimates what an operation costs before it runs, rejects it when that is too much, and reports the figure as
 * `extensions.cost` of the answer. Of a subscription it is the cost of one event, and not reported with each.
 */
export function useCost(): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const cost = costOf(args);
      if (cost !== undefined && cost > MAX_COST) setResultAndStopExecution(tooCostly(cost));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const cost = costOf(args);
      if (cost === undefined) return undefined;
      if (cost > MAX_COST) return void setResultAndStopExecution(tooCostly(cost));
      return {
        onExecuteDone({ result, setResult }) {
          if ('data' in result) {
            setResult({ ...result, extensions: { ...result.extensions, cost } });
          }
        },
      };
    },
  };
}

function tooCostly(cost: number): ExecutionResult {
  const error = requestError('LIMIT_EXCEEDED', `The operation costs ${cost}; ${MAX_COST} is allowed.`);
  return { errors: [error], extensions: { cost } };
}

/** The arguments on which the cost of a field may depend: of any field, or of one. */
export const COST_ARGUMENTS: ReadonlySet<string> = new Set(['first', 'last', 'limit', 'ids', 'claim.input']);

/** Costs that are cached for each document. */
const MAX_CACHED = 100;

/** The variables on which the cost of a document depends, and its costs by the values of these. */
interface CachedCosts {
  readonly variables: readonly string[];
  readonly costs: Map<string, number>;
}

const documents = new WeakMap<DocumentNode, CachedCosts>();

/** Undefined where the operation cannot run anyway: the executor says why. */
function costOf(args: ExecutionArgs): number | undefined {
  const known = cachedCosts(args.document);
  const values = known.variables.map((name) => args.variableValues?.[name]);
  if (values.some((value) => typeof value === 'object' && value !== null)) return computeCost(args);
  const key = JSON.stringify([args.operationName, ...values.map((value) => [typeof value, value])]);
  let cost = known.costs.get(key);
  if (cost === undefined && (cost = computeCost(args)) !== undefined) {
    if (known.costs.size === MAX_CACHED) known.costs.clear();
    known.costs.set(key, cost);
  }
  return cost;
}

function cachedCosts(document: DocumentNode): CachedCosts {
  let known = documents.get(document);
  if (known === undefined)
    documents.set(document, (known = { variables: costVariables(document), costs: new Map() }));
  return known;
}

/** The variables in arguments on which the cost depends. (A field that a directive leaves out counts like any other.) */
function costVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Field: (field) => {
      for (const argument of field.arguments ?? []) {
        const { value } = argument.name;
        if (!COST_ARGUMENTS.has(value) && !COST_ARGUMENTS.has(`${field.name.value}.${value}`)) continue;
        visit(argument, { Variable: ({ name }) => void names.add(name.value) });
      }
    },
  });
  return [...names];
}

function computeCost({
  schema,
  document,
  operationName,
  variableValues,
  contextValue,
}: ExecutionArgs): number | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  const alone: DocumentNode = {
    ...document,
    definitions: document.definitions.filter(
      (definition) => definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION,
    ),
  };
  try {
    const variables = { ...variableValues };
    return complexityFromQuery(alone, { schema, ctx: contextValue as object, variables }).complexity;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
