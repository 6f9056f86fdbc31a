import { request } from 'node:http';
import { expect } from '@jest/globals';
import { IS_FULL } from '../support/length.js';

/** The answer to a request, or the reason why there is none. */
export interface Reply {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The beginning of the body. */
  readonly text: string;
  /** Null if the answer is complete. */
  readonly failure: string | null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal;
  /** Reads a chunk each 100 ms, or only the first one. */
  readonly reads?: 'slowly' | 'nothing';
  /** The address of the client. */
  readonly localAddress?: string;
}

const KEPT = 200_000;

/** Sends a request on a new connection and measures the answer. Never rejects. */
export function send(
  url: string,
  body: string | Buffer | null,
  options: RequestOptions = {},
): Promise<Reply> {
  const { method = 'POST', headers = {}, signal, reads, localAddress } = options;
  const began = performance.now();
  return new Promise((resolve) => {
    const reply = { status: 0, bytes: 0, text: '' };
    const end = (failure: string | null): void =>
      resolve({ ...reply, failure, ms: performance.now() - began });
    const sent = request(url, {
      method,
      agent: false,
      signal,
      localAddress,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (response) => {
      reply.status = response.statusCode ?? 0;
      response.setEncoding('latin1');
      response.on('data', (text: string) => {
        reply.bytes += text.length;
        if (reply.text.length < KEPT) reply.text += text;
        if (reads === undefined) return;
        response.pause();
        if (reads === 'slowly') setTimeout(() => response.resume(), 100);
      });
      response.on('end', () => end(null));
      response.on('error', (error: Error) => end(error.message));
    });
    sent.on('error', (error: Error) => end(error.message));
    sent.end(body ?? undefined);
  });
}

/** Sends a document. */
export function ask(
  url: string,
  query: string,
  variables?: object,
  options: RequestOptions = {},
): Promise<Reply> {
  return send(url, JSON.stringify({ query, variables }), options);
}

export const all = <T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => work(number)));

/** Expects an answer in time for each request, or an error by which the server protects itself. */
export function expectAnswers(replies: readonly Reply[]): void {
  for (const reply of replies) {
    expect(reply.failure).toBeNull();
    expect([200, 400, 429, 503]).toContain(reply.status);
    for (const code of codesOf(reply))
      expect(['LIMIT_EXCEEDED', 'OVERLOADED', 'THROTTLED', 'TIMEOUT']).toContain(code);
    expect(reply.ms).toBeLessThan(35_000);
  }
}

/** Sends a query `count` times at once; with `--full` it first sends it alone. */
export async function expectAnswersTo(url: string, query: string, count: number): Promise<void> {
  if (IS_FULL) expectAnswers([await ask(url, query)]);
  expectAnswers(await all(count, () => ask(url, query)));
}

/** Repeats the same selection `count` times, each time under its own alias. */
export function aliases(count: number, selection: string): string {
  return Array.from({ length: count }, (_, number) => `a${number}: ${selection}`).join('\n');
}

/** The codes of an answer's errors, each once. */
export function codesOf({ text }: Reply): string[] {
  return [...new Set([...text.matchAll(/"code":\s*"([A-Z_]+)"/g)].map(([, code]) => code))];
}
