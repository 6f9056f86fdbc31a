import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerErrorCode } from '../errorCodes.js';

/** How long a client may keep sending after an early answer (ms), so that it can read the answer. */
const LINGER_MS = 1_000;

/** Why an HTTP request is answered before GraphQL sees it. */
export interface HttpError {
  readonly status: number;
  readonly code: ServerErrorCode;
  readonly message: string;
  /** When the same request may succeed, in seconds. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the connection ends with the answer at once. It ends a little later when a body was not read. */
  readonly close?: boolean;
}

/** Answers with an error in the form of a GraphQL response. */
export function sendError(response: ServerResponse, error: HttpError): void {
  const { req: request } = response;
  const isUnread = !error.close && hasBody(request) && !request.complete;
  const body = errorBody(error, String(response.getHeader('x-request-id')));
  response.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...error.headers,
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
    ...((isUnread || error.close) && { connection: 'close' }),
  });
  if (!isUnread) return void response.end(body);
  response.write(body);
  const end = (): void => void response.end();
  const timer = setTimeout(end, LINGER_MS);
  response.once('close', () => clearTimeout(timer));
  request.once('end', end).resume();
}

export function errorBody({ code, message, retryAfter }: HttpError, requestId: string): string {
  return JSON.stringify({ errors: [{ message, extensions: { code, retryAfter, requestId } }] });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}
