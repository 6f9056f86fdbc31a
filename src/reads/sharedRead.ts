import { setTimeout } from 'node:timers/promises';
import { groupBy } from './groups.js';

/** Whoever asks for more keys than this has a statement to himself, for which nobody else waits. */
const MOST_SHARED = 100;

/** How long a statement may keep the next one waiting, in milliseconds. */
const PATIENCE = 50;

/**
 * Reads rows by key for all operations of the process: those that ask while a statement is under way share the next one. So
 * every operation gets what its own statement would have given, one that was sent after it asked, and under load many
 * operations cost one statement. Nothing is kept.
 */
export class SharedRead<Key, Row> {
  private next: { readonly keys: Set<Key>; readonly rows: Promise<ReadonlyMap<Key, readonly Row[]>> } | null =
    null;
  /** The end of the statement under way. */
  private last: Promise<unknown> | null = null;

  constructor(
    private readonly read: (keys: readonly Key[]) => Promise<readonly Row[]>,
    private readonly keyOf: (row: Row) => Key,
  ) {}

  /** The rows of these keys, each given once, in the order in which they are read. */
  async of(keys: readonly Key[]): Promise<readonly Row[]> {
    if (keys.length > MOST_SHARED) return this.read(keys);
    const statement = (this.next ??= this.wait());
    for (const key of keys) statement.keys.add(key);
    const rows = await statement.rows;
    return keys.flatMap((key) => rows.get(key) ?? []);
  }

  /** A statement that is sent when the one before it has been answered, or takes too long. */
  private wait(): NonNullable<typeof this.next> {
    const keys = new Set<Key>();
    const turn =
      this.last === null
        ? Promise.resolve()
        : Promise.race([this.last, setTimeout(PATIENCE, undefined, { ref: false })]);
    const rows = turn.then(async () => {
      this.next = null;
      return groupBy(await this.read([...keys]), this.keyOf);
    });
    const end = (): void => {
      if (this.last === ended) this.last = null;
    };
    const ended = rows.then(end, end); // those who share the statement are told of its failure
    this.last = ended;
    return { keys, rows };
  }
}
