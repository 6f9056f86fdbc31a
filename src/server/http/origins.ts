import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { ANY_ORIGIN } from './cors.js';
import type { HttpError } from './httpError.js';

export interface AllowedOrigins {
  /** Host names by which clients may address the server, whatever the port. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of web pages that may send requests besides the server's own. */
  readonly origins: ReadonlySet<string>;
  /** Whether the server's own pages come by TLS alone. */
  readonly isSecure: boolean;
}

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The names of this machine, and those given. */
export function hostNames(given: readonly string[]): ReadonlySet<string> {
  return new Set([...LOCAL_HOSTS, ...given.map((name) => name.toLowerCase())]);
}

/**
 * Prevents web pages of other origins from acting as their visitor. If the name of a page resolves to this server (DNS
 * rebinding), `Host` has that name. Other pages are recognized by `Origin` or, if the browser omits it, by
 * `Sec-Fetch-Site`. Programs other than browsers send neither of these two.
 */
export function originError(request: IncomingMessage, allowed: AllowedOrigins): HttpError | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = request.headers;
  const name = hostName(host);
  if (!allowed.hosts.has(name) && !isAddressOf(request.socket, name)) {
    const message =
      'The Host of the request is none of this server. ' +
      'It may be allowed by the setting http.allowedHosts (--allowed-host).';
    return { status: 421, code: 'FORBIDDEN', message };
  }
  const isAllowed =
    origin === undefined
      ? site === 'none' || site === 'same-origin' || asksForPage(request)
      : isOriginOf(host, origin, allowed) || allowed.origins.has(origin) || allowed.origins.has(ANY_ORIGIN);
  if (isAllowed) return null;
  const message =
    'Web pages of other origins may not use this server, ' +
    'unless allowed by the setting http.allowedOrigins (--allowed-origin).';
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

/**
 * Returns whether the client addressed the server by the IP address of the connection, as probes of orchestrators do.
 * DNS rebinding needs a name.
 */
function isAddressOf({ localAddress = '' }: Socket, name: string): boolean {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return name === (isIPv6(address) ? `[${address}]` : address);
}

/** Whichever protocol, unless the server does TLS itself: a proxy may add it. */
function isOriginOf(host: string, origin: string, { isSecure }: AllowedOrigins): boolean {
  return origin.replace(isSecure ? /^https:\/\// : /^https?:\/\//, '') === host.toLowerCase();
}
