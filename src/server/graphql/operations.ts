import {
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Piece } from '../../api/candidates/treeTexts.js';
import { PreSerialized, type PreSerializedCandidates } from '../../api/candidates/candidates.js';
import type { Operation } from '../../model/operation/operation.js';
import {
  rejectedArgument,
  selectedFields,
  type DocumentInfo,
  type SelectedField,
} from '../../api/selection.js';
import { CommittedError } from '../../api/mutation.js';
import type { Context } from '../../api/context.js';
import { costsOfFields, coercedVariables, costOf } from '../../api/cost/operationCost.js';
import { DocumentContents } from './values.js';
import { untilAborted } from '../../model/operation/waiting.js';
import { refusalError } from './errorCodes.js';
import { REJECTIONS } from '../../model/errors.js';
import type { Identified } from './limits.js';

/** The time slice after which the serialization yields to other operations (ms). */
const SLICE_MS = 3;

/** Text is encoded in parts of this length (characters): Node cannot interrupt an encoding. */
const PART = 65_536;

/**
 * Serializes the data of a result. Yields to other operations between time slices.
 * Returns the function by which Yoga serializes the whole result: to bytes if it is long.
 *
 * @throws CostExceeded for too much text that no resolver has counted
 */
export async function answerText(
  data: ExecutionResult['data'],
  operation: Operation,
): Promise<(result: ExecutionResult) => string | Buffer> {
  const parts: Uint8Array[] = [];
  let text = '{"data":';
  let since = performance.now();
  for (const piece of piecesOf(data ?? null, operation)) {
    if (typeof piece === 'string') text += piece;
    if (text !== '' && (typeof piece !== 'string' || text.length >= PART)) {
      parts.push(Buffer.from(text));
      text = '';
    }
    if (typeof piece !== 'string') parts.push(...piece);
    if (performance.now() - since < SLICE_MS) continue;
    // an aborted operation cannot pause, but a mutation must report its commit
    if (!operation.signal.aborted) await operation.pause().catch(() => undefined);
    since = performance.now();
  }
  return ({ errors, extensions }) => {
    const rest = JSON.stringify({ errors, extensions });
    text += rest === '{}' ? '}' : `,${rest.slice(1)}`;
    return parts.length === 0 ? text : Buffer.concat([...parts, Buffer.from(text)]);
  };
}

function* piecesOf(value: unknown, operation: Operation): Generator<Piece> {
  if (value instanceof PreSerialized) yield* counted(value.pieces(), operation);
  else if (!isNested(value)) yield JSON.stringify(value);
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      yield at === 0 ? '[' : ',';
      yield* piecesOf(value[at], operation);
    }
    yield ']';
  } else {
    let lead = '{';
    for (const [key, inner] of Object.entries(value)) {
      yield `${lead}${JSON.stringify(key)}:`;
      yield* piecesOf(inner, operation);
      lead = ',';
    }
    yield '}';
  }
}

function* counted(pieces: Iterable<Piece>, operation: Operation): Generator<Piece> {
  for (const piece of pieces) {
    operation.countText(lengthOf(piece));
    yield piece;
  }
}

function lengthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.reduce((sum, text) => sum + text.length, 0);
}

/** Returns whether a value contains lists or objects. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) return true;
  return false;
}

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Executes each mutation of a document on its own. If the payload of a committed write cannot be read, its result is a
 * {@link CommittedError}, and the later mutations run: the executor itself would discard the whole answer, because no
 * result is nullable. A mutation that fails otherwise has changed nothing. Then `data` is null, as from the executor,
 * and `errors` names each write that was committed before.
 *
 * Arguments of payloads are checked before the first write.
 *
 * @param variables as resolvers receive them
 */
async function executeMutations(
  args: ExecutionArgs,
  variables: DocumentInfo['variableValues'],
  execute: Execute,
): Promise<ExecutionResult> {
  const { schema, document, operationName } = args;
  const context = args.contextValue as Context;
  const operation = getOperationAST(document, operationName)!;
  const type = schema.getRootType(OperationTypeNode.MUTATION)!;
  const info = { schema, fragments: fragmentsOf(args), variableValues: variables };
  const rejected = rejectedArgument(info, type, operation.selectionSet);
  if (rejected !== null) return { data: null, errors: [rejected] };
  const fields = selectedFields(info, type.name, [operation]);
  const parts = fields.map((field) => ({
    ...args,
    document: fields.length === 1 ? document : { ...document, definitions: partOf(args, operation, field) },
  }));
  const reserved = costsOfLater(args, variables, fields);
  const data = Object.create(null) as Record<string, unknown>;
  const errors: GraphQLError[] = [];
  const committed: [field: SelectedField, written: readonly string[]][] = [];
  for (const [index, field] of fields.entries()) {
    // aborted: each mutation reports that it has changed nothing
    await context.operation.pauseAfterSlice()?.catch(() => undefined);
    context.written = null;
    context.operation.beginMutation(reserved[index]);
    const result = await execute(parts[index]);
    const { written } = context;
    const { payloadRefusal } = context.operation;
    const isUnread = written !== null && (!result.data || payloadRefusal !== null);
    const failures = refusedOnce(result.errors ?? [], payloadRefusal);
    errors.push(...(written === null ? failures : failures.map((error) => unreadError(error, written))));
    if (written !== null && failures.length === 0) committed.push([field, written]);
    if (isUnread) data[field.key] = committedResult(info, field, written);
    else if (result.data) data[field.key] = result.data[field.key];
    else return { ...result, errors: [...errors, ...committed.map((each) => voidedError(...each))] };
  }
  return errors.length === 0 ? { data } : { data, errors };
}

/** Returns for each mutation the estimated cost of those after it, which it leaves to them. */
function costsOfLater(
  args: ExecutionArgs,
  variables: DocumentInfo['variableValues'],
  fields: readonly SelectedField[],
): number[] {
  if (fields.length === 1) return [0];
  const costs = costsOfFields(args, variables, fields);
  return costs.map((_cost, index) => costs.slice(index + 1).reduce((sum, cost) => sum + cost, 0));
}

function fragmentsOf({ document }: ExecutionArgs): Record<string, FragmentDefinitionNode> {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

/**
 * Returns the definitions of a document whose operation selects one field. It defines only the variables of this field:
 * the executor coerces all of them for each part.
 */
function partOf(
  { schema, document }: ExecutionArgs,
  operation: OperationDefinitionNode,
  { nodes }: SelectedField,
) {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const part = { ...operation, selectionSet };
  const { variables } = DocumentContents.of(schema, document).inAll(part);
  const variableDefinitions = operation.variableDefinitions?.filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  return document.definitions.map((each) => (each === operation ? { ...part, variableDefinitions } : each));
}

/** Returns the CommittedError of a mutation with the fields that the document selects of it. */
function committedResult(info: DocumentInfo, { nodes }: SelectedField, ids: readonly string[]): object {
  const { name, code, message, path } = new CommittedError(ids, null);
  const { retryable } = REJECTIONS[code];
  const values: Readonly<Record<string, unknown>> = { __typename: name, ids, code, message, path, retryable };
  const selected = selectedFields(info, name, nodes);
  return Object.fromEntries(selected.map((field) => [field.key, values[field.name]]));
}

/** Returns the errors with only the first of those that refuse to read the payload. */
function refusedOnce(errors: readonly GraphQLError[], refusal: Error | null): readonly GraphQLError[] {
  const first = errors.find(({ originalError }) => originalError === refusal);
  return errors.filter((error) => error === first || error.originalError !== refusal);
}

/** Adds to the error of a payload that its write was committed. */
function unreadError(error: GraphQLError, ids: readonly string[]): GraphQLError {
  const { message, nodes, source, positions, path } = error;
  const originalError = new CommittedError(ids, error);
  return new GraphQLError(message, { nodes, source, positions, path, originalError });
}

/** Returns the error of a committed write whose result is lost because a later mutation fails. */
function voidedError({ key, nodes }: SelectedField, ids: readonly string[]): GraphQLError {
  const originalError = new CommittedError(ids, null);
  return new GraphQLError(originalError.message, { nodes, path: [key], originalError });
}

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
