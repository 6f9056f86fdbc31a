import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Process } from '../process.js';
import { serverTiming } from '../telemetry/telemetry.js';
import { createApi, type ApiOptions } from './api.js';
import { beginOperation, clientOf, isClosed } from '../http/requests.js';
import { contentCoding, sendCompressed } from '../http/compression.js';
import type { EventStreams } from '../http/eventStreams.js';
import { sendError, type HttpError } from '../http/httpError.js';
import type { HttpLimits } from '../http/httpServer.js';
import { acceptedTypes, EVENT_STREAM, JSON_TYPE } from '../http/mediaType.js';
import { UnsentAnswers } from '../http/unsentAnswers.js';

const NOT_ACCEPTABLE: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message:
    'Accept application/graphql-response+json or application/json, for a subscription text/event-stream.',
};

const UNREAD: HttpError = {
  status: 503,
  code: 'OVERLOADED',
  message: 'Too much of earlier answers has not been read yet.',
  retryAfter: 1,
};

/** The header that requests the durations of the phases of a request. */
const TIMING_WANTED = 'x-server-timing';

export interface HandlerOptions extends ApiOptions {
  /** Whether long answers are compressed for clients that accept it. Defaults to true. */
  readonly hasCompression?: boolean;
}

/** Answers requests whose body was read. Each operation ends when its response closes. */
export function graphqlHandler(
  process: Process,
  limits: HttpLimits,
  streams: EventStreams,
  { hasCompression = true, ...options }: HandlerOptions,
) {
  const api = createApi(process, options);
  const unsent = new UnsentAnswers(limits);
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body, viewer } = request;
    const { socket } = raw;
    if (isClosed(response)) return;
    const accept = acceptedTypes(raw);
    if (accept === null) return sendError(response, NOT_ACCEPTABLE);
    const client = clientOf(request);
    if (unsent.isFull(client.id)) return sendError(response, UNREAD);
    // Yoga recognizes the media type of the body in this form only
    const headers = { ...raw.headers, accept, ...(method === 'POST' && { 'content-type': JSON_TYPE }) };
    const requestId = String(response.getHeader('x-request-id'));
    const { operation, record } = beginOperation(process, request, response, requestId, client);
    await process.operations.arrivals.turn(client, socket);
    if (isClosed(response)) return;
    const received = { requestId, body: typeof body === 'string' ? body : '', viewer, record, operation };
    const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
    record?.answer(answer.status);
    if (isClosed(response)) return; // the body of the answer has not been started
    if (record && TIMING_WANTED in headers) response.setHeader('server-timing', serverTiming(record));
    if (answer.headers.get('content-type') === EVENT_STREAM) {
      streams.add(response, { operation, viewer, headers: raw.headers });
      // disables buffering in nginx and other proxies
      response.setHeader('x-accel-buffering', 'no');
    }
    const coding = hasCompression ? contentCoding(raw, answer) : null;
    const count = (bytes: number): void => unsent.add(response, client.id, bytes);
    if (coding) return sendCompressed(answer, response, coding, count);
    count(Number(answer.headers.get('content-length')));
    const sent = sendNodeResponse(answer, response, raw, true);
    socket.setTimeout(limits.unreadTimeout); // Yoga disables the timeout for streams
    await sent;
  };
}
