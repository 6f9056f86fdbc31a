import { GraphQLError, Kind } from 'graphql';
import { refusal } from '../../store/database/failures.js';
import { VOCABULARY } from '../../model/errors.js';
import { InvalidInput } from '../../model/input.js';
import { OutcomeUnknown } from '../../store/ledger/transaction.js';
import {
  CostExceeded,
  DatabaseUnavailable,
  MemoryExceeded,
  Overloaded,
  Throttled,
  TimedOut,
} from '../../model/operation/waiting.js';
import { CursorExpired } from '../../store/feed/cursor.js';
import { Forbidden } from '../../api/access/rules.js';
import { CommittedError } from '../../api/mutation.js';

/**
 * The values of `extensions.code` in the `errors` of a response. Rejections of mutations are not
 * included: they are data, with the codes of the ledger's vocabulary.
 */
export const ERROR_CODES = {
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED:
    'The document does not match the schema: an unknown field, a value of the wrong type, ...',
  BAD_USER_INPUT: 'A variable is missing or does not match its type. `extensions.path` names it.',
  OPERATION_RESOLUTION_FAILURE: '`operationName` is missing or names no operation of the document.',
  INVALID_INPUT:
    'The server rejects an argument of a query or subscription. `extensions.path` names it. The field is null.',
  DOCUMENT_NOT_TRUSTED:
    'The server accepts only listed documents. The document of the request is not listed.',
  PERSISTED_QUERY_NOT_SUPPORTED:
    'The request has the hash of a document, and the server stores none: send the document.',
  LIMIT_EXCEEDED: 'The document is too long, too deep or too costly for this server.',
  CURSOR_EXPIRED: 'The cursor is too old. Read the current state and subscribe without `since`.',
  TIMEOUT: 'The operation exceeded its time limit, and `data` is null. A mutation with it changed nothing.',
  OVERLOADED:
    'The server is overloaded. Nothing was done; ' +
    'the same request may succeed after `extensions.retryAfter` seconds.',
  THROTTLED:
    'The client has used its share of streams, capacity or the queue while other clients wait. ' +
    'A query or a mutation did nothing; the same request may succeed after `extensions.retryAfter` seconds.',
  DATABASE_UNAVAILABLE:
    'The database cannot be reached, or its node has no majority or is read-only. ' +
    'A write with it changed nothing; ' +
    'the same request may succeed after `extensions.retryAfter` seconds.',
  OUTCOME_UNKNOWN:
    'The connection to the database was lost during a commit: the write may have taken place or not. ' +
    'If `extensions.committed` is true, the write was committed to the objects of `extensions.ids`, and ' +
    '`extensions.reason` is the code for which its payload could not be read. ' +
    'Read the state before you send it again.',
  BAD_REQUEST: 'The HTTP request is not a GraphQL request, or a mutation came by GET.',
  NOT_ACCEPTABLE:
    'The answer is JSON, or a stream of events: ' +
    'a subscription needs `accept: text/event-stream`; other operations must also accept JSON.',
  UNSUPPORTED_MEDIA_TYPE: 'The body of a POST request is not application/json in UTF-8.',
  REQUEST_ENTITY_TOO_LARGE: 'The body of the request is too long.',
  UNAUTHENTICATED:
    'The credentials are missing, invalid or expired. ' + 'A subscription ends with it when they expire.',
  AUTHENTICATION_UNAVAILABLE:
    'The identity provider cannot be reached. Nothing was done; the same request may succeed after ' +
    '`extensions.retryAfter` seconds.',
  FORBIDDEN:
    'The credentials do not allow the field, which is null, or the argument that `extensions.path` names; ' +
    'or the request is addressed to another host, or comes from a web page of another origin.',
  INTERNAL_SERVER_ERROR: 'An error of the server; its log has the details, with `extensions.requestId`.',
} as const;

export type ServerErrorCode = keyof typeof ERROR_CODES;

/** The codes of errors and of rejections of mutations, each once. */
export const ALL_CODES: readonly string[] = [
  ...new Set([...VOCABULARY.map(({ code }) => code), ...Object.keys(ERROR_CODES)]),
];

interface RequestErrorOptions {
  /** The HTTP status. Defaults to 400. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Creates an error of the request as a whole. */
export function requestError(
  code: ServerErrorCode,
  message: string,
  { status = 400, headers, extensions }: RequestErrorOptions = {},
): GraphQLError {
  // with application/json, the specification requires 200 for each well-formed GraphQL request
  const spec = status === 400 && code !== 'BAD_REQUEST';
  return new GraphQLError(message, {
    extensions: { ...extensions, code, http: { status, headers, spec } },
  });
}

/** Returns the error for a request that got no capacity. Rethrows other errors. */
export function refusalError(error: unknown): GraphQLError {
  if (error instanceof CostExceeded) return requestError('LIMIT_EXCEEDED', error.message);
  if (error instanceof TimedOut) return requestError('TIMEOUT', error.message, { status: 503 });
  if (!(error instanceof Overloaded)) throw error;
  const { message, retryAfter } = error;
  const headers = { 'retry-after': String(retryAfter) };
  const status = error instanceof Throttled ? 429 : 503;
  return requestError(overloadCode(error), message, { status, headers, extensions: { retryAfter } });
}

function overloadCode(error: Overloaded): ServerErrorCode {
  return error instanceof Throttled ? 'THROTTLED' : 'OVERLOADED';
}

/** The length to which messages are cut (characters): those about variables repeat the values. */
const LONGEST_MESSAGE = 1_000;

/** Receives the cause of an error whose details the client does not get. */
type OnUnexpected = (masked: GraphQLError, cause: unknown, during: string) => void;

/** Returns the function that adds a code to each error and removes details of unexpected ones. */
export function errorMask(onUnexpected: OnUnexpected): (error: unknown) => GraphQLError {
  return (error) => {
    const root = rootCause(error);
    if (root instanceof CommittedError) return committed(error, root, onUnexpected);
    // elsewhere, the cause of OutcomeUnknown (a lost connection) means that nothing was changed
    const cause = root instanceof OutcomeUnknown ? root : (refusal(root) ?? root);
    if (cause instanceof InvalidInput)
      return coded(error, 'INVALID_INPUT', cause.message, { path: cause.path });
    if (cause instanceof Forbidden) return coded(error, 'FORBIDDEN', cause.message, { path: cause.argument });
    if (cause instanceof CursorExpired) return coded(error, 'CURSOR_EXPIRED', cause.message);
    if (cause instanceof TimedOut) return coded(error, 'TIMEOUT', cause.message);
    if (cause instanceof CostExceeded)
      return coded(error, 'LIMIT_EXCEEDED', cause.message, { cost: cause.cost });
    if (cause instanceof MemoryExceeded) return coded(error, 'LIMIT_EXCEEDED', cause.message);
    if (cause instanceof Overloaded)
      return coded(error, overloadCode(cause), cause.message, { retryAfter: cause.retryAfter });
    if (cause instanceof DatabaseUnavailable) {
      const { message, retryAfter } = cause;
      const masked = coded(error, 'DATABASE_UNAVAILABLE', message, { retryAfter });
      onUnexpected(masked, cause.cause ?? cause, 'using the database');
      return masked;
    }
    if (cause instanceof OutcomeUnknown) {
      const message = `${cause.message.charAt(0).toUpperCase()}${cause.message.slice(1)}.`;
      const masked = coded(error, 'OUTCOME_UNKNOWN', `${message} Read the state again.`);
      onUnexpected(masked, cause, 'committing a write');
      return masked;
    }
    if (!(cause instanceof GraphQLError)) {
      const masked = coded(error, 'INTERNAL_SERVER_ERROR', 'The server failed; its log has the details.');
      if (!isAbort(cause)) onUnexpected(masked, cause, 'answering a request');
      return masked;
    }
    const rejection = error as GraphQLError;
    // the executor's errors have no code: it rejects variables of wrong types before it runs
    return rejection.extensions.code ? rejection : badInput(rejection);
  };
}

/** The reasons whose messages say how to read the payload instead. Others could imply that nothing was changed. */
const ADVISING: ReadonlySet<unknown> = new Set<ServerErrorCode>(['LIMIT_EXCEEDED', 'INVALID_INPUT']);

/** Returns the error of a payload that could not be read after the commit. Its `reason` is the code of the cause. */
function committed(
  error: unknown,
  { ids, cause, message }: CommittedError,
  onUnexpected: OnUnexpected,
): GraphQLError {
  let unexpected: [cause: unknown, during: string] | null = null;
  const reason = cause && errorMask((_masked, ...found) => (unexpected = found))(cause);
  const code = reason?.extensions.code;
  const text = reason !== null && ADVISING.has(code) ? `${message} ${reason.message}` : message;
  const masked = coded(error, 'OUTCOME_UNKNOWN', text, {
    committed: true,
    ids,
    ...(code ? { reason: code } : {}),
  });
  if (unexpected !== null) onUnexpected(masked, ...(unexpected as [unknown, string]));
  return masked;
}

/** Returns BAD_USER_INPUT with the path of the mistake in the variables, if there is one. */
export function badInput(error: GraphQLError): GraphQLError {
  const { message } = error;
  const text = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  const http = error.path === undefined && { http: { status: 400, spec: true } };
  const path = variablePath(error);
  return coded(error, 'BAD_USER_INPUT', text, { ...(path && { path }), ...http });
}

/** Matches the path that graphql-js puts before the reason in its message. */
const PLACE = / at "([\w.[\]]+)"; $/;

/**
 * Returns the path of a mistake in the variables. It begins with the name of the variable, as in
 * {@link InvalidInput}. graphql-js states the path only in its message, after quoted client text.
 */
function variablePath({ nodes, message, originalError }: GraphQLError): string[] | undefined {
  const [node] = nodes ?? [];
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const reason = originalError?.message.length ?? 0;
  const place = PLACE.exec(message.slice(0, message.length - reason))?.[1];
  return place?.split(/[.[\]]+/).filter(Boolean) ?? [node.variable.name.value];
}

/** Returns whether the work was stopped because the client disconnected. */
function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}

/** Unwraps the error of a resolver: graphql-js wraps it to add its location in the document. */
function rootCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootCause(error.originalError) : error;
}

function coded(
  error: unknown,
  code: ServerErrorCode,
  message: string,
  extensions: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined;
  return new GraphQLError(message, {
    nodes: located?.nodes,
    source: located?.source,
    positions: located?.positions,
    path: located?.path,
    extensions: { ...extensions, code },
  });
}
