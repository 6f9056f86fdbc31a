import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { MIMEType, promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { isIPv6, type Socket } from 'node:net';
import Negotiator from 'negotiator';
import type { HttpError } from './httpError.js';

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

const JSON_TYPES = [JSON_TYPE, 'application/graphql-response+json'];

/** Matches the only charset of answers in an Accept header. */
const UTF8 = /;\s*charset="?utf-?8"?/gi;

/**
 * Selects the media types of an answer, as an Accept header: a JSON type, an event stream, or both.
 * Subscriptions then use the event stream. Null if the client accepts neither.
 */
export function acceptedTypes({ headers }: IncomingMessage): string | null {
  const { accept = '*/*' } = headers;
  if (accept === '*/*' || accept === JSON_TYPE) return JSON_TYPE;
  const negotiator = new Negotiator({ headers: { accept: accept.replace(UTF8, '') } });
  const json = negotiator.mediaType(JSON_TYPES);
  // a wildcard does not select a stream
  const stream = negotiator.mediaTypes().find((type) => type.toLowerCase() === EVENT_STREAM);
  return [json, stream?.toLowerCase()].filter(Boolean).join(', ') || null;
}

/**
 * Accepts only JSON bodies. A web page of another origin cannot send JSON without a CORS preflight.
 * The server rejects it for origins that are not allowed, so they cannot write for their visitor.
 */
export function contentTypeError(headers: IncomingHttpHeaders): HttpError | null {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!isJson(type)) return unsupported('Send the request with the content type application/json, in UTF-8.');
  if (encoding !== 'identity') return unsupported('Send the request without a content encoding.');
  return null;
}

function isJson(type: string): boolean {
  if (type === JSON_TYPE) return true;
  try {
    const { essence, params } = new MIMEType(type);
    return essence === JSON_TYPE && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function unsupported(message: string): HttpError {
  return { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message };
}

/** The minimum size to compress (bytes): shorter answers take longer to compress than to send. */
export const SMALLEST = 8_192;

const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

const LEVEL = { level: 1 };

/** The supported codings, best first. Their levels are the cheapest by measurement. */
const CODINGS = {
  br: (text: string | ArrayBuffer) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string | ArrayBuffer) => promisify(gzip)(text, LEVEL),
};

export type Coding = keyof typeof CODINGS;

/** Returns a stream that compresses the parts of an answer. */
export function compressor(coding: Coding): Transform {
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(LEVEL);
}

const PREFERRED = Object.keys(CODINGS) as Coding[];

/** Returns the coding of an answer. Null unless it is long JSON and its client accepts a coding. */
export function contentCoding(request: IncomingMessage, { headers }: Response): Coding | null {
  if (Number(headers.get('content-length')) < SMALLEST) return null;
  if (!headers.get('content-type')?.startsWith('application/')) return null;
  return acceptedCoding(request);
}

/** Returns the best coding that a client accepts, or null. */
export function acceptedCoding(request: IncomingMessage): Coding | null {
  const accepted = new Negotiator(request).encodings(PREFERRED);
  return PREFERRED.find((coding) => accepted.includes(coding)) ?? null;
}

/** Compresses in other threads than the event loop's. */
export function compress(text: string | ArrayBuffer, coding: Coding): Promise<Buffer> {
  return CODINGS[coding](text);
}

/** Sends an answer compressed. @param count is called with its compressed length */
export async function sendCompressed(
  answer: Response,
  response: ServerResponse,
  coding: Coding,
  count: (bytes: number) => void,
): Promise<void> {
  const { status, headers } = answer;
  const bytes = await compress(await answer.arrayBuffer(), coding);
  if (response.destroyed) return;
  headers.set('content-encoding', coding);
  headers.set('content-length', String(bytes.length));
  response.appendHeader('vary', 'accept-encoding');
  response.setHeaders(headers);
  response.writeHead(status).end(bytes);
  count(bytes.length);
}

/** The wildcard that allows every origin. */
const ANY_ORIGIN = '*';

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
const COMMON_ANSWER_HEADERS = ['x-request-id', 'retry-after'];

export const GRAPHQL_API: SharedApi = {
  methods: 'GET, POST',
  requestHeaders: [...COMMON_HEADERS, 'x-server-timing', ...TRACE_HEADERS].join(', '),
  answerHeaders: [...COMMON_ANSWER_HEADERS, 'server-timing', 'www-authenticate'].join(', '),
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
    'www-authenticate',
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

export interface AllowedOrigins {
  /** Host names by which clients may address the server, with any port. */
  readonly hosts: ReadonlySet<string>;
  /** Other origins whose web pages may send requests. */
  readonly origins: ReadonlySet<string>;
  /** Whether the server's own pages require TLS. */
  readonly isSecure: boolean;
  /** Whether browsers get GraphiQL at /graphql. */
  readonly hasPage: boolean;
}

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the names of this machine and the given ones, in lower case. */
export function hostNames(given: readonly string[]): ReadonlySet<string> {
  return new Set([...LOCAL_HOSTS, ...given.map((name) => name.toLowerCase())]);
}

/** Rejects requests by another name: if the name of a web page resolves to this server (DNS rebinding), `Host` has it. */
export function hostError(
  { headers, socket }: IncomingMessage,
  hosts: ReadonlySet<string>,
): HttpError | null {
  const name = hostName(headers.host ?? '');
  if (hosts.has(name) || isAddressOf(socket, name)) return null;
  const message =
    'The Host header of the request does not name this server. ' +
    'It may be allowed by the setting http.allowedHosts (--allowed-host).';
  return { status: 421, code: 'FORBIDDEN', message };
}

/**
 * Rejects web pages of other origins that act as their visitor. `Origin` or, if the browser omits it,
 * `Sec-Fetch-Site` identifies other pages. Programs other than browsers send neither of these two.
 */
export function originError(request: IncomingMessage, allowed: AllowedOrigins): HttpError | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = request.headers;
  const isAllowed =
    origin === undefined
      ? site === 'none' || site === 'same-origin' || getsPage(request, allowed)
      : isOriginOf(host, origin, allowed) || allowed.origins.has(origin) || allowed.origins.has(ANY_ORIGIN);
  if (isAllowed) return null;
  const message =
    'Web pages of other origins may not use this server, ' +
    'unless allowed by the setting http.allowedOrigins (--allowed-origin).';
  return { status: 403, code: 'FORBIDDEN', message };
}

/** Any origin may link to a page, because it runs no operation. */
function getsPage(request: IncomingMessage, { hasPage }: AllowedOrigins): boolean {
  return asksForPage(request) && (hasPage || !/^\/+graphql\b/.test(request.url ?? ''));
}

/** Returns whether a browser requests a page. */
export function asksForPage({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return method === 'GET' && accept.includes('text/html');
}

/** Removes the port. */
function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Returns whether the client addressed the server by the IP address of the connection, as probes of
 * orchestrators do. This is safe, because DNS rebinding needs a name.
 */
function isAddressOf({ localAddress = '' }: Socket, name: string): boolean {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return name === (isIPv6(address) ? `[${address}]` : address);
}

/** Ignores the protocol unless the server itself uses TLS: a proxy may add TLS. */
function isOriginOf(host: string, origin: string, { isSecure }: AllowedOrigins): boolean {
  return origin.replace(isSecure ? /^https:\/\// : /^https?:\/\//, '') === host.toLowerCase();
}
