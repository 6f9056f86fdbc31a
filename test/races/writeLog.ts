import type { Takes } from '../support/claims.js';
import { endOf, type Outcome } from './client.js';

export interface Offer {
  readonly resourceClass: string;
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
}

/** The desired state of a consumer. */
export interface Wanted {
  readonly consumer: string;
  /** The expected generation. Null if the consumer must not exist. */
  readonly generation: number | null;
  /** Empty if the consumer shall be deleted. */
  readonly amounts: Takes;
}

/** Inventories that a write sets on a provider, each with the attempt's number as `reserved`. */
export interface InventoryWrite {
  readonly provider: string;
  readonly generation: number;
  readonly resourceClasses: readonly string[];
  /** The step of the provider's generation. Default: 1. */
  readonly step?: number;
}

/**
 * A write that was sent. Its number is its mark: consumers get it as their project, inventories as
 * `reserved`. The mark distinguishes the results of this write from those of all others.
 */
export interface Attempt {
  readonly number: number;
  /** Begins with {@link OVER_REST} if the write was sent to the REST API. */
  readonly kind: string;
  readonly consumers: readonly Wanted[];
  readonly stocked: readonly InventoryWrite[];
  readonly outcome: Outcome;
}

export const OVER_REST = 'REST ';

export const projectOf = (number: number): string => `attempt-${number}`;

export const isEmptying = ({ amounts }: Wanted): boolean => Object.keys(amounts).length === 0;

/** Every write of a load with its outcome. */
export class WriteLog {
  readonly attempts: Attempt[] = [];
  private started = 0;

  /** Sends a write under a new number and records its outcome. */
  async record<T>(
    kind: string,
    { consumers = [], stocked = [] }: Partial<Pick<Attempt, 'consumers' | 'stocked'>>,
    send: (number: number) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const number = (this.started += 1);
    const outcome = await send(number);
    this.attempts.push({ number, kind, consumers, stocked, outcome });
    return outcome;
  }

  /** Returns the writes with an unknown outcome. */
  unknown(): Attempt[] {
    return this.attempts.filter(({ outcome }) => outcome.kind === 'unknown');
  }

  /**
   * Returns rejected writes of consumers that only one writer writes. Their state differed from its
   * last write, so a write was lost or done twice.
   */
  selfConflicts(): Attempt[] {
    const own = new Set(['claim', 'move', 'swap', 'release', 'delete']);
    const codes = new Set(['CONSUMER_GENERATION_CONFLICT', 'NOT_FOUND', 'INVALID_INPUT']);
    return this.attempts.filter(
      ({ kind, outcome }) =>
        own.has(kind.replace(OVER_REST, '')) && outcome.kind === 'refused' && codes.has(outcome.code),
    );
  }

  /** Counts the results of each kind of attempt: `{ claim: { done: 3, CAPACITY_EXCEEDED: 1 } }`. */
  count(): Record<string, Record<string, number>> {
    const count: Record<string, Record<string, number>> = {};
    for (const { kind, outcome } of this.attempts) {
      const end = endOf(outcome);
      const ends = (count[kind] ??= {});
      ends[end] = (ends[end] ?? 0) + 1;
    }
    return count;
  }
}
