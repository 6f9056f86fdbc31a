import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

/** A step that takes longer than this many ms is shown while it runs. */
const quick = 1_000;
const heartbeat = 15_000;

/**
 * Runs a step of the set-up. Reports the start, the progress and the duration of a slow step on
 * stderr, because Jest hides stdout.
 */
export async function step(name, work) {
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  let announced = false;
  const announce = setTimeout(() => {
    announced = true;
    console.error(`${name} ...`);
  }, quick);
  const alive = setInterval(() => console.error(`${name} ... ${seconds()}`), heartbeat);
  try {
    const result = await work();
    if (announced) console.error(`${name}: done in ${seconds()}`);
    return result;
  } finally {
    clearTimeout(announce);
    clearInterval(alive);
  }
}

/** A problem that the user must solve. It is shown as one line without a stack trace. */
export class Refusal extends Error {}
