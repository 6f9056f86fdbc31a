/** The time after which a request without an answer is reported (ms). */
const SILENCE_MS = 3_000;

const begun = new Map<object, number>();

/** Sends a request of the page. {@link onSilence} reports requests that wait long. */
export async function observedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const key = {};
  begun.set(key, performance.now());
  try {
    return await fetch(...request);
  } finally {
    begun.delete(key);
  }
}

/**
 * Reports every second how long the oldest request has waited (seconds), 0 below three seconds.
 *
 * @returns a function that ends the reports
 */
export function onSilence(report: (seconds: number) => void): () => void {
  const timer = setInterval(() => {
    const waited = performance.now() - Math.min(performance.now(), ...begun.values());
    report(waited < SILENCE_MS ? 0 : Math.floor(waited / 1_000));
  }, 1_000);
  return () => clearInterval(timer);
}
