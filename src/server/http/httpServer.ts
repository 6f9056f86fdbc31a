import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FairShares, type Place } from '../../model/operation/fairShares.js';
import { errorBody, sendError, type HttpError } from './httpError.js';
import type { KeyPair } from './tls.js';

/** Limits of connections, requests and unread answers. Times are in milliseconds. */
export interface HttpLimits {
  readonly connections: number;
  /** The maximum number of unanswered requests of one connection (HTTP pipelining). */
  readonly requestsOfConnection: number;
  /** How long a client may take to send the headers, and the whole request. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection may be idle: longer than in load balancers, so that these close it. */
  readonly keepAlive: number;
  /** How long a client may read nothing of its answer before the server closes its connection. */
  readonly unreadTimeout: number;
  /** The unread answers (bytes) from which requests are rejected: in total, and of one sender. */
  readonly unsent: number;
  readonly unsentOfSender: number;
  /** The minimum rate at which a client reads a long answer (bytes per second), and extra time. */
  readonly sendRate: number;
  readonly sendGrace: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connections: 10_000,
  requestsOfConnection: 100,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAlive: 75_000,
  unreadTimeout: 60_000,
  unsent: 134_217_728,
  unsentOfSender: 33_554_432,
  sendRate: 65_536,
  sendGrace: 10_000,
};

/** The interval at which Node checks headersTimeout and requestTimeout. */
const CHECKING_INTERVAL_MS = 2_000;

/** The timeout of a TLS handshake (ms): less than a closing server waits for its connections. */
const HANDSHAKE_MS = 8_000;

const REQUEST_ID = /^[\w.-]{1,100}$/;

/** The headers of every answer. GraphiQL and the dashboard replace the content security policy. */
const SECURITY_HEADERS = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
] as const;

interface HttpServerOptions {
  /** The key pair for HTTPS. If omitted, the server uses HTTP. */
  readonly keyPair?: KeyPair;
  /** Called with the status of each answer. */
  readonly onAnswered?: (status: number) => void;
}

/** Creates a server with limits. Sets security headers and the client's or a new request id. */
export function createHttpServer(
  limits: HttpLimits,
  listener: RequestListener,
  { keyPair, onAnswered }: HttpServerOptions = {},
): Server {
  /** Maps each connection to its open responses. */
  const answers = new Map<Duplex, Set<ServerResponse>>();
  const refused = new WeakSet<Duplex>();
  const options = {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, limits.headersTimeout),
  };
  const onRequest: RequestListener = (request, response) => {
    const { socket } = request;
    if (refused.has(socket)) return;
    setHeaders(request, response);
    const waiting = answers.get(socket) ?? new Set();
    answers.set(socket, waiting.add(response));
    response.once('close', () => {
      waiting.delete(response);
      if (waiting.size === 0) answers.delete(socket);
      if (response.headersSent) onAnswered?.(response.statusCode);
    });
    if (waiting.size > limits.requestsOfConnection) {
      // the answer closes the connection; later requests are not read: Node would abort each singly
      refused.add(socket);
      // pauses permanently: each waiting request would resume the socket to read its body
      socket.pause().resume = () => socket;
      sendError(response, TOO_MANY_REQUESTS);
    } else if (waiting.size === 1) listener(request, response);
    // yields to other connections: per turn of the event loop, Node reads up to 2 MiB of one
    else setImmediate(() => listener(request, response));
  };
  const server = keyPair
    ? createTlsServer({ ...options, ...keyPair, handshakeTimeout: HANDSHAKE_MS }, onRequest)
    : createServer(options, onRequest);
  shareConnections(server, limits.connections, () => answers.keys());
  server.setTimeout(limits.unreadTimeout, (socket) => {
    // nothing is unread while an operation, which has a deadline of its own, still runs
    const isWorking = [...(answers.get(socket) ?? [])].some((answer) => !answer.headersSent);
    if (isWorking && socket.writableLength === 0) socket.setTimeout(limits.unreadTimeout);
    else socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [answer, ...others] = answers.get(socket) ?? [];
    const hasBegun = others.length > 0 || answer?.headersSent;
    if (hasBegun || !socket.writable) socket.destroy();
    else socket.end(malformed(error));
  });
  return server;
}

interface Connection extends Place {
  readonly port: number | undefined;
}

/**
 * Shares connections fairly between addresses. If all are taken, a new connection replaces an idle
 * one of the address with the most, if its own address has fewer. Otherwise the server closes it.
 * @param busy returns the connections with unanswered requests
 */
function shareConnections(server: Server, size: number, busy: () => Iterable<Duplex>): void {
  const connections = new FairShares<Connection>({
    size,
    message: 'The server has too many connections.',
    retryAfter: 1,
    choose(own) {
      // a connection and its TLS stream are different objects
      const ports = new Set([...busy()].map((stream) => (stream as Socket).remotePort));
      return [...own].find(({ port }) => !ports.has(port));
    },
  });
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: id = '', remotePort: port } = socket;
    const connection = { client: { id, isExempt: false }, port, reclaim: () => socket.destroy() };
    if (connections.take(connection)) socket.destroy();
    else socket.once('close', () => connections.free(connection));
  });
}

/** Replaces the certificate of an HTTPS server. Open connections keep the previous one. */
export function setKeyPair(server: Server, keyPair: KeyPair): void {
  if (server instanceof TlsServer) server.setSecureContext(keyPair);
}

function setHeaders({ headers }: IncomingMessage, response: ServerResponse): void {
  const { 'x-request-id': id } = headers;
  const isValid = typeof id === 'string' && REQUEST_ID.test(id);
  response.setHeader('x-request-id', isValid ? id : randomUUID());
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
}

const TOO_MANY_REQUESTS: HttpError = {
  status: 503,
  code: 'OVERLOADED',
  message: 'Too many requests of this connection wait for their answers.',
  retryAfter: 1,
  close: true,
};

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_INVALID_CONTENT_LENGTH: 'The content-length header must be an integer.',
};

/** Returns the raw answer to malformed or slow input, for which Node creates no response object. */
function malformed({ code = '' }: NodeJS.ErrnoException): string {
  const requestId = randomUUID();
  const message = MESSAGES[code] ?? 'The request is not HTTP, has too long a head, or came too slowly.';
  const body = errorBody({ status: 400, code: 'BAD_REQUEST', message }, requestId);
  const headers = [
    ...SECURITY_HEADERS,
    ['x-request-id', requestId],
    ['content-type', 'application/json; charset=utf-8'],
    ['content-length', Buffer.byteLength(body)],
    ['connection', 'close'],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${STATUS[code] ?? '400 Bad Request'}\r\n${head}\r\n${body}`;
}
