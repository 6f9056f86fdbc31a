import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createYoga } from 'graphql-yoga';
import type { Database } from '../database/database.js';
import type { Context } from '../schema/context.js';
import { createLoaders } from '../schema/loaders.js';
import { buildSchema } from '../schema/schema.js';
import { loadSnapshot } from '../snapshot/load.js';
import { useJsonOnly } from './contentType.js';
import { useCost } from './cost.js';
import { DocumentCache, NO_ERROR_CACHE } from './documentCache.js';
import { errorMask } from './errorCodes.js';
import { GRAPHIQL, renderGraphiql } from './graphiql.js';
import { answerHealth } from './health.js';
import { useDocumentLimits } from './limits.js';

/** The longest body of a request, in bytes. */
const LONGEST_BODY = 1_048_576;

/** How long a client may take to send its request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long `close` waits for answers that are being made. */
const GRACE_MS = 10_000;

export interface ServerOptions {
  readonly database: Database;
  /** Where candidate searches get their picture of the offer; loaded for each query unless said otherwise. */
  readonly snapshots?: Context['snapshots'];
  /** Told of each unexpected error; standard error unless said otherwise. */
  readonly log?: (error: unknown) => void;
}

export interface Server {
  /** Serves at /graphql; port 0 takes a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Takes no more requests and waits for the answers being made. The database stays open. */
  close(): Promise<void>;
}

/** The HTTP server: GraphQL and GraphiQL at /graphql, health at /healthz. */
export function createServer({ database, log = console.error, ...options }: ServerOptions): Server {
  const snapshots = options.snapshots ?? { current: () => loadSnapshot(database) };
  const yoga = createYoga({
    schema: buildSchema(),
    context: ({ request }): Context => ({
      database,
      snapshots,
      signal: request.signal,
      loaders: createLoaders(database),
    }),
    plugins: [useJsonOnly(), useDocumentLimits(), useCost()],
    maskedErrors: { maskError: errorMask(log) },
    maxRequestBodySize: LONGEST_BODY,
    parserAndValidationCache: { documentCache: new DocumentCache(), errorCache: NO_ERROR_CACHE },
    graphiql: GRAPHIQL,
    renderGraphiQL: renderGraphiql,
    landingPage: false,
    multipart: false,
    cors: false,
    logging: false,
  });

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('x-content-type-options', 'nosniff');
    if (pathname === '/healthz') void answerHealth(database, response);
    else if (pathname === '/') response.writeHead(302, { location: '/graphql' }).end();
    else void yoga(request, response);
  }

  const http = createHttpServer({ requestTimeout: REQUEST_TIMEOUT_MS }, handle);
  return {
    async listen(port, host) {
      http.listen(port, host);
      await once(http, 'listening');
      return http.address() as AddressInfo;
    },
    async close() {
      if (!http.listening) return;
      const closed = once(http, 'close');
      http.close();
      const sweep = setInterval(() => http.closeIdleConnections(), 20);
      const force = setTimeout(() => http.closeAllConnections(), GRACE_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}
