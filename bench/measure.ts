import { Samples } from './samples.js';

/** A piece of work that gives how long it took, in milliseconds. */
export type Work = () => Promise<number>;

/** Times a piece of work from outside. */
export function timed(work: () => unknown): Work {
  return async () => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
}

/** How long works are done before they are measured, in milliseconds: a server that is in service is warm. */
const WARM_UP_MS = 5_000;

/**
 * Does works round robin, so that whatever else the machine does falls on all of them alike. A fifth as many rounds go
 * before, and more while there is time for it, to warm up.
 */
export async function interleaved(works: readonly Work[], rounds: number): Promise<Samples[]> {
  const samples = works.map(() => new Samples());
  const warm = performance.now() + (rounds > 1 ? WARM_UP_MS : 0);
  for (let round = 0; round < Math.floor(rounds / 5) || performance.now() < warm; round++) {
    for (const work of works) await work();
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) samples[index].add(await work());
  }
  return samples;
}

export interface Rate {
  readonly perSecond: number;
  /** Of the single requests. */
  readonly times: Samples;
}

/** What several clients do at the same time, again and again. */
export interface Load {
  readonly clients: readonly Work[];
  /** Done after each slice, untimed. */
  readonly cleanUp?: () => Promise<void>;
}

const SLICES = 3;

/** Puts loads on the machine in turn, a slice of time each, several times over; the first slices do not count. */
export async function interleavedRates(loads: readonly Load[], sliceMs: number): Promise<Rate[]> {
  const results = loads.map(() => ({ requests: 0, ms: 0, times: new Samples() }));
  for (let slice = 0; slice <= SLICES; slice++) {
    for (const [index, { clients, cleanUp }] of loads.entries()) {
      const sum = slice === 0 ? { requests: 0, ms: 0, times: new Samples() } : results[index];
      const began = performance.now();
      await Promise.all(clients.map((work) => repeatUntil(began + sliceMs, work, sum)));
      sum.ms += performance.now() - began;
      await cleanUp?.();
    }
  }
  return results.map(({ requests, ms, times }) => ({ perSecond: (1000 * requests) / ms, times }));
}

/** At least once. */
async function repeatUntil(
  end: number,
  work: Work,
  sum: { requests: number; times: Samples },
): Promise<void> {
  do {
    sum.times.add(await work());
    sum.requests++;
  } while (performance.now() < end);
}
