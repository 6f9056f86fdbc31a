import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Process } from '../process/process.js';
import { createApi, type ApiOptions } from './api.js';
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

/** Answers requests whose body has been read. */
export function graphqlHandler(
  process: Process,
  { unreadTimeout }: HttpLimits,
  streams: EventStreams,
  options: ApiOptions,
) {
  const api = createApi(process, options);
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body } = request;
    const { socket } = raw;
    // Yoga knows the media type in this form alone
    const isKnown = method !== 'POST' || raw.headers['content-type'] === JSON_TYPE;
    const headers = isKnown ? raw.headers : { ...raw.headers, 'content-type': JSON_TYPE };
    const received = {
      requestId: String(response.getHeader('x-request-id')),
      body: typeof body === 'string' ? body : '',
    };
    const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
    if (answer.status === 406 && answer.body === null) return sendError(response, NOT_ACCEPTABLE);
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) streams.add(response);
    const sent = sendNodeResponse(answer, response, raw, true);
    socket.setTimeout(unreadTimeout); // Yoga switches it off for streams
    await sent;
  };
}
