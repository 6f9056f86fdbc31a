import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../database/database.js';
import { announceFound } from '../ledger/recordFound.js';
import type { Context } from '../schema/context.js';
import { LiveSnapshots } from '../snapshot/liveSnapshot.js';
import { Upkeep } from '../snapshot/backgroundJobs.js';
import { ProviderWatch } from '../feed/watch.js';
import { createApi } from './api.js';
import { answerHealth } from './health.js';

/** The longest body of a request, in bytes. */
const LONGEST_BODY = 1_048_576;

/** How long a client may take to send its request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long a connection may be idle: longer than load balancers keep theirs, so that it is they who close them. */
const KEEP_ALIVE_MS = 75_000;

/** How long `close` waits for answers that are being made. */
const GRACE_MS = 10_000;

export interface ServerOptions {
  readonly database: Database;
  /** Where candidate searches get their picture of the offer; a live one of this process unless said otherwise. */
  readonly snapshots?: Context['snapshots'];
  /** What subscriptions read, and what is closed with the server; one of this process unless said otherwise. */
  readonly watch?: ProviderWatch;
  /** Told of each unexpected error; standard error unless said otherwise. */
  readonly log?: (error: unknown) => void;
}

export interface Server {
  /** Serves at /graphql; port 0 takes a free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Takes no more requests, ends the subscriptions and waits for the answers being made. The database stays open. */
  close(): Promise<void>;
}

/** The HTTP server: GraphQL and GraphiQL at /graphql, health at /healthz. */
export function createServer({ database, log = console.error, ...options }: ServerOptions): Server {
  const live = new LiveSnapshots(database);
  const upkeep = new Upkeep(database, live, (ids, known) => announceFound(database, ids, known));
  const snapshots = options.snapshots ?? live;
  const watch = options.watch ?? new ProviderWatch(database);
  const api = createApi({ database, snapshots, watch, log, longestBody: LONGEST_BODY });

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('x-content-type-options', 'nosniff');
    if (pathname === '/healthz') void answerHealth(database, live, response);
    else if (pathname === '/') response.writeHead(302, { location: '/graphql' }).end();
    else void api(request, response);
  }

  const http = createHttpServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    handle,
  );
  return {
    async listen(port, host) {
      await live.current();
      upkeep.start();
      http.listen(port, host);
      await once(http, 'listening');
      return http.address() as AddressInfo;
    },
    async close() {
      upkeep.stop();
      watch.close();
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
