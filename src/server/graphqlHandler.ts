import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Process } from '../process/process.js';
import { serverTiming } from '../telemetry/operationLog.js';
import { createApi, type ApiOptions } from './api.js';
import { JSON_TYPE } from './http/contentType.js';
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

/** Answers requests whose body has been read. */
export function graphqlHandler(process: Process, { unreadTimeout }: HttpLimits, options: ApiOptions) {
  const api = createApi(process, options);
  const { telemetry } = process;
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body } = request;
    const { socket } = raw;
    // Yoga knows the media type in this form alone
    const isKnown = method !== 'POST' || raw.headers['content-type'] === JSON_TYPE;
    const headers = isKnown ? raw.headers : { ...raw.headers, 'content-type': JSON_TYPE };
    const requestId = String(response.getHeader('x-request-id'));
    const record = telemetry?.begin(requestId, raw.headers);
    const received = { requestId, body: typeof body === 'string' ? body : '', record };
    try {
      const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
      record?.answer(answer.status);
      if (answer.status === 406 && answer.body === null) return sendError(response, NOT_ACCEPTABLE);
      if (record && TIMING_WANTED in headers) response.setHeader('server-timing', serverTiming(record));
      const sent = sendNodeResponse(answer, response, raw, true);
      socket.setTimeout(unreadTimeout); // Yoga switches it off for streams
      await sent;
    } finally {
      if (record) telemetry?.end(record);
    }
  };
}
