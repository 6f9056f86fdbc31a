import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Process } from '../process/process.js';
import { createApi } from './api.js';
import { answerHealth } from './health.js';

/** The longest body of a request, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** How long a client may take to send its request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long a connection may be idle: longer than load balancers keep theirs, so that it is they who close them. */
const KEEP_ALIVE_MS = 75_000;

/** How long `close` waits for answers under way. */
const GRACE_MS = 10_000;

export interface Server {
  /** Serves at /graphql; port 0 takes a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Takes no more requests, ends the subscriptions and the work in the background, and waits for the answers under way. The database
   * stays open.
   */
  close(): Promise<void>;
}

/** The HTTP server: GraphQL and GraphiQL at /graphql, health at /healthz. */
export function createServer(process: Process): Server {
  const api = createApi(process, { longestBody: MAX_BODY_BYTES });

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('x-content-type-options', 'nosniff');
    if (pathname === '/healthz') void answerHealth(process, response);
    else if (pathname === '/') response.writeHead(302, { location: '/graphql' }).end();
    else void api(request, response);
  }

  const http = createHttpServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    handle,
  );
  return {
    async listen(port, host) {
      await process.start();
      http.listen(port, host);
      await once(http, 'listening').catch((error: unknown) => {
        process.stop();
        throw error;
      });
      return http.address() as AddressInfo;
    },
    async close() {
      process.stop();
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
