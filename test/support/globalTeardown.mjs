import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const { server, directory } = globalThis.placementTestServer;
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
