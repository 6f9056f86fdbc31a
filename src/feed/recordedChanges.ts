import type { KindSet } from './kinds.js';
import type { UsageChange } from './usage.js';

/** Stands for the catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/** Stands for no provider: the row is a heartbeat, which only carries the low-watermark. What is below it stands for consumers. */
export const NO_PROVIDER = -1;

/**
 * Rows about consumers have multiples of this instead, a commit's first one this. Version 0.1.0, which knows no such rows, takes them for
 * providers; it finds that these do not exist, where it would fail on other numbers below 0.
 */
export const CONSUMER_ROWS = -4096;

/** A provider as it was before a transaction that moves it to another tree or deletes it. */
export interface FormerProvider {
  readonly id: number;
  readonly uuid: string;
  readonly rootId: number;
}

/** A consumer as it was before a transaction that deletes it or gives it to another project. */
export interface FormerConsumer {
  readonly id: number;
  readonly uuid: string;
  readonly projectId: number;
}

/** What a transaction has changed, for its rows in the feed. */
export class RecordedChanges {
  /** What was changed of each provider, by its id. */
  readonly providers = new Map<number, KindSet>();
  /** Those of them that leave their tree, for another one or for good. */
  readonly leaving = new Map<number, FormerProvider>();
  /** Consumers that have no id yet where they are recorded, by uuid. */
  readonly newConsumers = new Set<string>();
  /** Ids. */
  readonly consumers = new Set<number>();
  /** Those that are deleted or get another project. */
  readonly leavingConsumers = new Map<number, FormerConsumer>();
  /** How the usage of providers changes of which the transaction changes nothing else, by their ids. */
  usage: ReadonlyMap<number, UsageChange> = new Map();

  addProviders(ids: Iterable<number>, kinds: KindSet): void {
    for (const id of ids) this.providers.set(id, (this.providers.get(id) ?? 0) | kinds);
  }

  addLeaving(providers: Iterable<FormerProvider>, kinds: KindSet): void {
    for (const { id, uuid, rootId } of providers) {
      this.addProviders([id], kinds);
      this.leaving.set(id, { id, uuid, rootId });
    }
  }

  addConsumers(ids: Iterable<number>): void {
    for (const id of ids) this.consumers.add(id);
  }

  addNewConsumers(uuids: Iterable<string>): void {
    for (const uuid of uuids) this.newConsumers.add(uuid);
  }

  addLeavingConsumers(consumers: Iterable<FormerConsumer>): void {
    for (const { id, uuid, projectId } of consumers) {
      this.consumers.add(id);
      this.leavingConsumers.set(id, { id, uuid, projectId });
    }
  }

  /** How many rows they come to. */
  get size(): number {
    return this.providers.size + this.consumers.size + this.newConsumers.size;
  }

  /** What identifies one of the rows in the feed, if there are any: a consumer is never created without a provider. */
  get anyRow(): number | undefined {
    const [provider] = this.leaving.size > 0 ? this.leaving.keys() : this.providers.keys();
    return provider ?? (this.consumers.size > 0 ? CONSUMER_ROWS : undefined);
  }
}
