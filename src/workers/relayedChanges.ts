import { FeedPosition } from '../feed/position.js';
import { usageOf, type UsageCommit } from '../feed/usage.js';
import { DatabaseUnavailable } from '../runtime/refusals.js';
import { within } from '../runtime/waiting.js';
import type { ChangeSource, Known } from '../snapshot/changeSource.js';
import type { Changes } from '../snapshot/changes.js';
import type { SnapshotNames } from '../snapshot/model/fleetSnapshot.js';
import { NameTable } from '../snapshot/model/nameTable.js';
import type { ProviderData } from '../snapshot/model/providerData.js';
import type { ChangesMessage, FromWorker, NamesMessage, ToWorker } from './messages.js';

/** How long the primary may take (ms): then the database is asked. */
const LONGEST_WAIT_MS = 1_000;

/** What has come from the primary and was not asked for yet. */
interface Arrived {
  readonly providers: Map<number, ProviderData | null>;
  /** What has come after that of the same provider. */
  usage: UsageCommit[];
  readonly published: Set<number>;
  position: FeedPosition | null;
  names: SnapshotNames | null;
}

/** What is waited for. */
interface Check {
  readonly number: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * What has changed, as the primary tells it to all workers.
 *
 * Where the primary does not answer, the database is asked from where this worker is. What the primary has read before that and tells
 * later may then take a provider back to how it was; but only on the way to an answer of the primary, and that comes behind every
 * change that was committed before it was asked for. All that has come until then is taken together: so a commit that is known already
 * counts again just for those providers that were told as they were before it.
 */
export class RelayedChanges implements ChangeSource {
  private arrived = nothing();
  private checks = 0;
  private waiting: Check | null = null;

  private database: ChangeSource | null = null;

  constructor(private readonly send: (message: FromWorker) => void) {}

  /** The same, with what is asked where the primary does not answer. */
  orElse(database: ChangeSource): this {
    this.database = database;
    return this;
  }

  async changesSince(known: Known, suspects: ReadonlySet<number>): Promise<Changes> {
    try {
      await within(LONGEST_WAIT_MS, 'The primary does not answer.', this.check(suspects));
    } catch (error) {
      if (this.database === null) throw error;
      return this.database.changesSince(known, suspects);
    }
    const { providers, published, position, names, ...arrived } = this.arrived;
    this.arrived = nothing();
    const usage = arrived.usage.flatMap((commit) =>
      known.position.has(commit) ? usageOf(commit, (id) => providers.has(id)) : commit,
    );
    return { providers, usage, published, position: position ?? known.position, names: names ?? known.names };
  }

  /** Takes a message of the primary. */
  receive({ changes, checked, failed }: ToWorker): void {
    for (const each of changes ?? []) this.keep(each);
    if (checked !== undefined && checked === this.waiting?.number) this.waiting.resolve();
    if (failed !== undefined && failed === this.waiting?.number)
      this.waiting.reject(new DatabaseUnavailable('The primary could not read.'));
  }

  private check(suspects: ReadonlySet<number>): Promise<void> {
    const number = ++this.checks;
    return new Promise((resolve, reject) => {
      this.waiting = { number, resolve, reject };
      this.send({ check: { number, suspects: [...suspects] } });
    });
  }

  private keep({ providers, usage, published, writers, names }: ChangesMessage): void {
    const { arrived } = this;
    if (providers.size > 0)
      arrived.usage = arrived.usage.flatMap((commit) => usageOf(commit, (id) => !providers.has(id)));
    arrived.usage.push(...usage);
    for (const [id, provider] of providers) arrived.providers.set(id, provider);
    for (const id of published) arrived.published.add(id);
    arrived.position = FeedPosition.of(writers);
    if (names) arrived.names = namesOf(names);
  }
}

function nothing(): Arrived {
  return { providers: new Map(), usage: [], published: new Set(), position: null, names: null };
}

function namesOf(message: NamesMessage): SnapshotNames {
  const table = (kind: keyof NamesMessage): NameTable =>
    new NameTable(message[kind].map(([id, name]) => ({ id, name })));
  return { classes: table('classes'), traits: table('traits'), aggregates: table('aggregates') };
}
