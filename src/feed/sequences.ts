/** A set of sequences, stored as runs of consecutive numbers: under load a reader sees many, with few gaps. */
export class Sequences {
  static readonly NONE = new Sequences([]);

  /** @param runs the first and the last number of each run, in ascending order and not adjacent */
  constructor(readonly runs: readonly (readonly [first: number, last: number])[]) {}

  static of(numbers: Iterable<number>): Sequences {
    const runs: [number, number][] = [];
    for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
      const run = runs.at(-1);
      if (run !== undefined && run[1] + 1 === number) run[1] = number;
      else runs.push([number, number]);
    }
    return new Sequences(runs);
  }

  /** Null if there are none. */
  get highest(): number | null {
    return this.runs.at(-1)?.[1] ?? null;
  }

  has(number: number): boolean {
    return this.runs.some(([first, last]) => first <= number && number <= last);
  }

  equals(other: Sequences): boolean {
    return (
      this.runs.length === other.runs.length &&
      this.runs.every(([first, last], at) => other.runs[at][0] === first && other.runs[at][1] === last)
    );
  }
}
