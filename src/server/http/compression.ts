import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import Negotiator from 'negotiator';

/** The minimum size to compress (bytes): shorter answers take longer to compress than to send. */
export const SMALLEST = 8_192;

const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

const LEVEL = { level: 1 };

/** The supported codings, best first. Their levels are the cheapest by measurement. */
const CODINGS = {
  br: (text: string | ArrayBuffer) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string | ArrayBuffer) => promisify(gzip)(text, LEVEL),
};

export type Coding = keyof typeof CODINGS;

/** Returns a stream that compresses the parts of an answer. */
export function compressor(coding: Coding): Transform {
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(LEVEL);
}

const PREFERRED = Object.keys(CODINGS) as Coding[];

/** Returns the coding of an answer. Null unless it is long JSON and its client accepts a coding. */
export function contentCoding(request: IncomingMessage, { headers }: Response): Coding | null {
  if (Number(headers.get('content-length')) < SMALLEST) return null;
  if (!headers.get('content-type')?.startsWith('application/')) return null;
  return acceptedCoding(request);
}

/** Returns the best coding that a client accepts, or null. */
export function acceptedCoding(request: IncomingMessage): Coding | null {
  const accepted = new Negotiator(request).encodings(PREFERRED);
  return PREFERRED.find((coding) => accepted.includes(coding)) ?? null;
}

/** Compresses in other threads than the event loop's. */
export function compress(text: string | ArrayBuffer, coding: Coding): Promise<Buffer> {
  return CODINGS[coding](text);
}

/** Sends an answer compressed. @param count is called with its compressed length */
export async function sendCompressed(
  answer: Response,
  response: ServerResponse,
  coding: Coding,
  count: (bytes: number) => void,
): Promise<void> {
  const { status, headers } = answer;
  const bytes = await compress(await answer.arrayBuffer(), coding);
  if (response.destroyed) return;
  headers.set('content-encoding', coding);
  headers.set('content-length', String(bytes.length));
  response.appendHeader('vary', 'accept-encoding');
  response.setHeaders(headers);
  response.writeHead(status).end(bytes);
  count(bytes.length);
}
