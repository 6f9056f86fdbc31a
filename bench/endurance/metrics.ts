/** One reading of /metrics: the value of each series by its name with its labels as printed. */
export class Metrics {
  private readonly series: ReadonlyMap<string, number>;

  constructor(
    text: string,
    /** Seconds since the load began. */
    readonly at: number,
  ) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.series = new Map(
      lines.map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
    );
  }

  /** Reads the metrics of the server with this GraphQL endpoint. */
  static async read(endpoint: string, at: number): Promise<Metrics> {
    const answer = await fetch(new URL('/metrics', endpoint));
    if (!answer.ok) throw new Error(`HTTP ${answer.status} for /metrics`);
    return new Metrics(await answer.text(), at);
  }

  /** Returns the sum of all series of this name that have all of these labels. */
  sum(name: string, ...labels: readonly string[]): number {
    let sum = 0;
    for (const [key, value] of this.series) {
      const isOfName = key === name || key.startsWith(`${name}{`);
      if (isOfName && labels.every((label) => key.includes(label))) sum += value;
    }
    return sum;
  }

  /**
   * Returns the quantile of the values that a histogram has counted since an earlier reading. Like
   * Prometheus it assumes that values are evenly spread within a bucket. Returns NaN if there are
   * no values.
   */
  quantileSince(earlier: Metrics, histogram: string, label: string, share: number): number {
    const counts = this.bucketsSince(earlier, histogram, label);
    const wanted = share * (counts.at(-1)?.count ?? 0);
    const at = counts.findIndex(({ count }) => count >= wanted);
    if (wanted === 0 || at < 0) return NaN;
    const [below, found] = [counts[at - 1] ?? { bound: 0, count: 0 }, counts[at]];
    if (found.bound === Infinity) return below.bound;
    return below.bound + ((found.bound - below.bound) * (wanted - below.count)) / (found.count - below.count);
  }

  private bucketsSince(
    earlier: Metrics,
    histogram: string,
    label: string,
  ): { bound: number; count: number }[] {
    const buckets = [...this.series].flatMap(([key, value]) => {
      if (!key.startsWith(`${histogram}_bucket{`) || !key.includes(label)) return [];
      const bound = /le="([^"]+)"/.exec(key)![1];
      const count = value - (earlier.series.get(key) ?? 0);
      return [{ bound: bound === '+Inf' ? Infinity : Number(bound), count }];
    });
    return buckets.sort((a, b) => a.bound - b.bound);
  }
}
