import { ensure } from '../../model/input.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { TotalsGrouping } from './totals.js';
import { TotalsTable } from './totalsTable.js';
import type { Operation } from '../../model/operation/operation.js';
import { untilAborted } from '../../model/operation/waiting.js';
import { currentSnapshot, type SnapshotSource } from '../candidateSearch.js';
import { addUpTotals, COST_OF_PASS, type TotalsFilter } from './currentTotals.js';

/** The maximum number of rows of a table. */
export const MAX_ROWS = 10_000;

/** A subscription to the totals. */
export interface TotalsReader {
  /** The versions of the table that the client knows or receives. */
  readonly versions: readonly number[];
  readonly operation: Operation;
}

/**
 * The totals of all subscriptions with one filter and grouping. One pass over the fleet serves all that poll at the
 * same time. The operation of one reader holds the memory of the table.
 */
export class SharedTotals {
  readonly table = new TotalsTable();
  private readonly readers = new Set<TotalsReader>();
  private holder: { readonly reader: TotalsReader; readonly release: () => void } | null = null;
  /** The snapshot of the last pass. A weak reference, because an idle subscription would keep it for an hour. */
  private latest: WeakRef<Snapshot> | null = null;
  private running: Promise<void> | null = null;
  /** How many passes have begun, and the number of the last one that succeeded. */
  private begun = 0;
  private succeeded = 0;

  constructor(
    private readonly snapshots: SnapshotSource,
    readonly key: string,
    private readonly filter: TotalsFilter,
    readonly grouping: TotalsGrouping | null,
  ) {}

  add(reader: TotalsReader): void {
    this.readers.add(reader);
  }

  /** Returns whether no reader is left. */
  remove(reader: TotalsReader): boolean {
    this.readers.delete(reader);
    if (this.holder?.reader === reader) this.findHolder();
    return this.readers.size === 0;
  }

  /** Waits for a pass that begins after this call, or makes one. @throws InvalidInput, Overloaded */
  async refresh(reader: TotalsReader): Promise<void> {
    const { signal } = reader.operation;
    const { begun } = this;
    while (this.running !== null)
      await untilAborted(
        signal,
        this.running.catch(() => undefined),
      );
    if (this.succeeded <= begun) {
      const number = ++this.begun;
      this.running = this.pass(reader.operation).then(() => void (this.succeeded = number));
      await this.running.finally(() => (this.running = null));
    }
    if (this.holder === null && this.readers.has(reader)) this.hold(reader);
  }

  /** Returns the snapshot of the last pass, or the current one if that was released. */
  async snapshot(operation: Operation): Promise<Snapshot> {
    return this.latest?.deref() ?? (await currentSnapshot(this.snapshots, operation));
  }

  /** Adds up with the deadline and cost of a query of the same totals. */
  private async pass(operation: Operation): Promise<void> {
    await operation.beginEvent(COST_OF_PASS);
    try {
      const snapshot = await currentSnapshot(this.snapshots, operation);
      if (snapshot === this.latest?.deref()) return;
      const { filter, grouping } = this;
      const totals = await addUpTotals(this.snapshots, { filter, grouping }, { limit: MAX_ROWS }, operation);
      const { placedRows, count } = totals;
      const advice = 'name a resource class or a tree in the filter, or another group';
      const message = `these are ${count} totals: at most ${MAX_ROWS} can be watched; ${advice}`;
      ensure(count <= MAX_ROWS, ['groupBy'], message);
      const known = new Set([...this.readers].flatMap(({ versions }) => versions));
      this.table.update(
        placedRows.map(({ item }) => item),
        [...known],
      );
      this.latest = new WeakRef(snapshot);
    } finally {
      operation.endEvent();
    }
  }

  /** @throws Overloaded */
  private hold(reader: TotalsReader): void {
    const release = reader.operation.hold(this.table.bytes + 2 * this.key.length);
    this.holder = { reader, release };
  }

  /** Makes another reader hold the table. Ends readers whose clients hold too much. */
  private findHolder(): void {
    this.holder?.release();
    this.holder = null;
    for (const reader of this.readers) {
      if (this.holder !== null) return;
      try {
        this.hold(reader);
      } catch (error) {
        reader.operation.abort(error as Error);
      }
    }
  }
}
