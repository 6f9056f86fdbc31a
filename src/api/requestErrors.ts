import { InvalidInput } from '../model/input.js';
import {
  CostExceeded,
  DatabaseUnavailable,
  MemoryExceeded,
  Overloaded,
  Throttled,
  TimedOut,
} from '../model/operation/waiting.js';
import { refusal } from '../store/database/failures.js';
import { CursorExpired } from '../store/feed/cursor.js';
import { OutcomeUnknown } from '../store/ledger/transaction.js';
import { Forbidden } from './access/rules.js';

/** The entry of a code of `errors`. */
interface RequestErrorEntry {
  readonly meaning: string;
  /** The classes of the errors with the code. Other codes are stated where they are thrown. */
  readonly classes?: readonly (new (...args: never[]) => Error)[];
  /** Returns the extensions of an error of `classes` besides its code. */
  readonly extensions?: (error: never) => Readonly<Record<string, unknown>>;
  /** The HTTP status if the request as a whole fails with the code. Defaults to 400. */
  readonly status?: number;
  /** The status of the REST API for an error of `classes`. Omitted: no route fails with the code, or 500. */
  readonly restStatus?: number;
}

const retryAfter = (error: { readonly retryAfter: number }) => ({ retryAfter: error.retryAfter });

/**
 * The values of `extensions.code` in the `errors` of a response; a subclass stands before its base. Rejections of
 * mutations are not included: they are data, with the codes of REJECTIONS (`model/errors.ts`).
 */
export const REQUEST_ERRORS = {
  GRAPHQL_PARSE_FAILED: {
    meaning: 'The document is not GraphQL.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    meaning: 'The document does not match the schema: an unknown field, a value of the wrong type, ...',
  },
  BAD_USER_INPUT: {
    meaning: 'A variable is missing or does not match its type. `extensions.path` names it.',
  },
  OPERATION_RESOLUTION_FAILURE: {
    meaning: '`operationName` is missing or names no operation of the document.',
  },
  INVALID_INPUT: {
    meaning:
      'The server rejects an argument of a query or subscription. `extensions.path` names it. The field is null.',
    classes: [InvalidInput],
    extensions: ({ path }: InvalidInput) => ({ path }),
  },
  DOCUMENT_NOT_TRUSTED: {
    meaning: 'The server accepts only listed documents. The document of the request is not listed.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    meaning: 'The request has the hash of a document, and the server stores none: send the document.',
  },
  LIMIT_EXCEEDED: {
    meaning: 'The document is too long, too deep or too costly for this server.',
    classes: [CostExceeded, MemoryExceeded],
    extensions: (error: object) => ('cost' in error ? { cost: error.cost } : {}),
    restStatus: 503,
  },
  CURSOR_EXPIRED: {
    meaning: 'The cursor is too old. Read the current state and subscribe without `since`.',
    classes: [CursorExpired],
  },
  TIMEOUT: {
    meaning: 'The operation exceeded its time limit, and `data` is null. A mutation with it changed nothing.',
    classes: [TimedOut],
    status: 503,
    restStatus: 503,
  },
  THROTTLED: {
    meaning:
      'The client has used its share of streams, capacity or the queue while other clients wait. ' +
      'A query or a mutation did nothing; the same request may succeed after `extensions.retryAfter` seconds.',
    classes: [Throttled],
    extensions: retryAfter,
    status: 429,
    restStatus: 503,
  },
  OVERLOADED: {
    meaning:
      'The server is overloaded. Nothing was done; ' +
      'the same request may succeed after `extensions.retryAfter` seconds.',
    classes: [Overloaded],
    extensions: retryAfter,
    status: 503,
    restStatus: 503,
  },
  DATABASE_UNAVAILABLE: {
    meaning:
      'The database cannot be reached, or its node has no majority or is read-only. ' +
      'A write with it changed nothing; ' +
      'the same request may succeed after `extensions.retryAfter` seconds.',
    classes: [DatabaseUnavailable],
    extensions: retryAfter,
    restStatus: 503,
  },
  OUTCOME_UNKNOWN: {
    meaning:
      'The connection to the database was lost during a commit: the write may have taken place or not. ' +
      'If `extensions.committed` is true, the write was committed to the objects of `extensions.ids`, and ' +
      '`extensions.reason` is the code for which its payload could not be read. ' +
      'Read the state before you send it again.',
    classes: [OutcomeUnknown],
  },
  BAD_REQUEST: {
    meaning: 'The HTTP request is not a GraphQL request, or a mutation came by GET.',
  },
  NOT_ACCEPTABLE: {
    meaning:
      'The answer is JSON, or a stream of events: ' +
      'a subscription needs `accept: text/event-stream`; other operations must also accept JSON.',
    status: 406,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body of a POST request is not application/json in UTF-8.',
  },
  REQUEST_ENTITY_TOO_LARGE: {
    meaning: 'The body of the request is too long.',
    status: 413,
  },
  UNAUTHENTICATED: {
    meaning:
      'The credentials are missing, invalid or expired. ' + 'A subscription ends with it when they expire.',
  },
  AUTHENTICATION_UNAVAILABLE: {
    meaning:
      'The identity provider cannot be reached. Nothing was done; the same request may succeed after ' +
      '`extensions.retryAfter` seconds.',
  },
  FORBIDDEN: {
    meaning:
      'The credentials do not allow the field, which is null, or the argument that `extensions.path` names; ' +
      'or the request is addressed to another host, or comes from a web page of another origin.',
    classes: [Forbidden],
    extensions: ({ argument }: Forbidden) => ({ path: argument }),
  },
  INTERNAL_SERVER_ERROR: {
    meaning: 'An error of the server; its log has the details, with `extensions.requestId`.',
  },
} satisfies Readonly<Record<string, RequestErrorEntry>>;

export type RequestErrorCode = keyof typeof REQUEST_ERRORS;

export function entryOf(code: RequestErrorCode): RequestErrorEntry {
  return REQUEST_ERRORS[code];
}

/** A failure with a code, and the error of a class of the table that it means. */
interface KnownFailure {
  readonly code: RequestErrorCode;
  readonly error: Error;
}

/** Returns the code of an error of a class of the table. Null for others. */
export function codeOfClass(error: unknown): RequestErrorCode | null {
  const codes = Object.keys(REQUEST_ERRORS) as RequestErrorCode[];
  return codes.find((code) => entryOf(code).classes?.some((type) => error instanceof type)) ?? null;
}

/** Returns what an error means for the request, also an error of the database. Null for an unexpected one. */
export function failureOf(thrown: unknown): KnownFailure | null {
  // elsewhere, the cause of OutcomeUnknown (a lost connection) means that nothing was changed
  const error = thrown instanceof OutcomeUnknown ? thrown : (refusal(thrown) ?? thrown);
  const code = codeOfClass(error);
  return code === null ? null : { code, error: error as Error };
}
