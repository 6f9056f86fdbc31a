import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection to the server of a URL, which may cut it at any time, from an address of this machine. */
export async function connection(url: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are; gives all that comes back until the server ends the connection, or falls silent. */
export async function exchange(url: string, bytes: string, silence = 300): Promise<string> {
  const socket = await connection(url);
  let answer = '';
  await new Promise<unknown>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    socket.once('close', resolve); // cut or not
    socket.on('data', (part: Buffer) => {
      answer += part.toString();
      clearTimeout(timer);
      timer = setTimeout(resolve, silence, null);
    });
    socket.write(bytes);
  });
  socket.destroy();
  return answer;
}

/** A request to be sent as it is. */
export function rawRequest(
  start: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): string {
  const all = {
    host: 'localhost',
    ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${start} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** A POST of a GraphQL document, to be sent as it is. */
export function rawQuery(query: string, headers: Readonly<Record<string, string | number>> = {}): string {
  return rawRequest(
    'POST /graphql',
    { 'content-type': 'application/json', ...headers },
    JSON.stringify({ query }),
  );
}
