import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Process } from '../process/process.js';
import { graphiqlPage } from './graphiql.js';
import { graphqlHandler } from './graphqlHandler.js';
import { contentTypeError } from './http/contentType.js';
import { answerLiveness, answerReadiness } from './http/health.js';
import { sendError, type HttpError } from './http/httpError.js';
import { createHttpServer, HTTP_LIMITS, type HttpLimits } from './http/httpServer.js';
import { answerMetrics } from './http/metrics.js';
import { asksForPage, LOCAL_HOSTS, originError } from './http/origins.js';

/** How long `close` waits for answers under way. */
const GRACE_MS = 10_000;

export interface ServerOptions {
  /** Host names by which clients may address the server, besides those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may send requests, besides the server's own. */
  readonly allowedOrigins?: readonly string[];
  /** The longest body of a request, in bytes; 16 MiB unless said otherwise. */
  readonly longestBody?: number;
  /** Whether browsers get GraphiQL; they do unless said otherwise. */
  readonly hasGraphiql?: boolean;
  /** Whether clients may ask for the schema; they may unless said otherwise. */
  readonly hasIntrospection?: boolean;
  readonly limits?: HttpLimits;
}

export interface Server {
  /** Serves at /graphql; port 0 takes a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Takes no more requests, ends the subscriptions and the work in the background, and waits for the answers under way. The database
   * stays open.
   */
  close(): Promise<void>;
}

/** The HTTP server: GraphQL and GraphiQL at /graphql, health at /livez and /readyz, figures at /metrics. */
export function createServer(
  process: Process,
  {
    allowedHosts = [],
    allowedOrigins = [],
    longestBody = 16_777_216,
    hasGraphiql = true,
    hasIntrospection = true,
    limits = HTTP_LIMITS,
  }: ServerOptions = {},
): Server {
  const metrics = process.telemetry?.metrics;
  const answerGraphql = graphqlHandler(process, limits, { hasIntrospection });
  const allowed = { allowedHosts: [...LOCAL_HOSTS, ...allowedHosts], allowedOrigins };

  /** The last resort: answers what no code below has foreseen, and tells nothing of it but the request's id. */
  function fail(error: unknown, response: ServerResponse): void {
    process.report(error, `answering request ${String(response.getHeader('x-request-id'))}`);
    if (response.headersSent) response.destroy();
    else sendError(response, FAILED);
  }

  const app = fastify({
    return503OnClosing: false,
    exposeHeadRoutes: false,
    bodyLimit: longestBody,
    frameworkErrors: (_error, _request, reply) => refuse(reply, NOT_FOUND),
    serverFactory: (listener) =>
      createHttpServer(
        limits,
        (request, response) => {
          const error = originError(request, allowed);
          if (error) sendError(response, error);
          else listener(request, response);
        },
        metrics && ((status) => metrics.responseSent(status)),
      ),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((_request, reply) => refuse(reply, NOT_FOUND));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    reply.hijack();
    if (error.statusCode === undefined || error.statusCode >= 500) fail(error, reply.raw);
    else sendError(reply.raw, clientError(error));
  });
  app.get('/', (_request, reply) => reply.redirect('/graphql'));
  addProbes(app, process);
  app.all('/graphql', {
    onRequest(request, reply, done) {
      const error = request.method === 'POST' ? contentTypeError(request.headers) : null;
      if (error) refuse(reply, error);
      else done();
    },
    async handler(request, reply) {
      if (asksForPage(request.raw) && hasGraphiql) {
        const { html, policy } = await graphiqlPage();
        return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
      }
      reply.hijack();
      await answerGraphql(request, reply).catch((error: unknown) => fail(error, reply.raw));
    },
  });

  return {
    async listen(port, host) {
      await process.start();
      await app.listen({ port, host }).catch((error: unknown) => {
        process.stop();
        throw error;
      });
      return app.server.address() as AddressInfo;
    },
    async close() {
      process.stop();
      const sweep = setInterval(() => app.server.closeIdleConnections(), 20);
      const force = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      await app.close();
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/** What operators and their programs ask. */
function addProbes(app: Pick<FastifyInstance, 'get'>, process: Process): void {
  const metrics = process.telemetry?.metrics;
  app.get('/livez', (_request, reply) => answerLiveness(reply));
  for (const path of ['/readyz', '/healthz'])
    app.get(path, (_request, reply) => answerReadiness(process, reply));
  if (metrics) app.get('/metrics', (_request, reply) => answerMetrics(metrics, process.report, reply));
}

const NOT_FOUND: HttpError = {
  status: 404,
  code: 'BAD_REQUEST',
  message: 'There is nothing here: GraphQL is served at /graphql.',
};

const FAILED: HttpError = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The server failed; its log has the details.',
};

function refuse(reply: FastifyReply, error: HttpError): void {
  reply.hijack();
  sendError(reply.raw, error);
}

/** What is wrong with a request that could not be read. */
function clientError({ statusCode = 400 }: FastifyError): HttpError {
  if (statusCode === 413)
    return { status: 413, code: 'REQUEST_ENTITY_TOO_LARGE', message: 'The body of the request is too long.' };
  return { status: statusCode, code: 'BAD_REQUEST', message: 'The request could not be read.' };
}
