import DataLoader from 'dataloader';
import type { Operation } from '../../model/operation/operation.js';

/** The maximum number of keys of one read: processing its rows delays all other operations. */
const MAX_BATCH = 1_000;

/**
 * Loads values by key. Keys that an operation requests at the same time share one read, up to {@link MAX_BATCH}. Keys
 * that it requests in several time slices of one answer count as simultaneous, so that the number of reads does not
 * depend on the speed of the machine.
 */
export class BatchLoader<K, V, C = K> extends DataLoader<K, V, C> {
  constructor(
    operation: Operation,
    load: DataLoader.BatchLoadFn<K, V>,
    options: DataLoader.Options<K, V, C> = {},
  ) {
    const loadInTurn = async (keys: readonly K[]): Promise<ArrayLike<V | Error>> => {
      if (keys.length < MAX_BATCH) return load(keys);
      await operation.pause(); // many batches may be due at once
      const values = await load(keys);
      await operation.pause(); // several may be read at once
      return values;
    };
    super(loadInTurn, {
      ...options,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (dispatch) => dispatchAfterSlices(operation, dispatch),
    });
  }
}

/**
 * Loads rows by the value of a column: null if no row has it. Compares values exactly, whatever the collation of the
 * database.
 */
export class RowLoader<
  Column extends string,
  Row extends Readonly<Record<Column, string>>,
> extends BatchLoader<string, Row | null> {
  constructor(
    operation: Operation,
    column: Column,
    read: (keys: readonly string[]) => Promise<readonly Row[]>,
  ) {
    super(operation, async (keys) => {
      const rows = new Map((await read(keys)).map((row): [string, Row] => [row[column], row]));
      return keys.map((key) => rows.get(key) ?? null);
    });
  }
}

function dispatchAfterSlices(operation: Operation, dispatch: () => void): void {
  const dispatchOrWait = (): void => {
    const { slices } = operation;
    if (slices) void slices.then(() => dispatchAfterSlices(operation, dispatch));
    else dispatch();
  };
  // after everything that the executor resolves now, as DataLoader does by default
  void Promise.resolve().then(() => process.nextTick(dispatchOrWait));
}
