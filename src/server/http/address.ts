import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type AddressInfo } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Maps each wildcard address to the loopback address that reaches it. */
const OF_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/**
 * Resolves an address or a name of this machine to the IP address to listen at. The server checks
 * and binds the same address, even if the name resolves to another one later.
 * @throws Error with one line if the name cannot be resolved
 */
export async function listenAddress(host: string): Promise<string> {
  if (isIP(host)) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`http.host: ${host} cannot be resolved (${code})`, {
      cause: error,
    });
  }
}

/** Returns whether only programs of this machine can connect to an IP address. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns the URL for browsers. A wildcard address becomes the loopback address. */
export function urlOf(host: string, { port }: AddressInfo, isSecure: boolean): string {
  const name = OF_ALL[host] ?? (isIPv6(host) ? `[${host}]` : host);
  return `${isSecure ? 'https' : 'http'}://${name}:${port}/graphql`;
}
