/** Rows of `width` numbers, the first of which is the id of the provider that the row belongs to. */
export class NumberRows {
  private values: Float64Array;
  private length = 0;

  constructor(private readonly width: number) {
    this.values = new Float64Array(16 * width);
  }

  add(row: readonly number[]): void {
    const at = this.length++ * this.width;
    if (at === this.values.length) this.grow();
    for (let field = 0; field < this.width; field++) this.values[at + field] = row[field];
  }

  /** One field of all rows, in the order in which they were added. */
  column(field: number): Int32Array {
    return this.into(new Int32Array(this.length), field, null);
  }

  /** The same of numbers that need not be integers of 32 bits. */
  numbers(field: number): Float64Array {
    return this.into(new Float64Array(this.length), field, null);
  }

  /** The rows by provider, in the order of `ids`, which ascends; those of one by their second number. */
  grouped(ids: Int32Array): Groups {
    const { values, width } = this;
    const owners = this.column(0).map((id) => positionOf(ids, id));
    const starts = new Int32Array(ids.length + 1);
    for (const owner of owners) if (owner >= 0) starts[owner + 1]++;
    for (let owner = 0; owner < ids.length; owner++) starts[owner + 1] += starts[owner];
    const ends = starts.slice();
    const order = new Int32Array(starts[ids.length]);
    owners.forEach((owner, row) => {
      if (owner < 0) return;
      const key = values[row * width + 1];
      let at = ends[owner]++;
      for (; at > starts[owner] && values[order[at - 1] * width + 1] > key; at--) order[at] = order[at - 1];
      order[at] = row;
    });
    return {
      starts,
      integers: (field) => this.into(new Int32Array(order.length), field, order),
      numbers: (field) => this.into(new Float64Array(order.length), field, order),
    };
  }

  private into<C extends Int32Array | Float64Array>(column: C, field: number, order: Int32Array | null): C {
    const { values, width } = this;
    for (let at = 0; at < column.length; at++) {
      column[at] = values[(order === null ? at : order[at]) * width + field];
    }
    return column;
  }

  private grow(): void {
    const { values } = this;
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
  }
}

/** Rows grouped by provider. Those of a provider that does not exist are left out. */
export interface Groups {
  /** By provider: where its rows begin, and one more at the end. */
  readonly starts: Int32Array;
  integers(field: number): Int32Array;
  numbers(field: number): Float64Array;
}

/** The position of a number in an ascending column; -1 when it is not in it. */
export function positionOf(ascending: Int32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < wanted) low = middle + 1;
    else if (ascending[middle] > wanted) high = middle - 1;
    else return middle;
  }
  return -1;
}
