import type { Samples } from './samples.js';

export type Unit = 'ms' | '/s' | 'MiB' | 'times';

/** One measured figure: a row of the table. */
export interface Figure {
  /** Of the fleet that was asked; q7 has one host. */
  readonly hosts: number;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
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
  readonly yardstick?: { readonly name: string; readonly value: number; readonly unit: Unit };
  /** What the ratio, or the figure itself, has to be; absent where nothing is demanded. */
  readonly bar?: Bar;
}

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** What a check compares with its bar. */
export function measured(figure: Figure, { yardstick }: Check): number {
  return yardstick === undefined ? figure.value : figure.value / yardstick.value;
}

/** Null where nothing is demanded. */
export function isMet(figure: Figure, check: Check): boolean | null {
  const { bar } = check;
  if (bar === undefined) return null;
  const value = measured(figure, check);
  return 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** The figure of a series of times, and what it is compared with. */
export function timeFigure(
  samples: Samples,
  row: Pick<Figure, 'hosts' | 'what' | 'detail' | 'reference'> & { readonly checks?: readonly Check[] },
): Figure {
  return { checks: [], ...row, value: samples.median, unit: 'ms', p99: samples.p99, count: samples.count };
}

/** A comparison with a series of times of the same window. */
export function against(name: string, samples: Samples, bar?: Bar): Check {
  return { yardstick: { name, value: samples.median, unit: 'ms' }, bar };
}
