import { intervalOf, mean, median, ratioInterval, type Interval, type Statistic } from './bootstrap.js';
import type { Samples } from './samples.js';

export type Unit = 'ms' | '/s' | 'MiB' | 'times';

/** Samples of one kind. The figure is the median of times or the mean of rates. */
export interface Series {
  readonly values: readonly number[];
  readonly statistic: Statistic;
}

/** One measured figure: a row of the table. */
export interface Figure {
  /** The number of hosts of the measured fleet. For q7 it is 1. */
  readonly hosts: number;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** The samples of the figure. Absent for a single measurement. */
  readonly series?: Series;
  /** In milliseconds. Absent if the measurement was not repeated. */
  readonly p99?: number;
  readonly count: number;
  /** A description of the answer or of the measurement. */
  readonly detail: string;
  /** The value of OpenStack Placement, in the same unit. */
  readonly reference?: number;
  readonly checks: readonly Check[];
}

/** A comparison of a figure with another one of the same run, or with a fixed bar. */
export interface Check {
  /** Absent if the bar is an absolute value. */
  readonly yardstick?: {
    readonly name: string;
    readonly value: number;
    readonly unit: Unit;
    /** Present if it was measured in turn with the figure. */
    readonly series?: Series;
  };
  /** The bar for the ratio, or for the figure itself. Absent if there is no requirement. */
  readonly bar?: Bar;
}

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** Returns the value that a check compares with its bar. */
export function measured(figure: Figure, { yardstick }: Check): number {
  return yardstick === undefined ? figure.value : figure.value / yardstick.value;
}

/** Returns the interval of the measured value, or null if there are too few samples. */
export function intervalFor({ series }: Figure, { yardstick }: Check = {}): Interval | null {
  if (series === undefined) return null;
  if (yardstick === undefined) return intervalOf(series.values, series.statistic);
  if (yardstick.series === undefined) return null;
  return ratioInterval(series.values, yardstick.series.values, series.statistic);
}

/** Whether a bar is met. It is undecided if the bar lies within the interval. */
export type Verdict = 'met' | 'NOT MET' | 'undecided';

/** Returns null if the check has no bar. */
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

/** Returns the value of a figure or of a yardstick: the mean of slices of time. */
export const meanOfSlices = <U extends Unit>(slices: readonly number[], unit: U) => ({
  value: mean(slices),
  unit,
  series: seriesOfRates(slices),
});

/** Returns the figure of a series of times with its checks. */
export function timeFigure(
  samples: Samples,
  row: Pick<Figure, 'hosts' | 'what' | 'detail' | 'reference'> & { readonly checks?: readonly Check[] },
): Figure {
  const series = seriesOfTimes(samples);
  const { median: value, p99, count } = samples;
  return { checks: [], ...row, value, unit: 'ms', series, p99, count };
}

/** Returns a comparison with a series of times that was measured in turn. */
export function against(name: string, samples: Samples, bar?: Bar): Check {
  return { yardstick: { name, value: samples.median, unit: 'ms', series: seriesOfTimes(samples) }, bar };
}

/** Returns a comparison with one process, whose slices were measured in turn with these. */
export function againstOneProcess(slices: readonly number[], unit: 'ms' | '/s', bar: Bar): Check {
  return { yardstick: { name: '1 process', ...meanOfSlices(slices, unit) }, bar };
}
