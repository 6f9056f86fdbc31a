import type { Activity } from '../runtime/observation/activity.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import { groupBy } from '../domain/collections.js';

/** Whoever asks for more keys than this has a statement to himself, for which nobody else waits. */
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

  /** Returns the rows of distinct keys, in the order of the read. @param activity of the reading operation */
  of(keys: readonly Key[], activity: Activity): Promise<readonly Row[]> {
    return activity.statement(this.about, () => this.rowsOf(keys));
  }

  private async rowsOf(keys: readonly Key[]): Promise<readonly Row[]> {
    if (keys.length > MOST_SHARED) return this.read(keys);
    for (const key of keys) this.keys.add(key);
    const rows = await this.statements.join();
    return keys.flatMap((key) => rows.get(key) ?? []);
  }
}
