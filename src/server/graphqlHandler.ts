import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Process } from '../process/process.js';
import { serverTiming } from '../telemetry/operationLog.js';
import { createApi, type ApiOptions } from './api.js';
import { contentCoding, sendCompressed } from './http/compression.js';
import { JSON_TYPE } from './http/contentType.js';
import type { EventStreams } from './http/eventStreams.js';
import { sendError, type HttpError } from './http/httpError.js';
import type { HttpLimits } from './http/httpServer.js';

const NOT_ACCEPTABLE: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message:
    'Accept application/graphql-response+json or application/json, for a subscription text/event-stream.',
};

/** The header by which a client asks how long the parts of its request took. */
const TIMING_WANTED = 'x-server-timing';

export interface HandlerOptions extends ApiOptions {
  /** Whether long answers are compressed for clients that accept it; they are unless said otherwise. */
  readonly hasCompression?: boolean;
}

/** Answers requests whose body has been read. */
export function graphqlHandler(
  process: Process,
  { unreadTimeout }: HttpLimits,
  streams: EventStreams,
  { hasCompression = true, ...options }: HandlerOptions,
) {
  const api = createApi(process, options);
  const { telemetry } = process;
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body, viewer } = request;
    const { socket } = raw;
    // Yoga knows the media type in this form alone
    const isKnown = method !== 'POST' || raw.headers['content-type'] === JSON_TYPE;
    const headers = isKnown ? raw.headers : { ...raw.headers, 'content-type': JSON_TYPE };
    const requestId = String(response.getHeader('x-request-id'));
    const record = telemetry?.begin(requestId, raw.headers);
    if (record && viewer) record.user = viewer.userId;
    const received = { requestId, body: typeof body === 'string' ? body : '', viewer, record };
    try {
      const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
      record?.answer(answer.status);
      if (answer.status === 406 && answer.body === null) return sendError(response, NOT_ACCEPTABLE);
      if (record && TIMING_WANTED in headers) response.setHeader('server-timing', serverTiming(record));
      if (isEventStream(answer)) {
        streams.add(response);
        // events are passed on at once by nginx, and by other proxies that know its header
        response.setHeader('x-accel-buffering', 'no');
      }
      const coding = hasCompression ? contentCoding(raw, answer) : null;
      if (coding) return await sendCompressed(answer, response, coding);
      const sent = sendNodeResponse(answer, response, raw, true);
      socket.setTimeout(unreadTimeout); // Yoga switches it off for streams
      await sent;
    } finally {
      if (record) telemetry?.end(record);
    }
  };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}
