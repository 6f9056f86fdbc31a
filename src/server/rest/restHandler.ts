import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../authentication/authenticator.js';
import { createRest, refused, type SentAnswer } from '../../api/rest/rest.js';
import { RestError, unavailable } from '../../api/rest/restErrors.js';
import type { RestSettings } from '../../api/rest/settings.js';
import type { Process } from '../process.js';
import type { Operation } from '../../model/operation/operation.js';
import { acceptedCoding, compress, compressor, SMALLEST, type Coding } from '../http/headers.js';
import { authenticationError, identify } from '../http/authentication.js';
import {
  completeContext,
  type HttpLimits,
  beginOperation,
  clientOf,
  isClosed,
  type ServerLife,
  UnsentAnswers,
} from '../http/httpServer.js';
import { sendEarly, type HttpError } from '../http/httpError.js';
import { untilAborted } from '../../model/operation/waiting.js';

interface Server {
  readonly process: Process;
  readonly life: ServerLife;
  readonly authenticator: Authenticator | null;
  readonly limits: HttpLimits;
  readonly hasCompression: boolean;
}

/** The path under which the API is served on the port of the GraphQL API. */
export const MOUNT = '/placement';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const GLOBAL_ID = /^req-[\w-]{1,60}$/;

/** Returns the id of a request, in the form of OpenStack. */
function requestIdOf(response: ServerResponse): string {
  const known = response.getHeader('x-openstack-request-id');
  if (typeof known === 'string') return known;
  const id = String(response.getHeader('x-request-id'));
  const requestId = `req-${UUID.test(id) ? id : randomUUID()}`;
  response.setHeader('x-openstack-request-id', requestId);
  return requestId;
}

/**
 * Serves the REST API at one path of a Fastify instance, which rewrites the URLs of all its requests to that path:
 * Fastify would reject some paths that the API answers.
 */
export function addRest(
  app: FastifyInstance,
  path: string,
  mount: string,
  server: Server,
  options: RestSettings,
): void {
  const { process, life, authenticator } = server;
  const answer = restHandler(server, mount, options);
  app.all(path, {
    onRequest(request, reply, done) {
      const early = life.refusal;
      if (early) return refuseRest(request.raw, reply.hijack().raw, early);
      if (authenticator === null || isRoot(request, mount)) return done();
      identify(authenticator, request, (failure) => {
        if (!failure) return done();
        const error = authenticationError(failure);
        if (error === null) process.report(failure, 'verifying credentials');
        refuseRest(request.raw, reply.hijack().raw, withChallenge(error ?? FAILED, options));
      });
    },
    // Fastify judges the type of a body before the route is known, which may take none
    errorHandler(error: FastifyError, request, reply) {
      if (error.statusCode === 415) void answer(request, reply.hijack().raw);
      else sendRefusal(request.raw, reply.hijack().raw, bodyError(error));
    },
    handler: (request, reply) => answer(request, reply.hijack().raw),
  });
}

const FAILED: HttpError = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'The log of the server has the details.',
};

function bodyError({ statusCode }: FastifyError): RestError {
  return statusCode === 413
    ? new RestError(413, 'The body of the request is too long.')
    : new RestError(400, 'The request could not be read.');
}

function withChallenge(error: HttpError, { keystoneUrl }: RestSettings): HttpError {
  if (error.status !== 401 || keystoneUrl === null) return error;
  return { ...error, headers: { 'www-authenticate': `Keystone uri="${keystoneUrl}"` } };
}

/** The version document needs no credentials. */
function isRoot(request: FastifyRequest, mount: string): boolean {
  const { path } = partsOf(request, mount);
  return path === '' || path === '/';
}

function partsOf({ originalUrl }: FastifyRequest, mount: string): { path: string; query: string } {
  const [path, ...query] = originalUrl.slice(mount.length).split('?');
  return { path, query: query.join('?') };
}

/** Answers an error of a REST request outside of the API. */
export function refuseRest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, retryAfter, headers = {} }: HttpError,
): void {
  const all = { ...headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  sendRefusal(request, response, new RestError(status, message, undefined, {}, all));
}

function sendRefusal({ headers }: IncomingMessage, response: ServerResponse, error: RestError): void {
  const answer = refused(error, { headers, requestId: requestIdOf(response) });
  const { vary, ...own } = answer.headers;
  sendEarly(response.appendHeader('vary', vary), answer.status, own, answer.body);
}

/** Answers requests whose sender is known and whose body was read. Each operation ends when its response closes. */
function restHandler({ process, limits, hasCompression }: Server, mount: string, options: RestSettings) {
  const rest = createRest(options, process.report);
  const unsent = new UnsentAnswers(limits);
  return async (request: FastifyRequest, response: ServerResponse): Promise<void> => {
    if (isClosed(response)) return;
    const { raw, method, body, viewer } = request;
    const requestId = requestIdOf(response);
    const client = clientOf(request);
    if (unsent.isFull(client.id))
      return sendRefusal(raw, response, unavailable('Too much of earlier answers has not been read yet.'));
    const { operation, record } = beginOperation(process, request, response, requestId, client);
    if (record) record.globalRequestId = globalIdOf(raw);
    await process.operations.arrivals.turn(client, raw.socket);
    if (isClosed(response)) return;
    const answer = await rest.answer({
      method,
      ...partsOf(request, mount),
      headers: raw.headers,
      body: typeof body === 'string' ? body : '',
      mount,
      origin: `${request.protocol}://${request.host}`,
      requestId,
      context: completeContext({ operation, viewer, requestId }, process),
      onRoute: (name, isWrite) => record?.executeRoute(name, isWrite),
    });
    record?.answer(answer.status);
    if (isClosed(response)) return;
    const coding = hasCompression ? acceptedCoding(raw) : null;
    const { body: text } = answer;
    if (text !== null && typeof text !== 'string') return stream(response, answer, text, coding, operation);
    operation.end(); // sending takes no capacity
    const bytes = await sendText(response, answer, text, coding);
    unsent.add(response, client.id, bytes);
  };
}

type Text = NonNullable<SentAnswer['body']>;

/** Sends a whole text, compressed if it is long. Returns the length that was sent (bytes). */
async function sendText(
  response: ServerResponse,
  { status, headers }: SentAnswer,
  text: string | null,
  coding: Coding | null,
): Promise<number> {
  if (text === null) {
    writeHead(response, status, headers, null).end();
    return 0;
  }
  const used = text.length < SMALLEST ? null : coding;
  const bytes = used === null ? Buffer.from(text) : await compress(text, used);
  if (response.destroyed) return 0;
  writeHead(response, status, { ...headers, 'content-length': String(bytes.length) }, used).end(bytes);
  return bytes.length;
}

/** Writes the headers of an answer. `vary` is added to what the answer has of it already. */
function writeHead(
  response: ServerResponse,
  status: number,
  { vary, ...headers }: SentAnswer['headers'],
  coding: Coding | null,
): ServerResponse {
  response.appendHeader('vary', vary);
  if (coding !== null) response.appendHeader('vary', 'accept-encoding').setHeader('content-encoding', coding);
  return response.writeHead(status, headers);
}

/** Sends parts of a text while they are written. After a failure, the connection closes within the answer. */
async function stream(
  response: ServerResponse,
  { status, headers }: SentAnswer,
  parts: Exclude<Text, string>,
  coding: Coding | null,
  { signal }: Operation,
): Promise<void> {
  writeHead(response, status, headers, coding);
  const transform = coding === null ? null : compressor(coding);
  const sink: Writable = transform ?? response;
  const compressed = transform === null ? Promise.resolve() : pipeline(transform, response, { signal });
  compressed.catch(() => undefined); // awaited below, unless a part fails first
  try {
    // a part is valid until the next one is requested
    for await (const part of parts) await untilAborted(signal, written(sink, part));
    sink.end();
    await compressed;
  } catch (error) {
    const isLost = signal.aborted || isClosed(response);
    response.destroy();
    if (!isLost) throw error;
  }
}

/** Resolves when a part was sent or compressed. */
function written(sink: Writable, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

function globalIdOf({ headers }: IncomingMessage): string | null {
  const { 'x-openstack-request-id': id } = headers;
  return typeof id === 'string' && GLOBAL_ID.test(id) ? id : null;
}
