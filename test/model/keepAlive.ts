import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { post } from '../support/httpPost.js';

/** Makes an API ask over connections that stay open, for tests of many thousand requests: fetch costs as much as the server. */
export function withKeepAlive(api: Api): Api {
  const agent = new Agent({ keepAlive: true });
  const close = api.close.bind(api);
  return Object.assign(api, {
    async query<T>(query: string, variables?: object) {
      return JSON.parse(await post(api.url, agent, JSON.stringify({ query, variables }))) as Answer<T>;
    },
    async close() {
      agent.destroy();
      await close();
    },
  });
}

/** As toEqual, but quick where all is well. */
export function expectSame(given: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected);
}
