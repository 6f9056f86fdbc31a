import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import Negotiator from 'negotiator';
import type { HttpError } from './httpError.js';

export const JSON_TYPE = 'application/json';
export const EVENT_STREAM = 'text/event-stream';

const JSON_TYPES = [JSON_TYPE, 'application/graphql-response+json'];

/** Matches the only charset of answers in an Accept header. */
const UTF8 = /;\s*charset="?utf-?8"?/gi;

/**
 * Selects the media types of an answer, as an Accept header: a JSON type, an event stream, or both.
 * Subscriptions then use the event stream. Null if the client accepts neither.
 */
export function acceptedTypes({ headers }: IncomingMessage): string | null {
  const { accept = '*/*' } = headers;
  if (accept === '*/*' || accept === JSON_TYPE) return JSON_TYPE;
  const negotiator = new Negotiator({ headers: { accept: accept.replace(UTF8, '') } });
  const json = negotiator.mediaType(JSON_TYPES);
  // a wildcard does not select a stream
  const stream = negotiator.mediaTypes().find((type) => type.toLowerCase() === EVENT_STREAM);
  return [json, stream?.toLowerCase()].filter(Boolean).join(', ') || null;
}

/**
 * Accepts only JSON bodies. A web page of another origin cannot send JSON without a CORS preflight.
 * The server rejects it for origins that are not allowed, so they cannot write for their visitor.
 */
export function contentTypeError(headers: IncomingHttpHeaders): HttpError | null {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!isJson(type)) return unsupported('Send the request with the content type application/json, in UTF-8.');
  if (encoding !== 'identity') return unsupported('Send the request without a content encoding.');
  return null;
}

function isJson(type: string): boolean {
  if (type === JSON_TYPE) return true;
  try {
    const { essence, params } = new MIMEType(type);
    return essence === JSON_TYPE && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function unsupported(message: string): HttpError {
  return { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message };
}
