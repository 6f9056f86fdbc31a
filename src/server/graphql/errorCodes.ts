import { GraphQLError, Kind } from 'graphql';
import { REJECTIONS } from '../../model/errors.js';
import { OutcomeUnknown } from '../../store/ledger/transaction.js';
import { DatabaseUnavailable, Overloaded } from '../../model/operation/waiting.js';
import { CommittedError } from '../../api/mutation.js';
import {
  codeOfClass,
  entryOf,
  failureOf,
  REQUEST_ERRORS,
  type RequestErrorCode,
} from '../../api/requestErrors.js';

/** The codes of errors and of rejections of mutations, each once. */
export const ALL_CODES: readonly string[] = [
  ...new Set([...Object.keys(REJECTIONS), ...Object.keys(REQUEST_ERRORS)]),
];

interface RequestErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Creates an error of the request as a whole. */
export function requestError(
  code: RequestErrorCode,
  message: string,
  { headers, extensions }: RequestErrorOptions = {},
): GraphQLError {
  const { status = 400 } = entryOf(code);
  // with application/json, the specification requires 200 for each well-formed GraphQL request
  const spec = status === 400 && code !== 'BAD_REQUEST';
  return new GraphQLError(message, {
    extensions: { ...extensions, code, http: { status, headers, spec } },
  });
}

/** Returns the error for a request that got no capacity. Rethrows other errors. */
export function refusalError(error: unknown): GraphQLError {
  const code = codeOfClass(error);
  if (code === null || !NO_CAPACITY.has(code)) throw error;
  if (!(error instanceof Overloaded)) return requestError(code, (error as Error).message);
  const { message, retryAfter } = error;
  return requestError(code, message, {
    headers: { 'retry-after': String(retryAfter) },
    extensions: { retryAfter },
  });
}

const NO_CAPACITY: ReadonlySet<RequestErrorCode> = new Set([
  'LIMIT_EXCEEDED',
  'TIMEOUT',
  'OVERLOADED',
  'THROTTLED',
]);

/** The length to which messages are cut (characters): those about variables repeat the values. */
const LONGEST_MESSAGE = 1_000;

/** Receives the cause of an error whose details the client does not get. */
type OnUnexpected = (masked: GraphQLError, cause: unknown, during: string) => void;

/** Returns the function that adds a code to each error and removes details of unexpected ones. */
export function errorMask(onUnexpected: OnUnexpected): (error: unknown) => GraphQLError {
  return (error) => {
    const root = rootCause(error);
    if (root instanceof CommittedError) return committed(error, root, onUnexpected);
    const failure = failureOf(root);
    if (failure !== null) return failed(error, failure, onUnexpected);
    if (!(root instanceof GraphQLError)) {
      const masked = coded(error, 'INTERNAL_SERVER_ERROR', 'The server failed; its log has the details.');
      if (!isAbort(root)) onUnexpected(masked, root, 'answering a request');
      return masked;
    }
    const rejection = error as GraphQLError;
    // the executor's errors have no code: it rejects variables of wrong types before it runs
    return rejection.extensions.code ? rejection : badInput(rejection);
  };
}

/** Returns the error of a failure. Reports those whose reason is outside of the process. */
function failed(
  thrown: unknown,
  { code, error }: NonNullable<ReturnType<typeof failureOf>>,
  onUnexpected: OnUnexpected,
): GraphQLError {
  const { message } = error;
  if (error instanceof OutcomeUnknown) {
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}. Read the state again.`;
    const masked = coded(thrown, code, text);
    onUnexpected(masked, error, 'committing a write');
    return masked;
  }
  const masked = coded(thrown, code, message, entryOf(code).extensions?.(error as never));
  if (error instanceof DatabaseUnavailable) onUnexpected(masked, error.cause ?? error, 'using the database');
  return masked;
}

/** The reasons whose messages say how to read the payload instead. Others could imply that nothing was changed. */
const ADVISING: ReadonlySet<unknown> = new Set<RequestErrorCode>(['LIMIT_EXCEEDED', 'INVALID_INPUT']);

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
  code: RequestErrorCode,
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
