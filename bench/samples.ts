import { median } from './bootstrap.js';

/** Measured times in milliseconds. */
export class Samples {
  readonly times: number[];

  constructor(times: readonly number[] = []) {
    this.times = [...times];
  }

  add(time: number): void {
    this.times.push(time);
  }

  get count(): number {
    return this.times.length;
  }

  get median(): number {
    return median(this.times);
  }

  get p99(): number {
    return this.quantile(0.99);
  }

  /** Returns the smallest of the times that this share of all times does not exceed. */
  private quantile(share: number): number {
    const sorted = [...this.times].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }
}
