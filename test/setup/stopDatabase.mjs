/** Stops the database server of this test run, if it has one; in watch mode the next run starts another. */
export default async function stopDatabase() {
  const server = globalThis.placementTestServer;
  delete globalThis.placementTestServer;
  await server?.stop();
}
