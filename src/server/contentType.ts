import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/**
 * Takes POST requests in JSON alone. A web page of another origin cannot send that without a CORS preflight, which this server does
 * not grant: so no page can write here on behalf of its visitor.
 */
export function useJsonOnly(): Plugin {
  return {
    onRequestParse({ request }) {
      if (request.method !== 'POST') return;
      const type = request.headers.get('content-type') ?? '';
      if (/^application\/json\s*(;|$)/.test(type)) return;
      const message = 'Send the request with the content type application/json.';
      throw requestError('UNSUPPORTED_MEDIA_TYPE', message, { status: 415 });
    },
  };
}
