import type { Context } from '../context.js';
import type { Dates } from '../provider/details.js';
import type { Piece } from '../candidates/treeTexts.js';
import type { Operation } from '../../model/operation/operation.js';
import type { RestSettings } from './settings.js';
import { has, VERSION_HEADER, versionHeader } from './microversion.js';

/** A request that passed negotiation, authentication, policy and schemas. */
export interface RestRequest<Body = unknown> {
  /** The minor version. */
  readonly version: number;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent. */
  readonly query: URLSearchParams;
  readonly body: Body;
  /** The path under which the API is mounted: `/placement`, or '' for the root of a port. */
  readonly mount: string;
  readonly settings: RestSettings;
  readonly context: Context;
}

export interface RestAnswer {
  readonly status: number;
  /** A JSON value, or parts of its text. Omitted: the answer has no body. */
  readonly body?: unknown;
  /** The path of the created object, without the mount. */
  readonly location?: string;
  /** Answers of versions with cache headers state it. */
  readonly lastModified?: Date;
}

export type Handler<Body = never> = (request: RestRequest<Body>) => Promise<RestAnswer>;

export function isText(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Returns the headers of an answer, without those of its body. @param origin the scheme and host of the request */
export function headersOf(
  { location, lastModified }: RestAnswer,
  { version, mount, origin }: { readonly version: number; readonly mount: string; readonly origin: string },
): Record<string, string> {
  return {
    [VERSION_HEADER]: versionHeader(version),
    vary: VERSION_HEADER,
    // osc-placement would append a relative location to the URL of the API
    ...(location !== undefined && { location: `${origin}${mount}${encodeURI(location)}` }),
    ...(lastModified &&
      has.cacheHeaders(version) && {
        'last-modified': lastModified.toUTCString(),
        'cache-control': 'no-cache',
      }),
  };
}

/** Returns the time of the latest change of these rows. Without rows, or if a row has no time, it is now. */
export function latestChange(rows: Iterable<Partial<Dates>>): Date {
  let latest = -Infinity;
  for (const { createdAt, updatedAt } of rows) {
    const changed = updatedAt ?? createdAt;
    if (!changed) return new Date();
    latest = Math.max(latest, changed.getTime());
  }
  return latest === -Infinity ? new Date() : new Date(latest);
}

/** The time slice after which a text yields to other operations (ms). */
const SLICE_MS = 3;

/** The length of a part of a text (bytes). */
const PART = 262_144;

/** Buffers for parts, to use again: new ones make the garbage collector visit the whole heap often. */
const spare: Buffer[] = [];
const MAX_SPARE = 8;

/**
 * Joins the pieces of a JSON text to parts of bytes. Yields to other operations between time slices. A part is valid
 * until the next one is requested.
 */
export async function* textParts(pieces: Iterable<Piece>, operation: Operation): AsyncGenerator<Uint8Array> {
  const part = spare.pop() ?? Buffer.allocUnsafeSlow(PART);
  let length = 0;
  let since = performance.now();
  try {
    for (const text of textsIn(pieces)) {
      // a character takes up to three bytes
      const most = typeof text === 'string' ? 3 * text.length : text.length;
      if (length > 0 && length + most > PART) {
        yield part.subarray(0, length);
        length = 0;
        if (performance.now() - since > SLICE_MS) {
          await operation.pause();
          since = performance.now();
        }
      }
      if (most > PART) yield Buffer.from(text as string);
      else if (typeof text === 'string') length += part.write(text, length);
      else {
        part.set(text, length);
        length += text.length;
      }
    }
    if (length > 0) yield part.subarray(0, length);
  } finally {
    if (spare.length < MAX_SPARE) spare.push(part);
  }
}

function* textsIn(pieces: Iterable<Piece>): Generator<string | Uint8Array> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield piece;
    else yield* piece;
  }
}

/** The number of objects whose text is written without yielding. */
const SLICE = 250;

/** Returns the body of an answer with one list. The text of a long list is written in time slices. */
export function listBody<Item>(
  operation: Operation,
  name: string,
  items: readonly Item[],
  bodyOf: (item: Item) => object,
): object {
  if (items.length <= SLICE) return { [name]: items.map(bodyOf) };
  return textOfList(operation, name, items, bodyOf);
}

async function* textOfList<Item>(
  operation: Operation,
  name: string,
  items: readonly Item[],
  bodyOf: (item: Item) => object,
): AsyncGenerator<Uint8Array> {
  let start = `{"${name}":[`;
  for (let at = 0; at < items.length; at += SLICE) {
    const part = items.slice(at, at + SLICE).map((item) => JSON.stringify(bodyOf(item)));
    yield Buffer.from(start + part.join(','));
    start = ',';
    await operation.pause();
  }
  yield Buffer.from(']}');
}
