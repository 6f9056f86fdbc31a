import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Authenticator } from './authentication/authenticator.js';
import type { Viewer } from '../model/viewer.js';
import type { Process } from './process.js';
import type { WatchedFiles } from './start/watchedFiles.js';
import { addDashboard } from './pages/dashboard.js';
import { ALL_CODES } from './graphql/errorCodes.js';
import { graphiqlPage } from './pages/graphiql.js';
import { graphqlHandler, type HandlerOptions } from './graphql/api.js';
import { authenticationError, identify } from './http/authentication.js';
import {
  GRAPHQL_API,
  REST_API,
  shareWithOrigins,
  acceptedCoding,
  contentTypeError,
  asksForPage,
  hostError,
  hostNames,
  originError,
  type AllowedOrigins,
} from './http/headers.js';
import { EventStreams } from './http/eventStreams.js';
import { sendError, type HttpError } from './http/httpError.js';
import { createHttpServer, HTTP_LIMITS, setKeyPair, type HttpLimits, ServerLife } from './http/httpServer.js';
import { addMetrics, addProbes } from './http/probes.js';
import type { KeyPair } from './http/tls.js';
import { maxBodyOf, readBody } from './graphql/limits.js';
import { DEFAULT_REST, type RestSettings } from '../api/rest/settings.js';
import { addRest, MOUNT, refuseRest } from './rest/restHandler.js';
import type { TrustedDocuments } from './graphql/trustedDocuments/trustedDocuments.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender. Null if authentication is disabled. */
    viewer: Viewer | null;
  }
}

/**
 * The maximum number of connections that wait until the server accepts them. The kernel also bounds
 * it by net.core.somaxconn. It drops further ones; their clients retry after one and three seconds.
 */
const BACKLOG = 4_096;

/** How long `close` waits for running requests. */
const GRACE_MS = 10_000;

export interface ServerOptions extends HandlerOptions {
  /** Allowed host names in addition to those of this machine and the address of the connection. */
  readonly allowedHosts?: readonly string[];
  /** Other origins whose web pages may send requests and read the answers. `*` allows any. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. Defaults to none. */
  readonly trustedProxies?: readonly string[];
  /** The maximum body of a request (bytes). Defaults to 16 MiB. */
  readonly longestBody?: number;
  /** Whether browsers get GraphiQL. Defaults to true. */
  readonly hasGraphiql?: boolean;
  /** Whether browsers get the dashboard. Defaults to true. */
  readonly hasDashboard?: boolean;
  /** Null disables authentication: every client may do everything. Defaults to null. */
  readonly authenticator?: Authenticator | null;
  /** The allowed documents, watched while the server runs. Disables GraphiQL. Defaults to any. */
  readonly trustedDocuments?: WatchedFiles<TrustedDocuments>;
  /** The key pair for HTTPS, watched while the server runs. If omitted, the server uses HTTP. */
  readonly keyPair?: WatchedFiles<KeyPair>;
  readonly limits?: HttpLimits;
  /**
   * How long a stopping server accepts requests but reports on /readyz that it is not ready (ms).
   * Load balancers need this time to notice. Defaults to 0.
   */
  readonly drain?: number;
  /** The REST API. Null: it is not served. */
  readonly rest?: RestSettings | null;
}

export type Server = ReturnType<typeof createServer>;

/** Creates the HTTP server: /graphql, GraphiQL, the dashboard, /livez, /readyz and /metrics. */
export function createServer(process: Process, options: ServerOptions = {}) {
  const { longestBody = 16_777_216, hasGraphiql = true, hasDashboard = true, limits = HTTP_LIMITS } = options;
  const { keyPair, trustedDocuments, authenticator = null, hasCompression = true } = options;
  const { trustedProxies = [], rest = DEFAULT_REST } = options;
  const metrics = process.telemetry?.metrics;
  metrics?.startAtZero(ALL_CODES);
  const life = new ServerLife();
  const streams = new EventStreams(authenticator);
  const answerGraphql = graphqlHandler(process, limits, streams, options);
  const hasPage = hasGraphiql && trustedDocuments === undefined;
  const allowed = {
    hasPage,
    hosts: hostNames(options.allowedHosts ?? []),
    origins: new Set(options.allowedOrigins),
    isSecure: keyPair !== undefined,
  };

  /** Reports an unexpected error. The answer contains only the id of the request. */
  function fail(error: unknown, response: ServerResponse): void {
    process.report(error, `answering request ${String(response.getHeader('x-request-id'))}`);
    if (response.headersSent) response.destroy();
    else sendError(response, FAILED);
  }

  const restServer = { process, life, authenticator, limits, hasCompression };
  /** Returns the options of a Fastify instance. `restMount` is the path of the REST API; null if it has none. */
  const fastifyOptions = (restMount: string | null) => ({
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // names in paths: 200 characters of up to twelve each, encoded
    routerOptions: { maxParamLength: 4_096 },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    schemaController: { compilersFactory: NO_SCHEMAS },
    rewriteUrl: (request: IncomingMessage) => restPath(request, restMount) ?? request.url ?? '/',
    serverFactory: (listener: RequestListener) =>
      createHttpServer(limits, checked(allowed, life, listener, restMount), {
        keyPair: keyPair?.current,
        onAnswered: metrics && ((status) => metrics.responseSent(status)),
        hasRest: restMount !== null,
      }),
  });

  const getsPage = (request: IncomingMessage): boolean => hasPage && asksForPage(request);

  const app = fastify({
    ...fastifyOptions(rest && MOUNT),
    frameworkErrors: (_error, _request, reply) => refuse(reply, NOT_FOUND),
  });
  readBodies(app, longestBody);
  if (rest) addRest(app, MOUNT, MOUNT, restServer, rest);
  const sendPage = hasDashboard ? addDashboard(app, hasCompression) : null;
  app.setNotFoundHandler((request, reply) =>
    sendPage && asksForPage(request.raw) ? sendPage(request, reply.code(404)) : refuse(reply, NOT_FOUND),
  );
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    reply.hijack();
    const refusal = authenticationError(error);
    if (refusal) sendError(reply.raw, refusal);
    else if (error.statusCode === undefined || error.statusCode >= 500) fail(error, reply.raw);
    else sendError(reply.raw, clientError(error));
  });
  if (!hasDashboard) app.get('/', (_request, reply) => reply.redirect('/graphql'));
  addProbes(app, process, life);
  addMetrics(app, process, authenticator);
  app.all('/graphql', {
    onRequest(request, reply, done) {
      const early = getsPage(request.raw) ? null : life.refusal;
      const error = early ?? (request.method === 'POST' ? contentTypeError(request.headers) : null);
      if (error) refuse(reply, error);
      else if (authenticator === null || getsPage(request.raw)) done();
      else identify(authenticator, request, done);
    },
    async handler(request, reply) {
      if (getsPage(request.raw)) {
        const { body, headers } = await graphiqlPage(hasCompression ? acceptedCoding(request.raw) : null);
        return reply.headers(headers).send(body);
      }
      reply.hijack();
      await answerGraphql(request, reply).catch((error: unknown) => fail(error, reply.raw));
    },
  });

  if (!rest || rest.port === null) return serverOf([app], process, life, streams, options);
  const restApp = fastify(fastifyOptions(''));
  addRest(restApp, ROOT, '', restServer, rest);
  readBodies(restApp, longestBody);
  return serverOf([app, restApp], process, life, streams, options);
}

/** The path to which the URLs of a port are rewritten that serves only the REST API. */
const ROOT = '/';

/** Returns the path to which the URL of a REST request is rewritten. Null for other requests. */
function restPath(request: IncomingMessage, mount: string | null): string | null {
  return mount !== null && isUnder(mount, request) ? mount || ROOT : null;
}

/** Returns whether a request is for the REST API, if that is mounted under `mount`. */
function isUnder(mount: string, { url = '' }: IncomingMessage): boolean {
  return url.startsWith(mount) && /^(?:[/?]|$)/.test(url.slice(mount.length));
}

/** Makes an instance read the bodies of requests whose sender is known. */
function readBodies(app: FastifyInstance, longestBody: number): void {
  app.decorateRequest('viewer', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    // a request that is answered with 404 has shown no credentials
    request.is404
      ? Promise.resolve('')
      : readBody(payload, maxBodyOf(request.viewer, longestBody), BODY_TOO_LONG),
  );
}

/** @param apps the instances for the port of the server and for `rest.port` */
function serverOf(
  [app, restApp]: readonly FastifyInstance[],
  process: Process,
  life: ServerLife,
  streams: EventStreams,
  { keyPair, trustedDocuments, rest, drain = 0 }: ServerOptions,
) {
  const apps = restApp ? [app, restApp] : [app];
  return {
    /** Starts and listens. Port 0 selects a free port. Rejects if the port is in use. */
    async listen(port: number, host: string): Promise<AddressInfo> {
      await this.start();
      return this.open(port, host).catch((error: unknown) => {
        process.stop();
        throw error;
      });
    },
    /** Listens without serving: until `start` ends, it rejects requests with a retry delay. */
    async open(port: number, host: string): Promise<AddressInfo> {
      await app.listen({ port, host, backlog: BACKLOG });
      if (restApp) await restApp.listen({ port: rest!.port!, host, backlog: BACKLOG });
      keyPair?.watch(process, (pair) => apps.forEach(({ server }) => setKeyPair(server, pair)));
      trustedDocuments?.watch(process);
      return app.server.address() as AddressInfo;
    },
    /** Makes /readyz report that the server waits for its database. */
    wait: () => life.wait(),
    /** Starts the process, then accepts requests. */
    async start(): Promise<void> {
      await process.start();
      life.serve();
    },
    /** Drains, ends subscriptions and background work, waits for answers. The database stays open. */
    async close(): Promise<void> {
      const pause = life.isServing ? drain : 0;
      life.stop();
      if (pause > 0) await sleep(pause);
      streams.end();
      process.stop();
      keyPair?.stop();
      trustedDocuments?.stop();
      await Promise.all(apps.map(closeGently));
    },
  };
}

/** Closes each connection when it becomes idle. After GRACE_MS, closes all. */
async function closeGently(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 20);
  const force = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(force);
}

/** No route has a schema. Loading Fastify's schema compilers would take a tenth of the startup. */
const noSchemas = (): never => {
  throw new Error('no route has a schema');
};
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas };

const NOT_FOUND: HttpError = {
  status: 404,
  code: 'BAD_REQUEST',
  message: 'Not found: GraphQL is served at /graphql.',
};

const FAILED: HttpError = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The server failed; its log has the details.',
};

/**
 * Passes on requests that address this server and come from allowed origins. While the server stops, each answer
 * closes its connection.
 */
function checked(
  allowed: AllowedOrigins,
  life: ServerLife,
  listener: RequestListener,
  restMount: string | null,
): RequestListener {
  return (request, response) => {
    const isRest = restPath(request, restMount) !== null;
    // a REST request of a page that writes needs a preflight, and only allowed origins can read answers
    const error = hostError(request, allowed.hosts) ?? (isRest ? null : originError(request, allowed));
    if (error) return isRest ? refuseRest(request, response, error) : sendError(response, error);
    if (shareWithOrigins(request, response, allowed.origins, isRest ? REST_API : GRAPHQL_API)) return;
    if (life.isStopping) response.setHeader('connection', 'close');
    listener(request, response);
  };
}

function refuse(reply: FastifyReply, error: HttpError): void {
  reply.hijack();
  sendError(reply.raw, error);
}

const BODY_TOO_LONG = Object.assign(new Error('the body is too long'), { statusCode: 413 });

/** Returns the error for a request that could not be read. */
function clientError({ statusCode = 400 }: FastifyError): HttpError {
  if (statusCode === 413)
    return { status: 413, code: 'REQUEST_ENTITY_TOO_LARGE', message: 'The body of the request is too long.' };
  return { status: statusCode, code: 'BAD_REQUEST', message: 'The request could not be read.' };
}
