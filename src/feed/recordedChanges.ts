import type { KindSet } from './kinds.js';
import type { UsageChange } from './usage.js';

/** The catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/** What a row of the feed is about: see prisma/schema.prisma. */
export type RowKind = 'PROVIDER' | 'CONSUMER' | 'CATALOG' | 'HEARTBEAT' | 'RESET';

/** Identifies a row of the feed among those of its transaction. */
export interface RowId {
  readonly kind: RowKind;
  readonly objectId: number;
}

/** A provider as it was before a transaction that deletes it or moves it to another tree. */
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

/** The changes of one transaction, which become its rows in the feed. */
export class RecordedChanges {
  /** What changed of each provider, by its id; {@link CATALOG} stands for the catalog. */
  readonly providers = new Map<number, KindSet>();
  /** The providers that are deleted or leave their tree, by id. */
  readonly leaving = new Map<number, FormerProvider>();
  /** The uuids of consumers whose ids are not known yet. */
  readonly newConsumers = new Set<string>();
  /** The ids of changed consumers. */
  readonly consumers = new Set<number>();
  /** The consumers that are deleted or leave their project, by id. */
  readonly leavingConsumers = new Map<number, FormerConsumer>();
  /** The usage changes of providers of which nothing else changes, by id. */
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

  /** The number of rows, or more. */
  get size(): number {
    return this.providers.size + this.consumers.size + this.newConsumers.size;
  }

  /** A row that the transaction certainly writes. Undefined if nothing changed: no consumer is created without a provider. */
  get anyRow(): RowId | undefined {
    const [provider] = this.leaving.size > 0 ? this.leaving.keys() : this.providers.keys();
    if (provider === CATALOG) return { kind: 'CATALOG', objectId: CATALOG };
    if (provider !== undefined) return { kind: 'PROVIDER', objectId: provider };
    const [consumer] = this.leavingConsumers.size > 0 ? this.leavingConsumers.keys() : this.consumers;
    return consumer === undefined ? undefined : { kind: 'CONSUMER', objectId: consumer };
  }
}
