import type { WriterProgress } from '../feed/position.js';
import type { UsageCommit } from '../feed/usage.js';
import type { SentClaim } from '../ledger/allocation/claims.js';
import type { WrittenConsumer } from '../ledger/allocation/consumerPlan.js';
import type { Activity } from '../runtime/observation/activity.js';
import type { Observer } from '../runtime/observation/observer.js';
import type { ProviderData } from '../snapshot/model/providerData.js';
import type { SentError } from './rejection.js';

/** What primary and workers send each other; structured clones. Other users of the channel have messages of their own. */

/** What the primary has read of the database, for the snapshots of all workers. */
export interface ChangesMessage {
  readonly providers: ReadonlyMap<number, ProviderData | null>;
  /** How usage has changed besides, of providers as they are above, or as they are known. */
  readonly usage: readonly UsageCommit[];
  readonly published: ReadonlySet<number>;
  readonly writers: ReadonlyMap<number, WriterProgress>;
  /** The catalog, where it may have changed. */
  readonly names?: NamesMessage;
}

/** Names by their ids. */
export type NamesMessage = Readonly<
  Record<'classes' | 'traits' | 'aggregates', readonly (readonly [number, string])[]>
>;

/** A claim of a worker, under a number of its own. */
export interface NewClaim extends SentClaim {
  readonly number: number;
}

/** Claims to write, and the numbers of those that nobody waits for any more. */
export interface ClaimOrder {
  readonly claims: readonly NewClaim[];
  readonly cancelled: readonly number[];
}

/** How a claim has ended, and what was done for it: written, rejected or failed; without either it was cancelled in time. */
export interface ClaimAnswer extends Pick<Activity, 'statements' | 'rows' | 'retries'> {
  readonly number: number;
  readonly written?: readonly WrittenConsumer[];
  readonly error?: SentError;
}

/** What the primary has done for claims, for the figures of whichever worker is told. */
export interface Observed {
  readonly tried: number[];
  readonly retried: Parameters<Observer['transactionRetried']>[0][];
}

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
  /** What was read since the last ones were sent. */
  readonly changes?: readonly ChangesMessage[];
  /** The number of the worker's last freshness check that `changes`, and those sent before, answer. */
  readonly checked?: number;
  /** The same, where the primary could not read. */
  readonly failed?: number;
  readonly claimed?: { readonly answers: readonly ClaimAnswer[]; readonly observed: Observed };
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
  readonly order?: ClaimOrder;
}

const TAG = 'placement';

export const tagged = <T extends object>(message: T): object => ({ [TAG]: message });

/** What was tagged; null: the message is somebody else's. */
export function untagged<T extends object>(message: unknown): T | null {
  if (typeof message !== 'object' || message === null || !(TAG in message)) return null;
  return message[TAG] as T;
}
