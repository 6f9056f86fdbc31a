import { request, type IncomingHttpHeaders } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll } from '@jest/globals';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { openDatabase } from '../../src/store/database/database.js';
import { createProcess, type Process, type ProcessSettings } from '../../src/server/process.js';
import { HTTP_LIMITS, type HttpLimits } from '../../src/server/http/httpServer.js';
import { createServer, type Server, type ServerOptions } from '../../src/server/server.js';
import type { Report } from '../../src/model/operation/report.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

export interface Served {
  readonly process: Process;
  readonly server: Server;
  readonly port: number;
  readonly origin: string;
  /** The URL of the GraphQL endpoint. */
  readonly url: string;
}

/** Serves a process on a free port of this machine. */
export async function serve(process: Process, options: ServerOptions = {}): Promise<Served> {
  const server = createServer(process, options);
  const { port } = await server.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${port}`;
  return { process, server, port, origin, url: `${origin}/graphql` };
}

/** Serves a process that another server has started, with other options, while `work` runs. */
export async function withServer(
  process: Process,
  options: ServerOptions,
  work: (served: Served) => Promise<void>,
): Promise<void> {
  const nothing = { start: () => Promise.resolve(), stop: () => undefined };
  const served = await serve({ ...process, ...nothing }, options);
  try {
    await work(served);
  } finally {
    await served.server.close();
  }
}

export const withLimits = (
  process: Process,
  limits: Partial<HttpLimits>,
  work: (url: string) => Promise<void>,
): Promise<void> => withServer(process, { limits: { ...HTTP_LIMITS, ...limits } }, ({ url }) => work(url));

interface ServedOfFile extends Served {
  readonly database: TestDatabase;
  /** The unexpected errors that the process reported, as `during: message`. */
  readonly reported: string[];
}

interface FileSettings extends ServerOptions {
  /** The number of hosts of the demo data; 0: an empty database. */
  readonly hosts?: number;
  readonly process?: ProcessSettings;
}

/** Starts a database and a server before the tests of a file. The members of the result exist from then on. */
export function useServer({ hosts = 0, process: settings, ...options }: FileSettings = {}): ServedOfFile {
  const served = { reported: [] as string[] } as ServedOfFile;
  beforeAll(async () => {
    const database = await testDatabase();
    if (hosts > 0) await loadDemoData(database, { hosts });
    const report: Report = (error, during) =>
      void served.reported.push(`${during}: ${(error as Error).message}`);
    const process = createProcess(openDatabase(database.url), { report, ...settings });
    Object.assign(served, { database }, await serve(process, options));
  });
  afterAll(async () => {
    await served.server.close();
    await served.process.database.close();
    await served.database.close();
  });
  return served;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The common name of the server's certificate. */
  readonly certified?: string;
}

/** A part of an answer with one error of this code. */
export const withCode = (code: string) => ({ errors: [{ extensions: { code } }] });

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Overrides the body that `query` gives. */
  readonly body?: string;
  /** Returns whether the client has received enough; then the answer need not end. */
  readonly isEnough?: (text: string) => boolean;
}

/**
 * Sends a request by Node's own client: `fetch` chooses some headers itself, and undoes compression.
 * @param tls the client's options of TLS, without which there is none. Unless they name an agent, the request has its
 * own connection, because a resumed session has no certificate
 */
export function send(
  port: number,
  {
    method = 'POST',
    path = '/graphql',
    headers,
    query = '{ __typename }',
    body = JSON.stringify({ query }),
    isEnough,
  }: Sent = {},
  tls?: RequestOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const options = {
      port,
      method,
      path,
      headers: { ...type, ...headers },
      ...(tls && { agent: false, ...tls }),
    };
    const sent = (tls ? tlsRequest : request)(options, (response) => {
      const certificate = tls && (response.socket as TLSSocket).getPeerCertificate();
      const parts: Buffer[] = [];
      const end = (): void => {
        const received = Buffer.concat(parts);
        const { statusCode: status, headers: answered } = response;
        const certified = certificate && String(certificate.subject.CN);
        resolve({ status: status!, headers: answered, body: received, text: received.toString(), certified });
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (isEnough?.(Buffer.concat(parts).toString())) end();
      });
      response.on('end', end);
      response.on('error', reject);
    });
    sent.on('error', reject).end(method === 'POST' ? body : undefined);
  });
}
