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
 * that come meanwhile share. Each worker is sent whatever is read, in the order in which it is read, and the answer to its check behind
 * that. So with what it has loaded itself after it was added, a worker that has the answer knows all that was committed before it asked.
 */
export class ChangeRelay {
  private readonly receivers = new Set<Receiver>();
  /** By worker, the number of its check that the next run answers. */
  private checks = new Map<Receiver, number>();
  private suspects = new Set<number>();
  private readonly runs = new SingleFlight(() => this.run());
  private known: Known | null = null;
  private readonly source: ChangeSource;

  constructor(private readonly database: Database) {
    this.source = new DatabaseChanges(database);
  }

  /** From now on it is sent what is read. What it loads must be loaded after this. */
  add(receiver: Receiver): void {
    this.receivers.add(receiver);
  }

  remove(receiver: Receiver): void {
    this.receivers.delete(receiver);
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
      for (const receiver of this.receivers) {
        const checked = checks.get(receiver);
        if (message !== null || checked !== undefined)
          receiver.send({ ...(message && { changes: message }), checked });
      }
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
