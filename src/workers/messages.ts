import type { WriterProgress } from '../feed/position.js';
import type { ProviderData } from '../snapshot/model/providerData.js';

/** What primary and workers send each other; structured clones. Other users of the channel have messages of their own. */

/** What the primary has read of the database, for the snapshots of all workers. */
export interface ChangesMessage {
  readonly providers: ReadonlyMap<number, ProviderData | null>;
  readonly published: ReadonlySet<number>;
  readonly writers: ReadonlyMap<number, WriterProgress>;
  /** The catalog, where it may have changed. */
  readonly names?: NamesMessage;
}

/** Names by their ids. */
export type NamesMessage = Readonly<
  Record<'classes' | 'traits' | 'aggregates', readonly (readonly [number, string])[]>
>;

/** What a worker needs to listen. */
export interface ListenMessage {
  readonly databaseUrl: string;
}

export interface ToWorker {
  readonly listen?: ListenMessage;
  /** Why requests have to wait. */
  readonly waiting?: string;
  /** The database is there and up to date. */
  readonly begin?: { readonly isShared: boolean };
  readonly changes?: ChangesMessage;
  /** The number of the worker's last freshness check that `changes`, and those sent before, answer. */
  readonly checked?: number;
  /** The same, where the primary could not read. */
  readonly failed?: number;
  readonly stop?: true;
}

export interface FromWorker {
  /** It takes messages. */
  readonly hello?: true;
  /** The address that it listens at. */
  readonly listening?: string;
  /** It serves. */
  readonly ready?: true;
  /** A freshness check. */
  readonly check?: { readonly number: number; readonly suspects: readonly number[] };
}

const TAG = 'placement';

export const tagged = <T extends object>(message: T): object => ({ [TAG]: message });

/** What was tagged; null: the message is somebody else's. */
export function untagged<T extends object>(message: unknown): T | null {
  if (typeof message !== 'object' || message === null || !(TAG in message)) return null;
  return message[TAG] as T;
}
