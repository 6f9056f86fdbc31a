import type { ProcessSettings } from '../../process/process.js';
import { RelayedChanges } from '../../workers/relayedChanges.js';
import { RelayedClaims } from '../../workers/relayedClaims.js';
import type { Serving } from '../../workers/serving.js';
import { WorkerLink } from '../../workers/workerLink.js';
import type { Lifecycle } from '../lifecycle.js';
import { whenAvailable } from './whenAvailable.js';

/** What a process has from its primary. */
export type FromPrimary = Pick<ProcessSettings, 'changes' | 'claims'>;

/** Makes what serves, on the database of that URL. */
export type MakeServing = (url: string, fromPrimary: FromPrimary) => Promise<Serving>;

/** Serves as one of several workers, as the primary says. SIGTERM ends it alone; other signals are the primary's. */
export async function serveAsWorker(lifecycle: Lifecycle, make: MakeServing): Promise<void> {
  const link = new WorkerLink();
  const end = (): void => void lifecycle.end(0);
  lifecycle.handle('SIGTERM', end);
  for (const signal of ['SIGINT', 'SIGHUP'] as const) lifecycle.handle(signal, () => undefined);
  const relayed = new RelayedChanges((message) => link.send(message));
  const claims = new RelayedClaims((message) => link.send(message));
  link.onMessage((message) => relayed.receive(message));
  link.onMessage((message) => claims.receive(message));
  link.onMessage(({ stop }) => stop && end());
  const [toListen, toBegin] = [link.said('listen'), link.said('begin')];
  link.send({ hello: true });
  const { databaseUrl } = await toListen;
  const serving = await make(databaseUrl, {
    changes: (database) => relayed.orElse(database),
    claims: (observer) => claims.observedBy(observer),
  });
  lifecycle.defer(() => serving.stop());
  link.onMessage(({ waiting }) => waiting !== undefined && serving.wait(waiting));
  link.send({ listening: await serving.open() });
  lifecycle.surviveRejections();
  const { isShared } = await toBegin;
  await whenAvailable(lifecycle, serving, () => serving.begin(isShared));
  link.send({ ready: true });
}
