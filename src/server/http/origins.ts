import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { ANY_ORIGIN } from './cors.js';
import type { HttpError } from './httpError.js';

export interface AllowedOrigins {
  /** Host names by which clients may address the server, with any port. */
  readonly hosts: ReadonlySet<string>;
  /** Other origins whose web pages may send requests. */
  readonly origins: ReadonlySet<string>;
  /** Whether the server's own pages require TLS. */
  readonly isSecure: boolean;
  /** Whether browsers get GraphiQL at /graphql. */
  readonly hasPage: boolean;
}

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the names of this machine and the given ones, in lower case. */
export function hostNames(given: readonly string[]): ReadonlySet<string> {
  return new Set([...LOCAL_HOSTS, ...given.map((name) => name.toLowerCase())]);
}

/** Rejects requests by another name: if the name of a web page resolves to this server (DNS rebinding), `Host` has it. */
export function hostError(
  { headers, socket }: IncomingMessage,
  hosts: ReadonlySet<string>,
): HttpError | null {
  const name = hostName(headers.host ?? '');
  if (hosts.has(name) || isAddressOf(socket, name)) return null;
  const message =
    'The Host header of the request does not name this server. ' +
    'It may be allowed by the setting http.allowedHosts (--allowed-host).';
  return { status: 421, code: 'FORBIDDEN', message };
}

/**
 * Rejects web pages of other origins that act as their visitor. `Origin` or, if the browser omits it,
 * `Sec-Fetch-Site` identifies other pages. Programs other than browsers send neither of these two.
 */
export function originError(request: IncomingMessage, allowed: AllowedOrigins): HttpError | null {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = request.headers;
  const isAllowed =
    origin === undefined
      ? site === 'none' || site === 'same-origin' || getsPage(request, allowed)
      : isOriginOf(host, origin, allowed) || allowed.origins.has(origin) || allowed.origins.has(ANY_ORIGIN);
  if (isAllowed) return null;
  const message =
    'Web pages of other origins may not use this server, ' +
    'unless allowed by the setting http.allowedOrigins (--allowed-origin).';
  return { status: 403, code: 'FORBIDDEN', message };
}

/** Any origin may link to a page, because it runs no operation. */
function getsPage(request: IncomingMessage, { hasPage }: AllowedOrigins): boolean {
  return asksForPage(request) && (hasPage || !/^\/+graphql\b/.test(request.url ?? ''));
}

/** Returns whether a browser requests a page. */
export function asksForPage({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return method === 'GET' && accept.includes('text/html');
}

/** Removes the port. */
function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Returns whether the client addressed the server by the IP address of the connection, as probes of
 * orchestrators do. This is safe, because DNS rebinding needs a name.
 */
function isAddressOf({ localAddress = '' }: Socket, name: string): boolean {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return name === (isIPv6(address) ? `[${address}]` : address);
}

/** Ignores the protocol unless the server itself uses TLS: a proxy may add TLS. */
function isOriginOf(host: string, origin: string, { isSecure }: AllowedOrigins): boolean {
  return origin.replace(isSecure ? /^https:\/\// : /^https?:\/\//, '') === host.toLowerCase();
}
