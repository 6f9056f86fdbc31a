import type { IncomingMessage, ServerResponse } from 'node:http';

/** The wildcard that allows every origin. */
export const ANY_ORIGIN = '*';

/** What the pages of allowed origins may send to an API, and which headers they may read besides safelisted ones. */
interface SharedApi {
  readonly methods: string;
  /** `*` would not include `authorization`. */
  readonly requestHeaders: string;
  readonly answerHeaders: string;
  /** The status of a preflight. A preflight of another origin gets it, too, if `answersAll` is true. */
  readonly status: number;
  readonly answersAll: boolean;
}

const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'];
const COMMON_HEADERS = ['content-type', 'authorization', 'x-auth-token', 'x-request-id'];
const COMMON_ANSWER_HEADERS = ['x-request-id', 'retry-after', 'www-authenticate'];

export const GRAPHQL_API: SharedApi = {
  methods: 'GET, POST',
  requestHeaders: [...COMMON_HEADERS, 'x-server-timing', ...TRACE_HEADERS].join(', '),
  answerHeaders: [...COMMON_ANSWER_HEADERS, 'server-timing'].join(', '),
  status: 204,
  answersAll: false,
};

export const REST_API: SharedApi = {
  methods: 'GET, PUT, POST, DELETE',
  requestHeaders: [
    ...COMMON_HEADERS,
    'openstack-api-version',
    'x-openstack-request-id',
    ...TRACE_HEADERS,
  ].join(', '),
  answerHeaders: [
    ...COMMON_ANSWER_HEADERS,
    'openstack-api-version',
    'x-openstack-request-id',
    'location',
  ].join(', '),
  status: 200,
  answersAll: true,
};

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
  api: SharedApi,
): boolean {
  if (allowedOrigins.size === 0) return false;
  const { origin } = headers;
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  const isAny = allowedOrigins.has(ANY_ORIGIN);
  if (!isAny) response.setHeader('vary', 'origin');
  if (origin === undefined || !(isAny || allowedOrigins.has(origin))) {
    if (!isPreflight || !api.answersAll) return false;
    response.writeHead(api.status).end();
    return true;
  }
  response.setHeader('access-control-allow-origin', isAny ? ANY_ORIGIN : origin);
  if (!isPreflight) {
    response.setHeader('access-control-expose-headers', api.answerHeaders);
    return false;
  }
  response.writeHead(api.status, {
    'access-control-allow-methods': api.methods,
    'access-control-allow-headers': api.requestHeaders,
    'access-control-max-age': String(MAX_AGE),
  });
  response.end();
  return true;
}
