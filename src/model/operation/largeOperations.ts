import type { Admission } from './admission.js';
import type { Client } from './client.js';
import { untilAborted } from './waiting.js';

interface LargeOperation {
  readonly client: Client;
  /** The estimated cost. */
  readonly estimate: number;
  readonly signal: AbortSignal;
}

/**
 * Orders the large operations of each client: a few run at the same time, and their answers are
 * completed one after another. Each begun operation takes memory, and the values of an unfinished
 * answer make each garbage collection longer. Unless the capacity is exceeded, no operation waits
 * for one with a higher estimate, so a page does not wait for a plan that takes seconds.
 */
export class LargeOperations {
  /** The operations that have begun, in order. */
  private readonly begun = new Set<LargeOperation>();
  private waiting: (() => void)[] = [];

  constructor(private readonly admission: Admission) {}

  /** The number of operations that have begun and not ended. */
  get size(): number {
    return this.begun.size;
  }

  /**
   * Adds an operation until `delete`. Resolves when fewer than `places` earlier ones block it; rejects with the
   * reason of its signal.
   */
  async wait(operation: LargeOperation, places: number): Promise<void> {
    operation.signal.throwIfAborted();
    this.begun.add(operation);
    while (!this.hasPlace(operation, places))
      await untilAborted(operation.signal, new Promise<void>((resolve) => this.waiting.push(resolve)));
  }

  /** Removes an operation that has ended. */
  delete(operation: LargeOperation): void {
    if (!this.begun.delete(operation)) return;
    const { waiting } = this;
    this.waiting = [];
    for (const ask of waiting) ask();
  }

  /** While the capacity is exceeded, the operations of all clients block this one. */
  private hasPlace(operation: LargeOperation, places: number): boolean {
    const isOverfull = this.admission.isOverfull;
    let earlier = 0;
    for (const each of this.begun) {
      if (each === operation) return true;
      const isBefore = each.client.id === operation.client.id && each.estimate <= operation.estimate;
      if ((isOverfull || isBefore) && ++earlier >= places) return false;
    }
    return true;
  }
}
