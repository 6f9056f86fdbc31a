import { intervalOf, mean, median, ratioInterval, type Interval, type Statistic } from './bootstrap.js';
import type { Samples } from './samples.js';

export type Unit = 'ms' | '/s' | 'MiB' | 'times';

/** Samples of one kind, of which the figure is the median, or of rates the mean. */
export interface Series {
  readonly values: readonly number[];
  readonly statistic: Statistic;
}

/** One measured figure: a row of the table. */
export interface Figure {
  /** Of the fleet that was asked; q7 has one host. */
  readonly hosts: number;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** What the figure was made from; absent where it is a single measurement. */
  readonly series?: Series;
  /** In milliseconds; absent where nothing was repeated. */
  readonly p99?: number;
  readonly count: number;
  /** What was answered, or how it was measured. */
  readonly detail: string;
  /** What the original answers in, in the same unit. */
  readonly reference?: number;
  readonly checks: readonly Check[];
}

/** A comparison of a figure with another one of the same run, or with a fixed bar. */
export interface Check {
  /** Absent where the bar is an absolute one. */
  readonly yardstick?: {
    readonly name: string;
    readonly value: number;
    readonly unit: Unit;
    /** Where it was measured in turn with the figure. */
    readonly series?: Series;
  };
  /** What the ratio, or the figure itself, has to be; absent where nothing is demanded. */
  readonly bar?: Bar;
}

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** What a check compares with its bar. */
export function measured(figure: Figure, { yardstick }: Check): number {
  return yardstick === undefined ? figure.value : figure.value / yardstick.value;
}

/** Where that lies; null where too little was measured to tell. */
export function intervalFor({ series }: Figure, { yardstick }: Check = {}): Interval | null {
  if (series === undefined) return null;
  if (yardstick === undefined) return intervalOf(series.values, series.statistic);
  if (yardstick.series === undefined) return null;
  return ratioInterval(series.values, yardstick.series.values, series.statistic);
}

/** Whether a bar is met; undecided: the interval has it in it. */
export type Verdict = 'met' | 'NOT MET' | 'undecided';

/** Null where nothing is demanded. */
export function verdictOf(figure: Figure, check: Check): Verdict | null {
  const { bar } = check;
  if (bar === undefined) return null;
  const value = measured(figure, check);
  const { low, high } = intervalFor(figure, check) ?? { low: value, high: value };
  const [isLowMet, isHighMet] =
    'atMost' in bar ? [low <= bar.atMost, high <= bar.atMost] : [low >= bar.atLeast, high >= bar.atLeast];
  if (isLowMet !== isHighMet) return 'undecided';
  return isLowMet ? 'met' : 'NOT MET';
}

function seriesOfTimes({ times }: Samples): Series {
  return { values: times, statistic: median };
}

/** @param slices the rate of each slice of time */
export function seriesOfRates(slices: readonly number[]): Series {
  return { values: slices, statistic: mean };
}

/** The figure of a series of times, and what it is compared with. */
export function timeFigure(
  samples: Samples,
  row: Pick<Figure, 'hosts' | 'what' | 'detail' | 'reference'> & { readonly checks?: readonly Check[] },
): Figure {
  const series = seriesOfTimes(samples);
  const { median: value, p99, count } = samples;
  return { checks: [], ...row, value, unit: 'ms', series, p99, count };
}

/** A comparison with a series of times of the same window. */
export function against(name: string, samples: Samples, bar?: Bar): Check {
  return { yardstick: { name, value: samples.median, unit: 'ms', series: seriesOfTimes(samples) }, bar };
}

/** Against what one process took, or made, in slices of time in turn with these. */
export function againstOneProcess(slices: readonly number[], unit: 'ms' | '/s', bar: Bar): Check {
  return { yardstick: { name: '1 process', value: mean(slices), unit, series: seriesOfRates(slices) }, bar };
}
