import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** An answer that is shorter than this (bytes) takes longer to compress than to send. */
const SMALLEST = 8_192;

const GZIP = { level: 1 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** How answers are compressed, the best first: at the levels that cost least, by measurement. */
const CODINGS = {
  br: {
    whole: (text: string) => promisify(brotliCompress)(text, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: { whole: (text: string) => promisify(gzip)(text, GZIP), stream: () => createGzip(GZIP) },
};

export type Coding = keyof typeof CODINGS;

const PREFERRED = Object.keys(CODINGS) as Coding[];

/** How an answer is to be compressed: not at all (null) unless it is long and JSON, and its client accepts that. */
export function contentCoding(request: IncomingMessage, answer: Response): Coding | null {
  const length = answer.headers.get('content-length');
  if (length === null ? answer.body === null : Number(length) < SMALLEST) return null;
  if (!answer.headers.get('content-type')?.startsWith('application/')) return null;
  return acceptedCoding(request);
}

/** The best coding of those that a client accepts; null: none. */
export function acceptedCoding(request: IncomingMessage): Coding | null {
  const accepted = new Negotiator(request).encodings(PREFERRED);
  return PREFERRED.find((coding) => accepted.includes(coding)) ?? null;
}

export function compress(text: string, coding: Coding): Promise<Buffer> {
  return CODINGS[coding].whole(text);
}

/** Sends an answer compressed, in threads besides that of the event loop. */
export async function sendCompressed(
  answer: Response,
  response: ServerResponse,
  coding: Coding,
): Promise<void> {
  const { status, headers } = answer;
  const isWhole = headers.has('content-length');
  headers.delete('content-length');
  headers.set('content-encoding', coding);
  response.appendHeader('vary', 'accept-encoding');
  response.setHeaders(headers);
  if (isWhole) {
    const bytes = await compress(await answer.text(), coding);
    response.writeHead(status, { 'content-length': bytes.length }).end(bytes);
  } else {
    response.writeHead(status);
    const body = answer.body as unknown as AsyncIterable<Uint8Array>;
    await pipeline(body, CODINGS[coding].stream(), response).catch(unlessLeft);
  }
}

/** A client that leaves before it has its answer is no failure. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.name !== 'AbortError') throw error;
}
