/**
 * Sends at a steady rate: works are due at fixed moments whether or not those before them have ended, and each client takes the next
 * one that is due as soon as it is free. Gives how long each took from when it was due (ms).
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

/** Sends as many as the clients can, one after the other each, in so long. Gives how long each took (ms). */
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
