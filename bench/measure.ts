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
export function interleaved(works: readonly Work[], rounds: number): Promise<Samples[]> {
  return inRounds(works, rounds, () => works.keys());
}

/**
 * The same for works of which every two are to be compared, one behind the other: each of them comes first in every other round,
 * because the first one finds the caches as the works before have left them, and is slower for that.
 */
export function interleavedPairs(works: readonly Work[], rounds: number): Promise<Samples[]> {
  return inRounds(works, rounds, (round) => orderOfPairs(works.length, round));
}

/** In which order so many works are done in a round. */
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
  /** The same of each slice of time. */
  readonly slices: readonly number[];
  /** Of the single requests. */
  readonly times: Samples;
}

/** What several clients do at the same time, again and again. */
export interface Load {
  readonly clients: readonly Work[];
  /** Done after each slice, untimed. */
  readonly cleanUp?: () => Promise<void>;
}

const SLICES = 8;

/** Puts loads on the machine in turn, in slices of time that make up as much for each; the first slices do not count. */
export async function interleavedRates(loads: readonly Load[], ms: number): Promise<Rate[]> {
  const results = loads.map(() => ({
    requests: 0,
    ms: 0,
    times: new Samples(),
    slices: new Array<number>(),
  }));
  for (let slice = 0; slice <= SLICES; slice++) {
    for (const [index, { clients, cleanUp }] of loads.entries()) {
      const part = { requests: 0, times: new Samples() };
      const began = performance.now();
      await Promise.all(clients.map((work) => repeatUntil(began + ms / SLICES, work, part)));
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
