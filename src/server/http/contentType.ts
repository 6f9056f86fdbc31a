import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import type { HttpError } from './httpError.js';

export const JSON_TYPE = 'application/json';

/**
 * Takes POST requests in JSON alone. A web page of another origin cannot send that without a CORS preflight, which this server does
 * not grant: so no page can write here on behalf of its visitor.
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
