import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Report } from '../../model/operation/report.js';
import { AuthenticationUnavailable } from './credentials.js';

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_LENGTH = 1_048_576;

const MAX_CONNECTIONS = 32;

/** The minimum time between reports of failures (ms): every request may fail. */
const REPORT_INTERVAL_MS = 10_000;

/** Requests do not reuse connections: they are few, and the server may close an idle connection. */
const agents = {
  http: new HttpAgent({ maxSockets: MAX_CONNECTIONS }),
  https: new HttpsAgent({ maxSockets: MAX_CONNECTIONS }),
};

export interface IdentityAnswer {
  readonly status: number;
  readonly body: string;
}

/** A server that verifies tokens. Its failures are reported; clients get no details. */
export class IdentityProvider {
  private reportedAt = -Infinity;

  constructor(
    private readonly name: string,
    private readonly report: Report,
  ) {}

  /**
   * Sends a GET and returns the result of `read` for the answer. Does not follow redirections.
   * @throws AuthenticationUnavailable if there is no answer, or `read` throws
   */
  async ask<T>(
    url: URL,
    headers: Readonly<Record<string, string>>,
    read: (answer: IdentityAnswer) => T,
  ): Promise<T> {
    try {
      return read(await get(url, headers));
    } catch (cause) {
      if (performance.now() - this.reportedAt > REPORT_INTERVAL_MS) {
        this.reportedAt = performance.now();
        this.report(cause, `asking ${url.origin}${url.pathname}`);
      }
      const message = `${this.name} returned an invalid answer: try again later.`;
      throw new AuthenticationUnavailable(message, { cause });
    }
  }
}

async function get(url: URL, headers: Readonly<Record<string, string>>): Promise<IdentityAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const isSecure = url.protocol === 'https:';
  const request = isSecure
    ? httpsRequest(url, { headers, signal, agent: agents.https })
    : httpRequest(url, { headers, signal, agent: agents.http });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined); // reading the response throws the error
  let body = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    body += chunk;
    if (body.length > MAX_ANSWER_LENGTH)
      throw new Error(`the answer is longer than ${MAX_ANSWER_LENGTH} characters`);
  }
  return { status: response.statusCode!, body };
}

/** @throws Error unless the answer is JSON with the status 200 */
export function jsonOf({ status, body }: IdentityAnswer): unknown {
  if (status !== 200) throw new Error(`the status is ${status}, not 200`);
  return JSON.parse(body) as unknown;
}
