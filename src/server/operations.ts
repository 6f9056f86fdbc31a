import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { PreSerializedCandidates } from '../fastCandidates/plugin.js';
import type { Operation } from '../runtime/operation.js';
import { CostExceeded, Overloaded, TimedOut } from '../runtime/refusals.js';
import type { Context } from '../schema/context.js';
import { untilAborted } from '../runtime/waiting.js';
import { answerText } from './answerText.js';
import { costOf } from '../schema/cost/operationCost.js';
import { requestError } from './errorCodes.js';
import type { Identified } from './errorReport.js';

type Execute = (args: ExecutionArgs) => unknown;

type AfterExecute = Exclude<Awaited<ReturnType<NonNullable<Plugin['onExecute']>>>, void>;

/** The answer to an operation that costs more than this is made piece by piece. */
const LARGE = 2_000;

const CANDIDATES: ReadonlySet<string> = new Set(['Query.allocationCandidates']);
const NONE: ReadonlySet<string> = new Set();

/**
 * Gives each operation its place among the others: it waits for room, is refused when it costs too much or too many wait, and gives
 * its room back when it ends. The cost is reported as `extensions.cost`; that of a subscription is the cost of one event, and
 * not reported with each.
 */
export function useOperations(candidates: PreSerializedCandidates): Plugin {
  return {
    async onSubscribe({ args, setResultAndStopExecution }) {
      const { operation } = begun(args);
      const refusal = await refusalOf(operation, costOf(args, NONE));
      if (refusal) setResultAndStopExecution(refusal);
    },
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { operation } = begun(args);
      if (isQuery(args)) setExecuteFn(abortable(executeFn, operation));
      const hasText = candidates.isServed(args);
      const cost = costOf(args, hasText && candidates.takesJson(args) ? CANDIDATES : NONE);
      const refusal = refusalOf(operation, cost);
      const done: AfterExecute = {
        onExecuteDone({ result, setResult }) {
          if (!('data' in result)) return operation.end();
          const answer = { ...result, extensions: { ...result.extensions, cost } };
          // the operation ends with the text
          if ((hasText || operation.cost > LARGE) && candidates.takesJson(args))
            return setResult({ ...answer, stringify: answerText(operation) } as ExecutionResult);
          operation.end();
          setResult(answer);
        },
      };
      if (refusal === null) return done;
      return refusal.then((refused) => {
        if (refused) setResultAndStopExecution(refused);
        return done;
      });
    },
  };
}

function isQuery({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;
}

/**
 * Answers with the reason as soon as the operation is aborted, whatever parts of it are still under way. (A mutation is
 * answered with what has become of each of its fields.)
 */
function abortable(execute: Execute, operation: Operation): Execute {
  return (args) => {
    const result = execute(args);
    if (!(result instanceof Promise)) return result;
    const { signal } = operation;
    return untilAborted(signal, result).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      const originalError = signal.reason as Error;
      return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
    });
  };
}

/** Notes that an operation is about to run. */
function begun({ contextValue, document, operationName }: ExecutionArgs): Context {
  const context = contextValue as Context & Identified;
  context.record?.execute(document, operationName ?? null);
  return context;
}

/** Why an operation cannot run. Null, or a promise of it: it can. */
function refusalOf(operation: Operation, cost: number): Promise<ExecutionResult | null> | null {
  const refuse = (error: unknown): ExecutionResult => {
    operation.end();
    return { errors: [refusalError(error)], extensions: { cost } };
  };
  try {
    return operation.admit(cost)?.then(() => null, refuse) ?? null;
  } catch (error) {
    return Promise.resolve(refuse(error));
  }
}

function refusalError(error: unknown): GraphQLError {
  if (error instanceof CostExceeded) return requestError('LIMIT_EXCEEDED', error.message);
  if (error instanceof TimedOut) return requestError('TIMEOUT', error.message, { status: 503 });
  if (!(error instanceof Overloaded)) throw error;
  const { message, retryAfter } = error;
  const headers = { 'retry-after': String(retryAfter) };
  return requestError('OVERLOADED', message, { status: 503, headers, extensions: { retryAfter } });
}
