/** Marks the end of a list of rows. */
export const NO_ROW = -1;

/** Rows of whole numbers, in columns that grow. A row that is removed is used again. */
export class IntegerRows<Name extends string> {
  readonly columns: Record<Name, Int32Array>;
  /** Rows that have been in use so far. */
  length = 0;
  private free: number[] = [];
  private capacity = 1024;

  constructor(private readonly names: readonly Name[]) {
    this.columns = this.mapped(() => new Int32Array(this.capacity));
  }

  /** Gives the row that it adds. */
  add(row: Readonly<Record<Name, number>>): number {
    const at = this.free.pop() ?? this.length++;
    if (at === this.capacity) this.grow();
    for (const name of this.names) this.columns[name][at] = row[name];
    return at;
  }

  remove(at: number): void {
    this.free.push(at);
  }

  private grow(): void {
    this.capacity *= 2;
    const grown = this.mapped((name) => {
      const column = new Int32Array(this.capacity);
      column.set(this.columns[name]);
      return column;
    });
    Object.assign(this.columns, grown);
  }

  private mapped(column: (name: Name) => Int32Array): Record<Name, Int32Array> {
    return Object.fromEntries(this.names.map((name) => [name, column(name)])) as Record<Name, Int32Array>;
  }
}
