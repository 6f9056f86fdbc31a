import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Sends a request and waits for the head of its answer. Not by fetch, which takes three times as long to be loaded as all the rest. */
export async function post(
  url: string,
  headers: OutgoingHttpHeaders,
  body: string,
): Promise<IncomingMessage> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers }, resolve).on('error', reject).end(body);
  });
}
