import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Process } from '../process/process.js';
import { createApi, type ApiOptions } from './api.js';
import { contentCoding, sendCompressed } from './http/compression.js';
import { JSON_TYPE } from './http/contentType.js';
import { sendError, type HttpError } from './http/httpError.js';
import type { HttpLimits } from './http/httpServer.js';

const NOT_ACCEPTABLE: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message:
    'Accept application/graphql-response+json or application/json, for a subscription text/event-stream.',
};

export interface HandlerOptions extends ApiOptions {
  /** Whether long answers are compressed for clients that accept it; they are unless said otherwise. */
  readonly hasCompression?: boolean;
}

/** Answers requests whose body has been read. */
export function graphqlHandler(
  process: Process,
  { unreadTimeout }: HttpLimits,
  { hasCompression = true, ...options }: HandlerOptions,
) {
  const api = createApi(process, options);
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body, viewer } = request;
    const { socket } = raw;
    // Yoga knows the media type in this form alone
    const isKnown = method !== 'POST' || raw.headers['content-type'] === JSON_TYPE;
    const headers = isKnown ? raw.headers : { ...raw.headers, 'content-type': JSON_TYPE };
    const received = {
      requestId: String(response.getHeader('x-request-id')),
      body: typeof body === 'string' ? body : '',
      viewer,
    };
    const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
    if (answer.status === 406 && answer.body === null) return sendError(response, NOT_ACCEPTABLE);
    // events are passed on at once by nginx, and by other proxies that know its header
    if (isEventStream(answer)) response.setHeader('x-accel-buffering', 'no');
    const coding = hasCompression ? contentCoding(raw, answer) : null;
    if (coding) return sendCompressed(answer, response, coding);
    const sent = sendNodeResponse(answer, response, raw, true);
    socket.setTimeout(unreadTimeout); // Yoga switches it off for streams
    await sent;
  };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}
