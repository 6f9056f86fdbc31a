import type { Context } from '../../schema/context.js';
import type { Operation } from '../../runtime/operation.js';
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

interface Dated {
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
}

/** Returns the time of the latest change of these rows. Without rows, or if a row has no time, it is now. */
export function latestChange(rows: Iterable<Dated>): Date {
  let latest = -Infinity;
  for (const { createdAt, updatedAt } of rows) {
    const changed = updatedAt ?? createdAt;
    if (!changed) return new Date();
    latest = Math.max(latest, changed.getTime());
  }
  return latest === -Infinity ? new Date() : new Date(latest);
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
