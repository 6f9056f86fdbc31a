import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { PreSerializedCandidates } from '../../api/candidates/textPlugin.js';
import type { Operation } from '../../model/operation/operation.js';
import type { Context } from '../../api/context.js';
import { untilAborted } from '../../model/operation/waiting.js';
import { answerText } from './answerText.js';
import { coercedVariables } from '../../api/cost/coercion.js';
import { costOf } from '../../api/cost/operationCost.js';
import { refusalError } from './errorCodes.js';
import type { Identified } from './errorReport.js';
import { executeMutations } from './mutationExecution.js';

/** An answer with a higher cost or more fields is serialized in time slices. */
const LARGE = 2_000;
const MANY_FIELDS = 10_000;

const CANDIDATES: ReadonlySet<string> = new Set(['Query.allocationCandidates']);
const NONE: ReadonlySet<string> = new Set();

/**
 * Admits each operation and ends it with its result: sending the answer takes no capacity.
 * `extensions.cost` reports the estimated and the actual cost. A subscription takes capacity for
 * each event instead, and does not report its cost.
 */
export function useOperations(candidates: PreSerializedCandidates): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { operation } = begun(args);
      const cost = costOf(args, NONE);
      try {
        operation.beginEvents(cost);
      } catch (error) {
        setResultAndStopExecution(refusal(error, cost));
      }
    },
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { operation } = begun(args);
      const hasText = candidates.isServed(args);
      const variables = coercedVariables(args);
      const cost = costOf(args, hasText ? CANDIDATES : NONE, variables);
      operation.isWrite = !isQuery(args);
      setExecuteFn((given: ExecutionArgs) => {
        const execute = executeFn as (given: ExecutionArgs) => MaybePromise<ExecutionResult>;
        const result =
          operation.isWrite && variables !== null
            ? executeMutations(given, variables, execute)
            : execute(given);
        const answer = afterwards(result, (settled) => completed(settled, operation, hasText));
        return operation.isWrite ? answer : untilEnd(answer, operation);
      });
      const done: AfterExecute = {
        onExecuteDone({ result, setResult }) {
          operation.end();
          const extensions = { cost: { requested: cost, actual: operation.activity.cost } };
          if ('data' in result) setResult({ ...result, extensions: { ...result.extensions, ...extensions } });
        },
      };
      const refuse = (error: unknown): AfterExecute => {
        setResultAndStopExecution(refusal(error, cost));
        return done;
      };
      try {
        return admitted(operation, cost)?.then(() => done, refuse) ?? done;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

type AfterExecute = Exclude<Awaited<ReturnType<NonNullable<Plugin['onExecute']>>>, void>;
type MaybePromise<T> = T | Promise<T>;

function afterwards<T, R>(value: MaybePromise<T>, next: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<R>>) : next(value);
}

function isQuery({ document, operationName }: ExecutionArgs): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;
}

/** Adds a serializer if the answer is large or contains serialized parts. */
function completed(
  result: ExecutionResult,
  operation: Operation,
  hasText: boolean,
): MaybePromise<ExecutionResult> {
  if (!hasText && operation.cost <= LARGE && operation.fieldCount <= MANY_FIELDS) return result;
  return answerText(result.data, operation).then((stringify) => ({ ...result, stringify }));
}

/**
 * Answers a query with the reason as soon as it is aborted, even if parts of it still run. A
 * mutation does not use this: its answer has the outcome of each field.
 */
function untilEnd(
  answer: MaybePromise<ExecutionResult>,
  operation: Operation,
): MaybePromise<ExecutionResult> {
  if (!(answer instanceof Promise)) return unlessAborted(answer, operation);
  return untilAborted(operation.signal, answer).then(
    (settled) => unlessAborted(settled, operation),
    (error: unknown) => {
      if (!operation.signal.aborted) throw error;
      return abortedAnswer(operation);
    },
  );
}

function unlessAborted(answer: ExecutionResult, operation: Operation): ExecutionResult {
  return answer.errors && operation.signal.aborted ? abortedAnswer(operation) : answer;
}

function abortedAnswer({ signal }: Operation): ExecutionResult {
  const originalError = signal.reason as Error;
  return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] };
}

/** Records that an operation is about to run. */
function begun({ contextValue, document, operationName }: ExecutionArgs): Context {
  const context = contextValue as Context & Identified;
  context.record?.execute(document, operationName ?? null);
  return context;
}

/** Waits for capacity. Returns null if it was free. @throws CostExceeded */
function admitted(operation: Operation, cost: number): Promise<void> | null {
  const admission = operation.admit(cost);
  return cost > LARGE ? inTurn(admission, operation) : admission;
}

/**
 * Yields to other operations before the executor coerces the variables again, which is slow for
 * large ones. A query also waits for earlier large queries of its client.
 */
async function inTurn(admission: Promise<void> | null, operation: Operation): Promise<void> {
  await admission;
  await (operation.isWrite ? operation.pause() : operation.pauseAsLarge()).catch(() => undefined);
}

function refusal(error: unknown, requested: number): ExecutionResult {
  return { errors: [refusalError(error)], extensions: { cost: { requested, actual: 0 } } };
}
