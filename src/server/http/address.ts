import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type AddressInfo } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** The addresses that mean all of a machine, and where each is reached on the machine itself. */
const OF_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/**
 * Returns the IP address to listen at for an address or a name of this machine. The server checks and binds the same
 * address, even if the name resolves to another one later.
 * @throws Error with one line if the name cannot be resolved
 */
export async function listenAddress(host: string): Promise<string> {
  if (isIP(host)) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`http.host: ${host} is no address, and no name that leads to one (${code})`, {
      cause: error,
    });
  }
}

/** Whether only programs of this machine reach what listens at an IP address. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Where a browser opens what listens there: on the machine itself when it is everywhere. */
export function urlOf(host: string, { port }: AddressInfo, isSecure: boolean): string {
  const name = OF_ALL[host] ?? (isIPv6(host) ? `[${host}]` : host);
  return `${isSecure ? 'https' : 'http'}://${name}:${port}/graphql`;
}
