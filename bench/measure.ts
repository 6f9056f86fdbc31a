import { Samples } from './samples.js';

/** A piece of work that returns its time in milliseconds. */
export type Work = () => Promise<number>;

/** Returns work that measures the time of a function. */
export function timed(work: () => unknown): Work {
  return async () => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
}

/** The warm-up time before works are measured (ms), because a server in service is warm. */
const WARM_UP_MS = 5_000;

/**
 * Does works round robin, so that other work of the machine affects all of them alike. Warm-up
 * rounds precede the measured rounds: a fifth as many, or more until the warm-up time is over.
 */
export function interleaved(works: readonly Work[], rounds: number): Promise<Samples[]> {
  return inRounds(works, rounds, () => works.keys());
}

/**
 * Like {@link interleaved}, but for pairs of works to be compared. Each work of a pair comes first
 * in every other round, because the first one finds the caches of the previous works and is slower.
 */
export function interleavedPairs(works: readonly Work[], rounds: number): Promise<Samples[]> {
  return inRounds(works, rounds, (round) => orderOfPairs(works.length, round));
}

/** Returns the order of `count` works in a round. */
export function orderOfPairs(count: number, round: number): number[] {
  return Array.from({ length: count }, (_, index) => index ^ (round & 1));
}

async function inRounds(
  works: readonly Work[],
  rounds: number,
  order: (round: number) => Iterable<number>,
): Promise<Samples[]> {
  const samples = works.map(() => new Samples());
  const warm = performance.now() + (rounds > 1 ? WARM_UP_MS : 0);
  for (let round = 0; round < Math.floor(rounds / 5) || performance.now() < warm; round++) {
    for (const index of order(round)) await works[index]();
  }
  for (let round = 0; round < rounds; round++) {
    for (const index of order(round)) samples[index].add(await works[index]());
  }
  return samples;
}

export interface Rate {
  readonly perSecond: number;
  /** The rate of each slice. */
  readonly slices: readonly number[];
  /** The times of the single requests. */
  readonly times: Samples;
}

/** Work that several clients repeat at the same time. */
export interface Load {
  readonly clients: readonly Work[];
  /** Runs after each slice. Its time does not count. */
  readonly cleanUp?: () => Promise<void>;
}

const SLICES = 8;

/**
 * Runs loads in turn, in slices that add up to `ms` for each load. The first slices do not count.
 */
export async function interleavedRates(loads: readonly Load[], ms: number, slices = SLICES): Promise<Rate[]> {
  const results = loads.map(() => ({
    requests: 0,
    ms: 0,
    times: new Samples(),
    slices: new Array<number>(),
  }));
  for (let slice = 0; slice <= slices; slice++) {
    for (const [index, { clients, cleanUp }] of loads.entries()) {
      const part = { requests: 0, times: new Samples() };
      const began = performance.now();
      await Promise.all(clients.map((work) => repeatUntil(began + ms / slices, work, part)));
      const took = performance.now() - began;
      await cleanUp?.();
      if (slice > 0) addSlice(results[index], part, took);
    }
  }
  return results.map(({ requests, ms: inAll, times, slices }) => ({
    perSecond: (1_000 * requests) / inAll,
    times,
    slices,
  }));
}

interface Sums {
  requests: number;
  ms: number;
  readonly times: Samples;
  readonly slices: number[];
}

function addSlice(sums: Sums, { requests, times }: Pick<Sums, 'requests' | 'times'>, ms: number): void {
  sums.requests += requests;
  sums.ms += ms;
  for (const time of times.times) sums.times.add(time);
  sums.slices.push((1_000 * requests) / ms);
}

/** Repeats the work until `end`, at least once. */
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
