import { checkServersKnow } from '../../feed/olderServers.js';
import {
  columns,
  dateOf,
  deletionFrom,
  insertion,
  matching,
  preciseTimestampOf,
  type Queryable,
  updateOf,
} from '../../sql/statements.js';
import { InvalidInput } from '../../../model/input.js';
import { batches, COMPARED_AT_ONCE, type Transaction } from '../transaction.js';
import type { Versioned } from '../provider/providerRows.js';

/**
 * Holds: consumers that end by themselves at a time (ADR 49). A hold expects a generation of its consumer. A write of this
 * server moves it on with the generation. After a write of another program the generations differ: the hold has ended.
 */

/** The row of a hold as a transaction has read it. */
interface StoredHold {
  /** In UTC, with milliseconds. */
  readonly expiresAt: string;
  readonly generation: number;
}

/** A row of a consumer with its hold: null if it has none, undefined if the hold was not read. */
export interface Holder extends Versioned {
  readonly hold?: StoredHold | null;
}

/** Returns when a consumer ends by itself. Null if it does not. */
export function expiryOf({ hold, generation }: Holder): Date | null {
  return hold != null && hold.generation === generation ? dateOf(hold.expiresAt) : null;
}

/** Returns whether a wanted expiry differs from the stored one. Undefined keeps it. */
export function changesExpiry(wanted: Date | null | undefined, stored: Holder): boolean {
  return wanted !== undefined && wanted?.getTime() !== expiryOf(stored)?.getTime();
}

const h = columns('placement_holds');
const c = columns('consumers');
const KEEP = `${updateOf('placement_holds')} SET ${h.generation} = ${h.generation} + 1`;
const REMOVE = `${deletionFrom('placement_holds')} WHERE ${h.consumer_id} IN (?) ORDER BY ${h.consumer_id}`;
const ROW = ['consumer_id', 'expires_at', 'generation'] as const;
const REPLACED = `ON DUPLICATE KEY UPDATE ${h.expires_at} = VALUES(${h.expires_at}), ${h.generation} = VALUES(${h.generation})`;
const SET = insertion('placement_holds', ROW, REPLACED);
const OF_NEW = `SELECT ${c.id}, ?, ${c.generation} FROM consumers WHERE ${c.uuid} IN (?)`;

function* batchesOf(rows: readonly Holder[]): Generator<readonly Holder[]> {
  const held = rows.filter(({ hold }) => hold !== null);
  yield* batches(
    held.sort((one, other) => one.id - other.id),
    COMPARED_AT_ONCE,
  );
}

/** Moves the holds that expect the generations of these consumers, as read, on to the next ones. */
function keepHolds(tx: Transaction, rows: readonly Holder[]): void {
  for (const batch of batchesOf(rows)) {
    const versions = batch.map(({ id, generation }) => [id, generation]);
    const { text, values } = matching([h.consumer_id, h.generation], versions);
    tx.send(`${KEEP} WHERE ${text} ORDER BY ${h.consumer_id}`, values);
  }
}

/** Removes the rows of the holds of consumers. Sends nothing if none of them has one. */
export function removeHolds(tx: Transaction, rows: readonly Holder[]): void {
  for (const batch of batchesOf(rows)) tx.send(REMOVE, [batch.map(({ id }) => id)]);
}

/** Sets the holds of stored consumers, which have the generations after these. */
function setHolds(tx: Transaction, expiries: ReadonlyMap<Versioned, Date>): void {
  const rows = Array.from(
    expiries,
    ([{ id, generation }, time]) => [id, preciseTimestampOf(time), generation + 1] as const,
  ).sort(([one], [other]) => one - other);
  for (const batch of batches(rows, COMPARED_AT_ONCE)) tx.send(...SET(batch));
}

/** Sets the holds of consumers that the transaction has just inserted, by uuid. */
export function addHolds(tx: Transaction, expiries: ReadonlyMap<string, Date>): void {
  const uuidsAt = new Map<string, string[]>();
  for (const [uuid, time] of expiries) {
    const uuids = uuidsAt.get(preciseTimestampOf(time));
    if (uuids) uuids.push(uuid);
    else uuidsAt.set(preciseTimestampOf(time), [uuid]);
  }
  for (const batch of batches([...uuidsAt], COMPARED_AT_ONCE)) {
    const rows = batch.map(() => OF_NEW).join(' UNION ALL ');
    tx.send(`INSERT INTO placement_holds (${ROW.join(', ')}) ${rows} ${REPLACED}`, batch.flat());
  }
}

/** The new times at which consumers end by themselves. Null: they do not. */
export type Expiries = Map<Holder, Date | null>;

/** Changes the holds of consumers whose generations the transaction has counted. Holds without an entry stay. */
export function changeHolds(tx: Transaction, rows: readonly Holder[], expiries: Readonly<Expiries>): void {
  const unstated = rows.filter((row) => !expiries.has(row));
  keepHolds(
    tx,
    unstated.filter((row) => row.hold === undefined || expiryOf(row) !== null),
  );
  // another program has written the others
  const ended = unstated.filter((row) => row.hold != null && expiryOf(row) === null);
  removeHolds(tx, [...ended, ...Array.from(expiries.keys()).filter((row) => expiries.get(row) === null)]);
  setHolds(tx, new Map(Array.from(expiries).flatMap(([row, time]) => (time === null ? [] : [[row, time]]))));
}

/** The longest time until an expiry (ms). */
const MAX_MS = 366 * 86_400_000;

/** An expiry in an input, with its path. */
export interface StatedExpiry {
  readonly expiresAt: Date;
  readonly path: readonly string[];
}

/** Returns the stated expiries of a list of an input. */
export function statedExpiries(
  items: readonly { readonly expiresAt?: Date | null }[],
  path: readonly string[],
): StatedExpiry[] {
  return items.flatMap(({ expiresAt }, at) =>
    expiresAt == null ? [] : [{ expiresAt, path: [...path, String(at), 'expiresAt'] }],
  );
}

/**
 * Checks expiries by the clock of the database, by which they end. Reads nothing without expiries.
 *
 * @throws OlderServer before the first hold while a server of version 1.0 runs
 * @throws InvalidInput for the first expiry that has passed or is more than 366 days ahead
 */
export async function checkExpiries(reader: Queryable, expiries: readonly StatedExpiry[]): Promise<void> {
  if (expiries.length === 0) return;
  await checkServersKnow(reader, 'holds');
  const [{ now }] = await reader.query<{ now: string }[]>('SELECT CAST(UTC_TIMESTAMP(3) AS CHAR) AS now');
  for (const { expiresAt, path } of expiries) {
    const left = expiresAt.getTime() - dateOf(now)!.getTime();
    const shown = expiresAt.toISOString();
    if (left <= 0)
      throw new InvalidInput(path, `${shown} has passed: the clock of the database shows ${now} UTC`);
    if (left > MAX_MS) throw new InvalidInput(path, `${shown} is more than 366 days ahead`);
  }
}
