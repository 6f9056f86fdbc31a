import { request, type Agent } from 'node:http';

/**
 * Posts JSON over the keep-alive connections of an agent. Returns the body of the answer. Rejects
 * if the connection is lost.
 */
export function post(url: string, agent: Agent, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
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
