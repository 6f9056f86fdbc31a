import type { Operation } from '../runtime/operation.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import { groupBy } from '../domain/collections.js';

/**
 * A read of more keys than this has its own statement, for which no other read waits. It waits for a connection like
 * a list, because such statements would otherwise take all connections.
 */
const MOST_SHARED = 100;

/** The maximum time that a statement delays the next one, in milliseconds. */
const LONGEST_WAIT = 50;

/**
 * Reads rows by key for all operations of the process. Operations that request rows while a
 * statement runs share the next statement. So each operation gets rows of a statement that was sent
 * after its request, and under load many operations cost one statement. Nothing is cached.
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
    /** The text of the statement in traces. */
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
