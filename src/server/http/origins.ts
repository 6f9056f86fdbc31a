import type { IncomingMessage } from 'node:http';
import type { HttpError } from './httpError.js';

export interface AllowedOrigins {
  /** Host names by which clients may address the server, whatever the port. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests besides the server's own: where a proxy serves it. */
  readonly allowedOrigins: readonly string[];
}

export const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps web pages of other origins from acting as their visitor. A page whose own name resolves to this server (DNS rebinding)
 * gives itself away by that name in `Host`; any other by `Origin`, or, where a browser sends none, by `Sec-Fetch-Site`. Programs
 * other than browsers send neither of these two.
 */
export function originError(request: IncomingMessage, allowed: AllowedOrigins): HttpError | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = request.headers;
  if (!allowed.allowedHosts.includes(hostName(host))) {
    const message = 'The Host of the request is none of this server. It may be allowed with --allowed-host.';
    return { status: 421, code: 'FORBIDDEN', message };
  }
  const isOwn =
    origin === undefined
      ? site === 'none' || site === 'same-origin' || asksForPage(request)
      : isOriginOf(host, origin) || allowed.allowedOrigins.includes(origin);
  if (isOwn) return null;
  const message =
    'Web pages of other origins may not use this server, unless allowed by the setting http.allowedOrigins (--allowed-origin).';
  return { status: 403, code: 'FORBIDDEN', message };
}

/** Whether a browser asks for a page to show: it is the same whoever links to it, and runs nothing. */
export function asksForPage({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return method === 'GET' && accept.includes('text/html');
}

/** Without the port. */
function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** Whichever protocol: a proxy may add TLS. */
function isOriginOf(host: string, origin: string): boolean {
  return origin.replace(/^https?:\/\//, '') === host.toLowerCase();
}
