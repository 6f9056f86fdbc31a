import type { IncomingMessage } from 'node:http';
import { type Plugin, type GraphQLParams, isAsyncIterable, mapAsyncIterator } from 'graphql-yoga';
import {
  getOperationAST,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  Source,
  TokenKind,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type SelectionSetNode,
  OperationTypeNode,
} from 'graphql';
import { requestError, badInput, errorMask } from './errorCodes.js';
import type { RequestErrorCode } from '../../api/requestErrors.js';
import type { Context } from '../../api/context.js';
import { hasMoreValues } from '../../model/input.js';
import { coercion } from '../../api/cost/operationCost.js';
import { MAX_NESTING, OperationValues } from './values.js';
import type { Viewer } from '../../model/viewer.js';
import { scopesOf } from '../../api/access/rules.js';
import type { Operation } from '../../model/operation/operation.js';
import type { Report } from '../../model/operation/report.js';
import type { OperationRecord } from '../telemetry/log.js';

/**
 * Rejects a request that has the hash of a document instead of the document, as Apollo's clients send it. They recognize
 * this message, and send the document.
 */
export const persistedQueries: Plugin = {
  onParams({ params: { query, extensions } }) {
    const hasHash = typeof extensions?.persistedQuery === 'object' && extensions.persistedQuery !== null;
    if (hasHash && !query) throw requestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  },
};

/** The limits of one request. A fragment counts each time it is spread. */
export const LIMITS = {
  /** The tokens of the document: names, values and punctuation. */
  tokens: 10_000,
  /** The characters of a name, such as an alias: an answer repeats it for each object. */
  name: 255,
  /** Nested brackets of any kind. */
  nesting: 100,
  /** Nested lists and objects in the variables. */
  variableNesting: MAX_NESTING,
  /** Nested fields. */
  depth: 25,
  aliases: 500,
  directives: 100,
  /** Fragment spreads. Twenty fragments that each spread the next one twice would be a million. */
  spreads: 10_000,
  /** Comparisons of fields with one response name in a selection set: validation compares each pair, with subfields. */
  comparisons: 20_000,
  /** JSON values in the body of a request. */
  values: 1_000_000,
} as const;

/**
 * Variables with more values are rejected at the first mistake. The executor would report fifty mistakes, and repeat
 * the whole value with each.
 */
const LARGE_VARIABLES = 200;

/** After more values the operation yields: reading them once more takes milliseconds. */
const LARGE_VALUES = 2_000;

/** Rejects variables that exceed the limits before other code processes them. */
export function useValueLimits(): Plugin {
  return { onExecute: checkVariables, onSubscribe: checkVariables };
}

/** Parses a document within the limits. Yields between the parts of the work. @throws LIMIT_EXCEEDED */
export function* parsed(text: string): Generator<void, DocumentNode> {
  yield* checkTokens(text);
  const document = parse(text);
  yield;
  checkShape(document);
  return document;
}

interface Execution {
  readonly args: ExecutionArgs;
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

/** Counts the values of an operation before its variables are coerced. */
function checkVariables(execution: Execution): Promise<void> | undefined {
  const { args, setResultAndStopExecution } = execution;
  const operation = getOperationAST(args.document, args.operationName);
  if (!operation) return undefined;
  try {
    const values = new OperationValues(args, operation);
    values.assertAtMost((args.contextValue as Context).operation.limits.values);
    if (values.ofVariables > LARGE_VARIABLES) return checkLarge(execution);
    return values.count > LARGE_VALUES ? yielded(args) : undefined;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    setResultAndStopExecution({ errors: [error] });
    return undefined;
  }
}

/** Rejects variables at their first mistake. Yields before and afterwards, because coercing large ones is slow. */
async function checkLarge({ args, setResultAndStopExecution }: Execution): Promise<void> {
  await yielded(args);
  const { errors } = coercion(args);
  if (errors) setResultAndStopExecution({ errors: [badInput(errors[0])] });
  else await yielded(args);
}

/** Yields once to all other operations. */
function yielded({ contextValue }: ExecutionArgs): Promise<void> {
  const goesOn = (): void => undefined; // admission rejects an aborted operation
  return (contextValue as Context).operation.pause().catch(goesOn);
}

function reject(message: string): never {
  throw requestError('LIMIT_EXCEEDED', message);
}

/** The introspection fields. A document may contain each of them once. */
const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/** The check of tokens yields after this many of them. */
const TOKENS_BETWEEN_YIELDS = 1_000;

/** Limits tokens and nesting before parsing: a deep document overflows the stack of the parser. */
function* checkTokens(text: string): Generator<void, void> {
  const lexer = new Lexer(new Source(text));
  const introspected = new Set<string>();
  let tokens = 0;
  let nesting = 0;
  for (let { kind, value } = lexer.advance(); kind !== TokenKind.EOF; { kind, value } = lexer.advance()) {
    if (++tokens > LIMITS.tokens) reject(`The document has more than ${LIMITS.tokens} tokens.`);
    if (tokens % TOKENS_BETWEEN_YIELDS === 0) yield;
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) nesting++;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) nesting--;
    if (nesting > LIMITS.nesting)
      reject(`The document has more than ${LIMITS.nesting} levels of nested brackets.`);
    if (kind !== TokenKind.NAME) continue;
    if (value.length > LIMITS.name) reject(`The document has a name of more than ${LIMITS.name} characters.`);
    if (!INTROSPECTION.has(value)) continue;
    if (introspected.has(value)) reject(`The document has ${value} more than once.`);
    introspected.add(value);
  }
}

/** Rejects a JSON text with too many values before it is parsed. */
function checkValues(text: string): void {
  if (hasMoreValues(text, LIMITS.values))
    throw requestError('REQUEST_ENTITY_TOO_LARGE', `The body has more than ${LIMITS.values} values.`);
}

const COUNTED = {
  aliases: 'aliases',
  directives: 'directives',
  spreads: 'fragment spreads',
  comparisons: 'comparisons of fields with equal names',
} as const;

type DocumentCounts = Record<keyof typeof COUNTED | 'depth' | 'fields', number>;

const EMPTY: DocumentCounts = { depth: 0, fields: 0, aliases: 0, directives: 0, spreads: 0, comparisons: 0 };

function checkShape({ definitions }: DocumentNode): void {
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const measure = shapes(new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet])));
  for (const { selectionSet } of definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)) {
    const { depth, fields: _, ...counts } = measure(selectionSet);
    if (depth > LIMITS.depth) reject(`The document is ${depth} fields deep; ${LIMITS.depth} are allowed.`);
    for (const [each, what] of Object.entries(COUNTED) as [keyof typeof COUNTED, string][])
      if (counts[each] > LIMITS[each])
        reject(`The document has ${counts[each]} ${what}; ${LIMITS[each]} are allowed.`);
  }
}

/** Measures selection sets, each fragment once. Validation rejects cycles of fragments. */
function shapes(fragments: ReadonlyMap<string, SelectionSetNode>): (set: SelectionSetNode) => DocumentCounts {
  const measured = new Map<SelectionSetNode, DocumentCounts>();

  /** @param names how often the set has each response name so far; inline fragments belong to the set around them */
  return function measure(set: SelectionSetNode, names = new Map<string, number>()): DocumentCounts {
    const known = measured.get(set);
    if (known) return known;
    const shape = { ...EMPTY };
    measured.set(set, shape);
    for (const selection of set.selections) {
      const isField = selection.kind === Kind.FIELD;
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const below = isSpread ? fragments.get(selection.name.value) : selection.selectionSet;
      const inner = below ? measure(below, isField || isSpread ? undefined : names) : EMPTY;
      shape.depth = Math.max(shape.depth, inner.depth + (isField ? 1 : 0));
      shape.aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
      shape.directives += inner.directives + (selection.directives?.length ?? 0);
      shape.spreads += inner.spreads + (isSpread ? 1 : 0);
      shape.fields += inner.fields + (isField ? 1 : 0);
      shape.comparisons += inner.comparisons;
      if (isField)
        shape.comparisons += equalsBefore(selection, names) * (1 + inner.fields + inner.comparisons);
    }
    return shape;
  };
}

/** Returns how many fields before have the response name of a field, and counts it. */
function equalsBefore({ alias, name }: FieldNode, names: Map<string, number>): number {
  const key = (alias ?? name).value;
  const before = names.get(key) ?? 0;
  names.set(key, before + 1);
  return before;
}

/** The parts of a request that the server read before GraphQL runs. */
export interface Received extends Identified {
  /** The body of a POST request. */
  readonly body?: string;
  /** The sender. Null or omitted if authentication is disabled. */
  readonly viewer?: Viewer | null;
  /** The caller begins and ends it. */
  readonly operation: Operation;
}

/** The maximum body of a query or a subscription (bytes). */
const MAX_QUERY = 1_048_576;

/** Returns the maximum body of a viewer (bytes). Only writers may exceed the maximum of a query. */
export function maxBodyOf(viewer: Viewer | null, longestBody: number): number {
  return scopesOf(viewer).writer ? longestBody : Math.min(longestBody, MAX_QUERY);
}

/**
 * Reads the body of a request. Rejects with `tooLong` as soon as it exceeds `max` bytes. Above
 * MAX_QUERY it reads one chunk per turn of the event loop: otherwise a few long bodies delay all
 * other requests.
 */
export function readBody(request: IncomingMessage, max: number, tooLong: Error): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    if (Number(request.headers['content-length']) > max) return reject(tooLong);
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLong);
      }
      if (length <= MAX_QUERY) return;
      request.pause();
      setImmediate(() => request.resume());
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', (error) => reject(Object.assign(error, { statusCode: 400 })));
  });
}

/** Parses bodies that the server has read and limited. This is much faster than Yoga's streams. */
export function useReceivedBody(): Plugin<object, Received> {
  return {
    onRequestParse({ request, serverContext: { body }, setRequestParser }) {
      if (body !== undefined && request.method === 'POST') setRequestParser(() => parsedParams(body));
    },
    onValidate({ params, context }) {
      const { body = '', params: given } = context as unknown as Received & {
        readonly params: GraphQLParams;
      };
      if (Buffer.byteLength(body) <= MAX_QUERY) return;
      const operation = getOperationAST(params.documentAST as DocumentNode, given.operationName);
      if (operation?.operation === OperationTypeNode.MUTATION) return;
      const message = `The body of a query has at most ${MAX_QUERY} bytes.`;
      throw requestError('REQUEST_ENTITY_TOO_LARGE', message);
    },
  };
}

function parsedParams(body: string): GraphQLParams {
  checkValues(body);
  try {
    const params: unknown = JSON.parse(body);
    if (typeof params === 'object' && params !== null) return params;
  } catch {
    // same error as for JSON that is no object
  }
  throw requestError('BAD_REQUEST', 'The body of the request is not a JSON object.');
}

/** Errors that get the request id, by which an operator finds them in the log. */
const WITH_REQUEST_ID: ReadonlySet<RequestErrorCode> = new Set([
  'INTERNAL_SERVER_ERROR',
  'DATABASE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'OVERLOADED',
  'THROTTLED',
]);

/** The values that the server attaches to a request before GraphQL runs. */
export interface Identified {
  readonly requestId?: string;
  readonly record?: OperationRecord;
}

/** Masks errors. Reports unexpected ones once their request is known. */
export class ErrorReport {
  private readonly unexpected = new WeakMap<
    GraphQLError,
    { readonly cause: unknown; readonly during: string }
  >();

  constructor(private readonly report: Report) {}

  readonly maskError = errorMask((error, cause, during) => this.unexpected.set(error, { cause, during }));

  readonly plugin: Plugin<object, Identified> = {
    onResultProcess: (payload) => {
      const { result, serverContext } = payload;
      const identified = (one: ExecutionResult): ExecutionResult => this.identified(one, serverContext);
      if (Array.isArray(result)) return;
      if (isAsyncIterable<ExecutionResult>(result)) payload.setResult(mapAsyncIterator(result, identified));
      else payload.setResult(identified(result as ExecutionResult));
    },
  };

  private identified(result: ExecutionResult, { requestId, record }: Identified): ExecutionResult {
    if (!result.errors) return result;
    record?.activity.codes.push(...result.errors.map(({ extensions }) => String(extensions.code)));
    return { ...result, errors: result.errors.map((error) => this.identifiedError(error, requestId)) };
  }

  private identifiedError(error: GraphQLError, requestId: string | undefined): GraphQLError {
    const unexpected = this.unexpected.get(error);
    if (unexpected) {
      const { cause, during } = unexpected;
      this.report(cause, requestId === undefined ? during : `${during} (request ${requestId})`);
    }
    if (requestId === undefined || !WITH_REQUEST_ID.has(error.extensions.code as RequestErrorCode))
      return error;
    const { message, nodes, source, positions, path, originalError } = error;
    const extensions = { ...error.extensions, requestId };
    return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
  }
}
