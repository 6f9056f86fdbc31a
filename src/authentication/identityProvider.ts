import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Report } from '../runtime/report.js';
import { AuthenticationUnavailable } from './failures.js';

/** How long an answer may take, and how long it may be. */
const TIMEOUT_MS = 5_000;
const LONGEST_ANSWER = 1_048_576;

/** Requests under way at the same time; others wait for their turn. */
const CONNECTIONS = 32;

/** How often failures are reported at most: every request may be one. */
const REPORT_INTERVAL_MS = 10_000;

/** Each request has a connection of its own: they are few, and one that is kept may be closed by the other side meanwhile. */
const agents = {
  http: new HttpAgent({ maxSockets: CONNECTIONS }),
  https: new HttpsAgent({ maxSockets: CONNECTIONS }),
};

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A server that knows something of tokens. What goes wrong with it is reported, and clients are told without details. */
export class IdentityProvider {
  private reportedAt = -Infinity;

  constructor(
    /** How messages call it. */
    private readonly name: string,
    private readonly report: Report,
  ) {}

  /**
   * What is made of the answer to a GET; a redirection is not followed.
   * @throws AuthenticationUnavailable where there is no answer, or `read` throws
   */
  async ask<T>(url: URL, headers: Readonly<Record<string, string>>, read: (answer: Answer) => T): Promise<T> {
    try {
      return read(await get(url, headers));
    } catch (cause) {
      throw this.failure(cause, `asking ${url.origin}${url.pathname}`);
    }
  }

  private failure(cause: unknown, during: string): AuthenticationUnavailable {
    if (performance.now() - this.reportedAt > REPORT_INTERVAL_MS) {
      this.reportedAt = performance.now();
      this.report(cause, during);
    }
    return new AuthenticationUnavailable(`${this.name} does not answer as it should: try again later.`, {
      cause,
    });
  }
}

async function get(url: URL, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const isSecure = url.protocol === 'https:';
  const request = isSecure
    ? httpsRequest(url, { headers, signal, agent: agents.https })
    : httpRequest(url, { headers, signal, agent: agents.http });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined); // those who read the response are told
  let body = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    body += chunk;
    if (body.length > LONGEST_ANSWER)
      throw new Error(`the answer is longer than ${LONGEST_ANSWER} characters`);
  }
  return { status: response.statusCode!, body };
}

/** @throws Error unless the answer is JSON with the status 200 */
export function jsonOf({ status, body }: Answer): unknown {
  if (status !== 200) throw new Error(`the status is ${status}, not 200`);
  return JSON.parse(body) as unknown;
}
