import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the failure to listen at a port for a moment. Null if the port is free. */
export async function listenFailure(port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  const socket = createServer().listen(port, host);
  try {
    await once(socket, 'listening');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  socket.close();
  await once(socket, 'close');
  return null;
}
