import { setTimeout as sleep } from 'node:timers/promises';
import { isNotYetAvailable, reason } from '../../database/failures.js';
import type { Serving } from '../../workers/primary.js';
import type { Lifecycle } from '../lifecycle.js';

const RETRY_MS = 500;

/** The same reason is logged again after this time (ms). */
const LOG_AGAIN_MS = 30_000;

/**
 * Retries `work` until the database is available. Requests are rejected with the reason meanwhile.
 * Rejects for permanent errors, for example a wrong password.
 */
export async function waitForDatabase<T>(
  lifecycle: Lifecycle,
  serving: Serving,
  work: () => Promise<T>,
): Promise<T> {
  for (let logged = { reason: '', at: 0 }; ; await sleep(RETRY_MS)) {
    lifecycle.throwIfStopping();
    try {
      return await work();
    } catch (error) {
      if (!isNotYetAvailable(error)) throw error;
      const why = reason(error);
      serving.wait(why);
      if (why === logged.reason && Date.now() - logged.at < LOG_AGAIN_MS) continue;
      lifecycle.say(`waiting for the database: ${why}`);
      logged = { reason: why, at: Date.now() };
    }
  }
}
