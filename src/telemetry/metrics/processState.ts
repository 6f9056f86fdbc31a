import type { Snapshot } from '../../engine/model/snapshot.js';

export interface PoolState {
  /** Connections that work, and that wait for work. */
  readonly active: number;
  readonly idle: number;
  /** Those who wait for a connection. */
  readonly waiting: number;
}

/** What can be read of a process at any time. */
export interface ProcessState {
  /** The snapshot that searches read, and how long ago it was last found to be current (ms); null before it is loaded. */
  readonly snapshot: { readonly snapshot: Snapshot; readonly age: number } | null;
  /** How many wait in each queue, by its name. */
  queues(): Readonly<Record<string, number>>;
  /** What the operations under way cost together, by their size. */
  costs(): Readonly<Record<string, number>>;
  pools(): Readonly<Record<string, PoolState>>;
  /** Open streams of events. */
  readonly streams: number;
}
