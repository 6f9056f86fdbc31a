import type { IncomingMessage, ServerResponse } from 'node:http';

/** The wildcard that allows every origin. */
export const ANY_ORIGIN = '*';

/** Headers that a page may send besides safelisted ones. `*` would not include `authorization`. */
const REQUEST_HEADERS = [
  'content-type',
  'authorization',
  'x-auth-token',
  'x-request-id',
  'x-server-timing',
  'traceparent',
  'tracestate',
  'baggage',
].join(', ');

/** Headers of an answer that a page may read besides safelisted ones. */
const ANSWER_HEADERS = ['x-request-id', 'retry-after', 'server-timing', 'www-authenticate'].join(', ');

/** How long a browser may cache a preflight (seconds): the maximum that Chromium accepts. */
const MAX_AGE = 7_200;

/**
 * Sets the CORS headers. Omits the one for cookies, because the server uses none.
 * @returns whether the request was a preflight, which is then answered completely
 */
export function shareWithOrigins(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  if (allowedOrigins.size === 0) return false;
  const { origin } = headers;
  const isAny = allowedOrigins.has(ANY_ORIGIN);
  if (!isAny) response.setHeader('vary', 'origin');
  if (origin === undefined || !(isAny || allowedOrigins.has(origin))) return false;
  response.setHeader('access-control-allow-origin', isAny ? ANY_ORIGIN : origin);
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    response.setHeader('access-control-expose-headers', ANSWER_HEADERS);
    return false;
  }
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': String(MAX_AGE),
  });
  response.end();
  return true;
}
