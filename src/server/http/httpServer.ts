import {
  type ServerResponse,
  type IncomingMessage,
  createServer,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import { randomUUID } from 'node:crypto';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type HttpError, errorEntry, sendError } from './httpError.js';
import type { Client } from '../../model/operation/client.js';
import { scopesOf } from '../../api/access/rules.js';
import { errorEntry as restErrorEntry, RestError } from '../../api/rest/restErrors.js';
import type { Operation } from '../../model/operation/operation.js';
import type { Process } from '../process.js';
import type { OperationRecord } from '../telemetry/log.js';
import { readableDatabase } from '../../store/database/onConnection.js';
import type { Services } from '../../api/services.js';
import { Loaders } from '../../api/loaders/loaders.js';
import type { Context } from '../../api/context.js';
import { FairShares, type Place } from '../../model/operation/admission.js';
import type { KeyPair } from './tls.js';

/** The delay after which a client that came too early should retry (seconds). */
const RETRY_AFTER = 1;

/** The phase of a server: starting, serving or stopping. */
export class ServerLife {
  private phase: 'starting' | 'serving' | 'stopping' = 'starting';
  private reason = 'the server is starting';

  get isServing(): boolean {
    return this.phase === 'serving';
  }

  get isStopping(): boolean {
    return this.phase === 'stopping';
  }

  /** Makes /readyz report a waiting server. Only the log has the reason: it may name accounts. */
  wait(): void {
    this.reason = 'the server waits for its database; its log has the reason';
  }

  serve(): void {
    if (this.phase === 'starting') this.phase = 'serving';
  }

  stop(): void {
    this.phase = 'stopping';
  }

  /** The answer of /readyz while the server does not serve. Null while it serves. */
  get unready(): { readonly status: string; readonly reason?: string } | null {
    if (this.phase === 'serving') return null;
    return this.phase === 'stopping' ? { status: 'stopping' } : { status: 'starting', reason: this.reason };
  }

  /** The answer to requests while the server starts. Null afterwards. */
  get refusal(): HttpError | null {
    if (this.phase !== 'starting') return null;
    const message = 'The server is starting: retry when /readyz answers 200.';
    return { status: 503, code: 'DATABASE_UNAVAILABLE', message, retryAfter: RETRY_AFTER };
  }
}

/** The minimum size to count (bytes): shorter answers fit into the buffers of a connection. */
const SHORT = 65_536;

/** Limits the unread answers of slow clients: in total, for each sender, and in time. */
export class UnsentAnswers {
  private total = 0;
  private readonly bySender = new Map<string, number>();

  constructor(private readonly limits: HttpLimits) {}

  /**
   * Returns whether a sender must read its answers before it gets more. A sender without unread
   * answers is always served: otherwise slow readers would block all other senders.
   */
  isFull(sender: string): boolean {
    const { unsent, unsentOfSender } = this.limits;
    const unread = this.bySender.get(sender) ?? 0;
    return unread >= unsentOfSender || (unread > 0 && this.total >= unsent);
  }

  /** Counts an answer until it is sent. Closes the connection if the client reads it too slowly. */
  add(response: ServerResponse, sender: string, bytes: number): void {
    if (bytes < SHORT) return;
    this.count(sender, bytes);
    const cut = (): void => void response.destroy();
    const { sendGrace, sendRate } = this.limits;
    const timer = setTimeout(cut, sendGrace + (1_000 * bytes) / sendRate).unref();
    response.once('close', () => {
      clearTimeout(timer);
      this.count(sender, -bytes);
    });
  }

  private count(sender: string, bytes: number): void {
    this.total += bytes;
    const left = (this.bySender.get(sender) ?? 0) + bytes;
    if (left === 0) this.bySender.delete(sender);
    else this.bySender.set(sender, left);
  }
}

/** The status, in logs and metrics, of an operation whose client left before its answer. */
const CLIENT_LEFT = 499;

/** Returns the user of the credentials, or the address if authentication is disabled. */
export function clientOf({ viewer, ip }: FastifyRequest): Client {
  return viewer ? { id: viewer.userId, isExempt: scopesOf(viewer).writer } : { id: ip, isExempt: false };
}

export function isClosed(response: ServerResponse): boolean {
  return response.closed || response.destroyed;
}

interface BegunOperation {
  readonly operation: Operation;
  /** Undefined if nothing is logged, counted or traced. */
  readonly record: OperationRecord | undefined;
}

/** Begins the operation of a request. It ends when the response closes, at the latest. */
export function beginOperation(
  { telemetry, operations }: Process,
  { raw, viewer }: Pick<FastifyRequest, 'viewer'> & { readonly raw: IncomingMessage },
  response: ServerResponse,
  requestId: string,
  client: Client,
): BegunOperation {
  const record = telemetry?.begin(requestId, raw.headers);
  if (record && viewer) record.user = viewer.userId;
  const operation = operations.begin(record?.activity, client);
  response.once('close', () => {
    operation.end();
    if (record === undefined) return;
    if (!response.headersSent) record.answer(CLIENT_LEFT);
    telemetry?.end(record);
  });
  return { operation, record };
}

/** A context whose operation is known, and perhaps its viewer and its request. */
type Begun = Partial<{ -readonly [Key in keyof Context]: Context[Key] }> & { readonly operation: Operation };

/**
 * Completes the context of an operation. Assigns each property by name, because `Object.assign` makes a slow dictionary
 * of an object with so many properties.
 */
export function completeContext(begun: Begun, process: Services): Context {
  const { operation } = begun;
  begun.viewer ??= null;
  begun.requestId ??= null;
  begun.log = process.log;
  begun.observer = process.observer;
  begun.excludedRootTraits = process.excludedRootTraits;
  const database = readableDatabase(process.database, operation);
  begun.database = database;
  begun.databaseId = () => process.databaseId();
  begun.ledger = { ...process.ledger, operation };
  begun.claims = { write: (claim) => process.claims.write(claim, operation) };
  begun.reads = process.reads;
  begun.fleetReads = process.fleetReads;
  begun.snapshots = process.snapshots;
  begun.consumers = {
    current: (classIds) =>
      operation.activity.inDatabase('freshness check', () =>
        process.consumers.current(classIds, operation.signal),
      ),
    reread: (ids) => process.consumers.reread(ids),
  };
  begun.watch = process.watch;
  begun.consumerWatch = process.consumerWatch;
  begun.totalsWatch = process.totalsWatch;
  begun.loaders = new Loaders(database, process.reads, operation);
  begun.written = null;
  return begun as Context;
}

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
  /** Whether the server also serves the REST API. */
  readonly hasRest?: boolean;
}

/** Creates a server with limits. Sets security headers and the client's or a new request id. */
export function createHttpServer(
  limits: HttpLimits,
  listener: RequestListener,
  { keyPair, onAnswered, hasRest = false }: HttpServerOptions = {},
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
    else socket.end(malformed(error, hasRest));
  });
  return server;
}

interface OpenConnection extends Place {
  readonly port: number | undefined;
}

/**
 * Shares connections fairly between addresses. If all are taken, a new connection replaces an idle
 * one of the address with the most, if its own address has fewer. Otherwise the server closes it.
 * @param busy returns the connections with unanswered requests
 */
function shareConnections(server: Server, size: number, busy: () => Iterable<Duplex>): void {
  const connections = new FairShares<OpenConnection>({
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

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_INVALID_CONTENT_LENGTH: 'The content-length header must be an integer.',
};

/**
 * Returns the raw answer to malformed or slow input, for which Node creates no response object. The path may be
 * unknown, so with `hasRest` the entry has the members of both APIs.
 */
function malformed({ code = '' }: NodeJS.ErrnoException, hasRest: boolean): string {
  const requestId = randomUUID();
  const restId = `req-${requestId}`;
  const status = STATUS[code] ?? 400;
  const message = MESSAGES[code] ?? 'The request is not HTTP, has too long a head, or came too slowly.';
  const entry = {
    ...(hasRest && restErrorEntry(new RestError(status, message), restId)),
    ...errorEntry({ status, code: 'BAD_REQUEST', message }, requestId),
  };
  const body = JSON.stringify({ errors: [entry] });
  const headers = [
    ...SECURITY_HEADERS,
    ['x-request-id', requestId],
    ...(hasRest ? [['x-openstack-request-id', restId]] : []),
    ['content-type', 'application/json; charset=utf-8'],
    ['content-length', Buffer.byteLength(body)],
    ['connection', 'close'],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
