/** Stops the database server of this test run; in watch mode the next run starts another. */
export default async function stopDatabase() {
  const { stop } = globalThis.placementTestServer;
  delete globalThis.placementTestServer;
  await stop();
}
