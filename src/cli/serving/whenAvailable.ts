import { setTimeout as sleep } from 'node:timers/promises';
import { isNotYetAvailable, reason } from '../../database/failures.js';
import type { Serving } from '../../workers/serving.js';
import type { Lifecycle } from '../lifecycle.js';

/** The pause before another attempt (ms). */
const PAUSE_MS = 500;

/** How often it is said what is waited for (ms), while that is the same. */
const TELL_MS = 30_000;

/**
 * Does work that needs the database: again and again while that is not there or cannot do it yet, of which requests are told meanwhile.
 * What no waiting helps against (a wrong password, a database that may not be created) rejects.
 */
export async function whenAvailable(
  lifecycle: Lifecycle,
  serving: Serving,
  work: () => Promise<void>,
): Promise<void> {
  for (let told = { reason: '', at: 0 }; ; await sleep(PAUSE_MS)) {
    lifecycle.throwIfStopping();
    try {
      return await work();
    } catch (error) {
      if (!isNotYetAvailable(error)) throw error;
      const why = reason(error);
      serving.wait(why);
      if (why === told.reason && Date.now() - told.at < TELL_MS) continue;
      lifecycle.say(`waiting for the database: ${why}`);
      told = { reason: why, at: Date.now() };
    }
  }
}
