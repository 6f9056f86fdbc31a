import { fileURLToPath } from 'node:url';

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The server as its users run it. */
export const SERVER = { program: beside('../src/main.js') };
/** The server with a resolver that does nothing. */
export const STUB = { program: beside('stubServer.js') };
export const PROBE = { program: beside('probe.js') };
