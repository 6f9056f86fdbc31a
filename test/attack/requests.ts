import { request } from 'node:http';
import { connect } from 'node:net';

/** What came back of a request, or why nothing did. */
export interface Reply {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** The beginning of the body. */
  readonly text: string;
  /** Null: the answer came to its end. */
  readonly failure: string | null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes away when this aborts. */
  readonly signal?: AbortSignal;
  /** Takes the answer in this way: slowly, a piece now and then, or not at all. */
  readonly reads?: 'slowly' | 'nothing';
}

const KEPT = 200_000;

/** Sends a request on a connection of its own and counts the answer; never rejects. */
export function send(
  url: string,
  body: string | Buffer | null,
  options: RequestOptions = {},
): Promise<Reply> {
  const { method = 'POST', headers = {}, signal, reads } = options;
  const began = performance.now();
  return new Promise((resolve) => {
    const reply = { status: 0, bytes: 0, text: '' };
    const end = (failure: string | null): void =>
      resolve({ ...reply, failure, ms: performance.now() - began });
    const sent = request(url, {
      method,
      agent: false,
      signal,
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

/** Sends bytes as they are on a connection of their own; gives what comes back until the end, or until the time is over. */
export function sendRaw(url: string, bytes: string, patience = 2_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1').setTimeout(patience, end);
    socket.on('data', (part: string) => (text += part));
    socket.on('close', end);
    socket.on('error', end);
    socket.write(bytes);
  });
}

/** `count` times the same selection under aliases of its own. */
export function aliases(count: number, selection: string): string {
  return Array.from({ length: count }, (_, number) => `a${number}: ${selection}`).join('\n');
}

/** The codes of an answer's errors, each once. */
export function codesOf({ text }: Reply): string[] {
  return [...new Set([...text.matchAll(/"code":\s*"([A-Z_]+)"/g)].map(([, code]) => code))];
}
