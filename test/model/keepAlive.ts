import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { apiAt, type Api } from '../support/api.js';
import { post, sendRest, type RestAnswer, type RestRequest } from '../support/httpPost.js';

export interface KeptApi extends Api {
  /** Sends a request to the REST API. */
  rest(request: RestRequest): Promise<RestAnswer>;
}

/**
 * Makes an API use keep-alive connections, for tests of many thousand requests. fetch costs as much
 * time as the server.
 */
export function withKeepAlive(api: Api): KeptApi {
  const agent = new Agent({ keepAlive: true });
  return {
    ...api,
    ...apiAt(api.url, (url, body) => post(url, agent, body)),
    rest: (request) => sendRest(api.url, agent, request),
    async close() {
      agent.destroy();
      await api.close();
    },
  };
}

/** Like toEqual, but fast if the values are equal. */
export function expectSame(given: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected);
}
