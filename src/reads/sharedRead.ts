import type { Operation } from '../runtime/operation.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import { groupBy } from '../domain/collections.js';

/**
 * A read of more keys than this has its own statement, for which no other read waits. It waits for a connection like
 * a list, because such statements would otherwise take all connections.
 */
const MOST_SHARED = 100;

/** How long a statement may keep the next one waiting, in milliseconds. */
const LONGEST_WAIT = 50;

/**
 * Reads rows by key for all operations of the process: those that ask while a statement is under way share
 * the next one. So every operation gets what its own statement would have given, one that was sent after it
 * asked, and under load many operations cost one statement. Nothing is kept.
 */
export class SharedRead<Key, Row> {
  private keys = new Set<Key>();
  private readonly statements = new SingleFlight(async () => {
    const keys = [...this.keys];
    this.keys = new Set();
    return groupBy(await this.read(keys), this.keyOf);
  }, LONGEST_WAIT);

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<readonly Row[]>,
    private readonly keyOf: (row: Row) => Key,
    /** What is read, for whoever follows an operation. */
    private readonly about: string,
  ) {}

  /** Returns the rows of distinct keys, in the order of the read. */
  of(keys: readonly Key[], operation: Operation): Promise<readonly Row[]> {
    return operation.activity.statement(this.about, () => {
      if (keys.length <= MOST_SHARED) return this.shared(keys);
      return operation.isWrite ? this.read(keys) : operation.withConnection(() => this.read(keys));
    });
  }

  private async shared(keys: readonly Key[]): Promise<readonly Row[]> {
    for (const key of keys) this.keys.add(key);
    const rows = await this.statements.join();
    return keys.flatMap((key) => rows.get(key) ?? []);
  }
}
