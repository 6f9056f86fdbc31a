import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  getOperationAST,
  GraphQLError,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/** The most that one operation may cost: about the number of objects that its answer may have. */
export const MOST_COST = 500_000;

/**
 * Estimates what an operation costs before it runs, refuses it when that is too much, and reports the figure as
 * `extensions.cost` of the answer. Of a subscription it is the cost of one event, and not reported with each.
 */
export function useCost(): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const cost = costOf(args);
      if (cost !== undefined && cost > MOST_COST) setResultAndStopExecution(tooCostly(cost));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const cost = costOf(args);
      if (cost === undefined) return undefined;
      if (cost > MOST_COST) return void setResultAndStopExecution(tooCostly(cost));
      return {
        onExecuteDone({ result, setResult }) {
          if ('data' in result || 'errors' in result) {
            setResult({ ...result, extensions: { ...result.extensions, cost } });
          }
        },
      };
    },
  };
}

function tooCostly(cost: number): ExecutionResult {
  const error = requestError('LIMIT_EXCEEDED', `The operation costs ${cost}; ${MOST_COST} is allowed.`);
  return { errors: [error], extensions: { cost } };
}

/** Undefined where the operation cannot run anyway: the executor says why. */
function costOf({
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
