import { request, type Agent } from 'node:http';

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request over the keep-alive connections of an agent. Rejects if the connection is lost. */
function send(url: string, agent: Agent, { method, headers, body = '' }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const all = {
      ...(body !== '' && { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(body),
      ...headers,
    };
    const sent = request(url, { method, agent, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Posts JSON and returns the body of the answer. */
export async function post(url: string, agent: Agent, body: string): Promise<string> {
  return (await send(url, agent, { method: 'POST', body })).text;
}

/** A request of Placement's REST API. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The minor version. Default: 39. */
  readonly version?: number;
}

export interface RestAnswer {
  readonly status: number;
  /** The code and the detail of the first error. Null without an error. */
  readonly code: string | null;
  readonly detail: string | null;
  readonly body: { readonly uuid?: string } & Readonly<Record<string, unknown>>;
}

/** Sends a request to the REST API of the server with this GraphQL endpoint. */
export async function sendRest(
  url: string,
  agent: Agent,
  { method, path, body, version = 39 }: RestRequest,
): Promise<RestAnswer> {
  const headers = { 'openstack-api-version': `placement 1.${version}` };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = await send(url.replace(/graphql$/, `placement${path}`), agent, {
    method,
    headers,
    body: text,
  });
  const parsed = (sent.text === '' ? {} : JSON.parse(sent.text)) as RestAnswer['body'];
  const { errors } = parsed as {
    readonly errors?: readonly { readonly code: string; readonly detail: string }[];
  };
  const { code = null, detail = null } = errors?.[0] ?? {};
  return { status: sent.status, code, detail, body: parsed };
}

/** Posts a request, with more headers and other options of `fetch` if they are given. */
export function postJson(
  url: string,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
  options: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...options,
  });
}
