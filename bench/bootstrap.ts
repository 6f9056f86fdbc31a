/** The 95 % confidence interval of a figure. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Computes a figure from samples. */
export type Statistic = (values: readonly number[]) => number;

export const median: Statistic = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)];
};

export const mean: Statistic = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const RESAMPLES = 1_000;
const CONFIDENCE = 0.95;

/** The minimum number of samples for an interval. */
const FEWEST = 5;

/** Returns the interval of a statistic, or null if there are too few samples. */
export function intervalOf(values: readonly number[], statistic: Statistic): Interval | null {
  return bootstrap(values.length, (rounds) => statistic(rounds.map((round) => values[round])));
}

/**
 * Returns the interval of the ratio of two figures that were measured in turn. It draws rounds and
 * not samples, because an event in a round affects both figures. Returns null if there are too few
 * samples, or if the figures were not measured in turn.
 */
export function ratioInterval(
  values: readonly number[],
  others: readonly number[],
  statistic: Statistic,
): Interval | null {
  if (values.length !== others.length) return null;
  return bootstrap(
    values.length,
    (rounds) =>
      statistic(rounds.map((round) => values[round])) / statistic(rounds.map((round) => others[round])),
  );
}

/**
 * Computes a bootstrap of moving blocks. Consecutive samples are alike (the machine was busy,
 * memory was collected), so it draws blocks of neighbours. The same samples always give the same
 * interval.
 */
function bootstrap(count: number, figureOf: (rounds: readonly number[]) => number): Interval | null {
  if (count < FEWEST) return null;
  const length = Math.min(count, Math.ceil(2 * Math.cbrt(count)));
  const random = generator(count);
  const figures = Array.from({ length: RESAMPLES }, () => {
    const rounds: number[] = [];
    while (rounds.length < count) {
      const first = Math.floor(random() * (count - length + 1));
      for (let at = 0; at < length && rounds.length < count; at++) rounds.push(first + at);
    }
    return figureOf(rounds);
  }).sort((a, b) => a - b);
  const outside = (1 - CONFIDENCE) / 2;
  return {
    low: figures[Math.floor(outside * RESAMPLES)],
    high: figures[Math.ceil((1 - outside) * RESAMPLES) - 1],
  };
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
