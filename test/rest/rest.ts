import { useApi, type ApiOfFile } from '../support/api.js';

export interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined if it is no JSON. */
  readonly json: any; // eslint-disable-line
}

/**
 * Sends a request to the REST API. `version` is the minor version; 39 by default, and null for none. A buffer is sent
 * as it is, without a content type; other bodies as JSON.
 */
export type Rest = (
  method: string,
  path: string,
  options?: {
    readonly body?: unknown;
    readonly version?: number | null;
    readonly headers?: Readonly<Record<string, string>>;
  },
) => Promise<RestResponse>;

/** Returns a client of the REST API of a server, whose GraphQL endpoint has this URL. */
export function restOf(url: () => string): Rest {
  return async (method, path, { body, version = 39, headers } = {}) => {
    const response = await fetch(url().replace(/graphql$/, `placement${path}`), {
      method,
      headers: {
        ...(version !== null && { 'openstack-api-version': `placement 1.${version}` }),
        ...(body !== undefined && !Buffer.isBuffer(body) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body:
        body === undefined || Buffer.isBuffer(body)
          ? (body as Uint8Array<ArrayBuffer>)
          : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
}

/** Starts a server before the tests of a file, and stops it afterwards. */
export function useRest(settings: Parameters<typeof useApi>[0] = {}): ApiOfFile & { readonly rest: Rest } {
  const started = useApi(settings);
  const rest = restOf(() => started.api.url);
  return {
    rest,
    get api() {
      return started.api;
    },
    get other() {
      return started.other;
    },
    get database() {
      return started.database;
    },
  };
}
