import { isDatabaseState, type WorkerReady } from '../../workers/messages.js';
import type { Serving } from '../../workers/primary.js';
import type { Lifecycle } from '../lifecycle.js';
import { waitForDatabase } from './waitForDatabase.js';

/** Serves as one of several workers. SIGTERM ends this worker only; the primary handles the other signals. */
export async function serveAsWorker(lifecycle: Lifecycle, serving: Serving): Promise<void> {
  lifecycle.handle('SIGTERM', () => void lifecycle.end(0));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) lifecycle.handle(signal, () => undefined);
  const databaseReady = new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (!isDatabaseState(message)) return;
      if (message.waiting === null) resolve();
      else serving.wait(message.waiting);
    });
  });
  lifecycle.defer(() => serving.stop());
  await serving.open();
  lifecycle.surviveRejections();
  await databaseReady;
  const url = await waitForDatabase(lifecycle, serving, () => serving.begin());
  if (process.connected) process.send!({ type: 'placement:ready', url } satisfies WorkerReady);
}
