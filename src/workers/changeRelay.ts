import type { Database } from '../database/database.js';
import { readPosition } from '../feed/reader.js';
import { SingleFlight } from '../runtime/singleFlight.js';
import { DatabaseChanges, type ChangeSource, type Known } from '../snapshot/changeSource.js';
import type { Changes } from '../snapshot/changes.js';
import type { SnapshotNames } from '../snapshot/model/fleetSnapshot.js';
import { readNames } from '../snapshot/readNames.js';
import type { ChangesMessage, FromWorker, NamesMessage, ToWorker } from './messages.js';

/** A worker, as the relay knows it. */
export interface Receiver {
  send(message: ToWorker): void;
}

/**
 * Reads for all workers what has changed: a freshness check of a worker is answered by a run that begins after it has come, which all
 * that come meanwhile share. With the answer to its check each worker is sent whatever was read since the one before, in the order in which
 * it was read. So with what it has loaded itself after it was added, a worker that has the answer knows all that was committed before it asked.
 */
export class ChangeRelay {
  /** What was read and is to be sent to a worker with the next answer. */
  private readonly unsent = new Map<Receiver, ChangesMessage[]>();
  /** By worker, the number of its check that the next run answers. */
  private checks = new Map<Receiver, number>();
  private suspects = new Set<number>();
  private readonly runs = new SingleFlight(() => this.run());
  private known: Known | null = null;
  private readonly source: ChangeSource;

  constructor(private readonly database: Database) {
    this.source = new DatabaseChanges(database);
  }

  /** What is read from now on is sent to it. What it loads must be loaded after this. */
  add(receiver: Receiver): void {
    this.unsent.set(receiver, []);
  }

  remove(receiver: Receiver): void {
    this.unsent.delete(receiver);
    this.checks.delete(receiver);
  }

  /** Begins to follow the feed. To be called before a worker loads anything. */
  async start(): Promise<void> {
    const position = await readPosition(this.database.pool);
    this.known = { position, names: await readNames(this.database.pool) };
  }

  check(receiver: Receiver, { number, suspects }: NonNullable<FromWorker['check']>): void {
    this.checks.set(receiver, number);
    for (const id of suspects) this.suspects.add(id);
    void this.runs.join();
  }

  /** Never rejects: what fails is told to those who have asked, who then ask the database themselves. */
  private async run(): Promise<void> {
    const { checks, suspects } = this;
    this.checks = new Map();
    this.suspects = new Set();
    try {
      const message = await this.read(suspects);
      if (message !== null) for (const messages of this.unsent.values()) messages.push(message);
      for (const [receiver, checked] of checks)
        receiver.send({ checked, changes: this.unsent.get(receiver)?.splice(0) });
    } catch {
      for (const [receiver, failed] of checks) receiver.send({ failed });
    }
  }

  /** Null: nothing has changed. */
  private async read(suspects: ReadonlySet<number>): Promise<ChangesMessage | null> {
    if (this.known === null) throw new Error('the feed is not followed yet');
    const before = this.known;
    const changes = await this.source.changesSince(before, suspects);
    this.known = { position: changes.position, names: changes.names };
    const isSame =
      changes.position === before.position &&
      changes.providers.size === 0 &&
      changes.usage.length === 0 &&
      changes.names === before.names;
    return isSame ? null : messageOf(changes, before.names);
  }
}

function messageOf(
  { providers, usage, published, position, names }: Changes,
  before: SnapshotNames,
): ChangesMessage {
  const { writers } = position;
  return { providers, usage, published, writers, ...(names !== before && { names: namesMessage(names) }) };
}

function namesMessage({ classes, traits, aggregates }: SnapshotNames): NamesMessage {
  return {
    classes: [...classes.entries()],
    traits: [...traits.entries()],
    aggregates: [...aggregates.entries()],
  };
}
