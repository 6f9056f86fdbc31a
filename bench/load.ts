/**
 * Sends at a steady rate: works are due at fixed moments, even if earlier ones have not ended. Each
 * client takes the next due work as soon as it is free. Returns the time of each work from its due
 * moment (ms).
 */
export async function sendSteadily(
  clients: readonly (() => Promise<unknown>)[],
  perSecond: number,
  ms: number,
): Promise<number[]> {
  const began = performance.now();
  const end = Math.floor((perSecond * ms) / 1_000);
  const times: number[] = [];
  let next = 0;
  const work = async (send: () => Promise<unknown>): Promise<void> => {
    for (let at = next++; at < end; at = next++) {
      const due = began + (at * 1_000) / perSecond;
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      await send();
      times.push(performance.now() - due);
    }
  };
  await Promise.all(clients.map(work));
  return times;
}

/**
 * Sends on each client one work after the other, as many as possible in `ms`. Returns the time of
 * each work (ms).
 */
export async function sendAll(clients: readonly (() => Promise<unknown>)[], ms: number): Promise<number[]> {
  const end = performance.now() + ms;
  const times: number[] = [];
  const work = async (send: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      await send();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(clients.map(work));
  return times;
}
