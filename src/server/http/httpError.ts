import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestErrorCode } from '../../api/requestErrors.js';

/** How long a client may continue to send after an early answer (ms), so that it can read it. */
const LINGER_MS = 1_000;

/** An error with which the server answers a request without GraphQL. */
export interface HttpError {
  readonly status: number;
  readonly code: RequestErrorCode;
  readonly message: string;
  /** The delay after which the same request may succeed (seconds). */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to close the connection at once. If a body is unread, it closes within LINGER_MS. */
  readonly close?: boolean;
}

/** Sends an error in the form of a GraphQL response. */
export function sendError(response: ServerResponse, error: HttpError): void {
  const body = errorBody(error, String(response.getHeader('x-request-id')));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...error.headers,
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...(error.close && { connection: 'close' }),
  };
  sendEarly(response, error.status, headers, body);
}

/** Sends an answer, also before its request was read: then the connection closes afterwards. */
export function sendEarly(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const { req: request } = response;
  const isUnread = headers.connection !== 'close' && hasBody(request) && !request.complete;
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    ...(isUnread && { connection: 'close' }),
  });
  if (!isUnread) return void response.end(body);
  response.write(body);
  const end = (): void => void response.end();
  const timer = setTimeout(end, LINGER_MS);
  response.once('close', () => clearTimeout(timer));
  request.once('end', end).resume();
}

function errorBody(error: HttpError, requestId: string): string {
  return JSON.stringify({ errors: [errorEntry(error, requestId)] });
}

/** The entry of an error in the form of a GraphQL response. */
export function errorEntry({ code, message, retryAfter }: HttpError, requestId: string): object {
  return { message, extensions: { code, retryAfter, requestId } };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}
