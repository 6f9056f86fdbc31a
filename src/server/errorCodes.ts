import { GraphQLError } from 'graphql';
import { InvalidInput } from '../domain/invalidInput.js';
import { TimedOut } from '../placement/timeSlices.js';
import type { Report } from '../runtime/report.js';
import { CursorExpired } from '../feed/cursor.js';

/**
 * Every `extensions.code` that an entry of a response's `errors` can have. The rejections of mutations are not among
 * them: they are data, with the codes of the ledger's vocabulary.
 */
export const ERROR_CODES = {
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED:
    'The document does not fit the schema: an unknown field, a value of the wrong type, ...',
  BAD_USER_INPUT: 'The operation cannot run: a variable is missing or does not fit its type.',
  OPERATION_RESOLUTION_FAILURE: 'The document does not have the operation to run, or it is not clear which.',
  INVALID_INPUT:
    'An argument of a query or subscription is refused; `extensions.path` leads to it. The field is null.',
  LIMIT_EXCEEDED: 'The document is too long, too deep or too costly for this server.',
  CURSOR_EXPIRED:
    'What was changed since the cursor of a subscription is no longer known: read afresh, subscribe without it.',
  TIMEOUT: 'The query took longer than it may. The field is null.',
  BAD_REQUEST: 'The HTTP request is not a GraphQL request, or a mutation came by GET.',
  NOT_ACCEPTABLE: 'A subscription is answered with a stream of events only: `accept: text/event-stream`.',
  UNSUPPORTED_MEDIA_TYPE: 'The body of a POST request is not application/json.',
  REQUEST_ENTITY_TOO_LARGE: 'The body of the request is too long.',
  INTERNAL_SERVER_ERROR: 'An error of the server; its log has the details.',
} as const;

export type ServerErrorCode = keyof typeof ERROR_CODES;

interface RequestErrorOptions {
  /** The HTTP status; 400 unless said otherwise. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the request as a whole. */
export function requestError(
  code: ServerErrorCode,
  message: string,
  { status = 400, headers }: RequestErrorOptions = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers, spec: status === 400 } } });
}

/**
 * Gives each error its code. Unexpected ones are reported, once for each error; the client gets no details of them.
 */
export function errorMask(report: Report): (error: unknown) => GraphQLError {
  return (error) => {
    const cause = rootCause(error);
    if (cause instanceof InvalidInput)
      return coded(error, 'INVALID_INPUT', cause.message, { path: cause.path });
    if (cause instanceof CursorExpired) return coded(error, 'CURSOR_EXPIRED', cause.message);
    if (cause instanceof TimedOut) return coded(error, 'TIMEOUT', cause.message);
    if (!(cause instanceof GraphQLError)) {
      if (!isAbort(cause)) report(cause, 'answering a request');
      return coded(error, 'INTERNAL_SERVER_ERROR', 'The server failed; its log has the details.');
    }
    const rejection = error as GraphQLError;
    // the executor's own have no code: it rejects variables that do not fit their types before it runs anything
    return rejection.extensions.code ? rejection : coded(rejection, 'BAD_USER_INPUT', rejection.message);
  };
}

/** The client went away, and the work for it was stopped. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** A resolver's error arrives inside of one that adds the place in the document. */
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
