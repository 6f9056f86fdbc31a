import { setMaxListeners } from 'node:events';
import { Activity } from './observation/activity.js';
import { Admission } from './admission.js';
import { FairQueue } from './fairQueue.js';
import { CostExceeded, TimedOut } from './refusals.js';
import { Turns } from './turns.js';
import { untilAborted } from './waiting.js';

/** What one operation, and all operations of a process together, may take. */
export interface OperationLimits {
  /** How long an operation may take (ms). */
  readonly deadline: number;
  /** The most that one operation may cost. */
  readonly cost: number;
  /** The most that operations under way may cost together. */
  readonly costInAll: number;
  /** An operation that costs no more is small: small ones have room of their own, so that they do not wait for large ones. */
  readonly smallCost: number;
  readonly smallCostInAll: number;
  /** Operations that wait for room, and pieces of database work that wait for a connection, at most. */
  readonly longestQueue: number;
  /** How long an operation waits for room (ms). */
  readonly longestWait: number;
  /** Connections that lists and counts take at the same time, in all and for one operation. */
  readonly connections: number;
  readonly connectionsOfOne: number;
  /** The most allocation requests of one search: the default limit, and the greatest one. */
  readonly candidates: number;
}

/** The limits of a process with so many connections. The small reads that all operations wait for have the rest of them. */
export function operationLimits(connections: number): OperationLimits {
  return {
    deadline: 30_000,
    cost: 200_000,
    costInAll: 200_000,
    smallCost: 2_000,
    smallCostInAll: 50_000,
    longestQueue: 256,
    longestWait: 10_000,
    connections: Math.ceil((6 * connections) / 10),
    connectionsOfOne: Math.ceil((2 * connections) / 10),
    candidates: 1_000,
  };
}

/** Those of a process with ten. */
export const OPERATION_LIMITS = operationLimits(10);

/** Why what an operation still does stops when it has been answered. One for all, because its stack would cost the most of it. */
const ENDED = new Error('the operation has ended');

/** What the operations of one process share. */
export class Operations {
  readonly turns = new Turns();
  readonly large: Admission;
  readonly small: Admission;
  /** Operations that turn out to cost more than was known, while their answers are made; the first of them first. */
  readonly growing = new Set<Operation>();
  /** Where lists and counts of the database wait for one of few connections. */
  readonly connections: FairQueue;

  constructor(readonly limits: OperationLimits = OPERATION_LIMITS) {
    const { longestQueue, longestWait, connections, connectionsOfOne } = limits;
    this.large = new Admission({ capacity: limits.costInAll, longestQueue, longestWait });
    this.small = new Admission({ capacity: limits.smallCostInAll, longestQueue, longestWait });
    this.connections = new FairQueue({
      concurrency: connections,
      concurrencyOfOwner: connectionsOfOne,
      longest: 16 * longestQueue,
    });
  }

  /** Whether there is too much under way, and an operation has to wait for others. One always goes on. */
  mustWait(operation: Operation): boolean {
    const [first] = this.growing;
    return this.large.isOverfull && first !== undefined && first !== operation;
  }

  /** Begins an operation. @param client aborts when whoever waits for it is gone @param activity where it tells what it does */
  begin(client?: AbortSignal, activity?: Activity): Operation {
    return new Operation(this, client, activity);
  }
}

/**
 * One operation of a client: when it must end, what it has cost, and its turns. Most operations are done before anything of theirs
 * could be stopped, so the signal by which that happens, and the timer of the deadline, are made when they are first asked for.
 */
export class Operation {
  private controller: AbortController | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** When it has to end; null while it may be as long as it likes. */
  private deadline: number | null = null;
  /** What it has taken for its estimated cost, and where from; and what it has turned out to cost beyond that. */
  private admitted = 0;
  private admission: Admission;
  private charged = 0;
  private ended = false;
  private isSending = false;

  constructor(
    private readonly shared: Operations,
    private readonly client: AbortSignal | undefined,
    readonly activity: Activity = new Activity(),
  ) {
    this.admission = shared.small;
    this.restart();
  }

  /** Aborts when the client is gone, the deadline has passed, it costs more than it may, or it has ended: long work stops. */
  get signal(): AbortSignal {
    if (this.controller === null) this.listen();
    return this.controller!.signal;
  }

  private listen(): void {
    this.controller = new AbortController();
    setMaxListeners(0, this.controller.signal); // each part of the operation that waits has one
    if (this.ended) return this.controller.abort(ENDED);
    if (this.client?.aborted) this.leave();
    else this.client?.addEventListener('abort', this.leave, { once: true });
    this.setTimer();
  }

  /** Begins anew, for the next event of a subscription: with the whole deadline, and without what the last one has cost. */
  restart(): void {
    this.isSending = false;
    this.suspend();
    this.discharge();
    this.deadline = performance.now() + this.shared.limits.deadline;
    if (this.controller !== null) this.setTimer();
  }

  private setTimer(): void {
    if (this.deadline === null) return;
    const left = this.deadline - performance.now();
    if (left <= 0) this.expire();
    else this.timer = setTimeout(this.expire, left).unref();
  }

  /** Waits for no deadline: a subscription may be as long as it likes. */
  suspend(): void {
    this.deadline = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Takes room in the process. Null: it has it; otherwise it has it when the promise ends. @throws CostExceeded, Overloaded */
  admit(cost: number): Promise<void> | null {
    const { limits, small, large } = this.shared;
    this.check(cost);
    this.admission = cost <= limits.smallCost ? small : large;
    const waiting = this.admission.admit(cost, this);
    if (waiting !== null) {
      const { admission } = this.activity;
      admission.start();
      return waiting.finally(() => admission.stop()).then(() => void (this.admitted = cost));
    }
    this.admitted = cost;
    return null;
  }

  /** Counts what turns out to cost more than was known. Where that is too much the operation is aborted. @throws CostExceeded */
  charge(cost: number): void {
    if (this.hasEnded) return; // the executor does not wait for what is beside a field that failed
    this.check(this.admitted + this.charged + cost);
    this.charged += cost;
    this.shared.growing.add(this);
    this.shared.large.add(cost);
  }

  /** Whether it has been answered: what is still under way of it is for nobody. */
  get hasEnded(): boolean {
    return this.ended || this.isSending;
  }

  get limits(): OperationLimits {
    return this.shared.limits;
  }

  /** What it has cost so far. */
  get cost(): number {
    return this.admitted + this.charged;
  }

  /** Does long work in slices, each in a turn of this operation, until `step` says that it is done. */
  async run(step: () => boolean): Promise<void> {
    const { search, span } = this.activity;
    const searching = span?.begin('search');
    search.start();
    try {
      await this.shared.turns.run(this, step, this.signal);
      searching?.end();
    } catch (error) {
      searching?.end(error);
      throw error;
    } finally {
      search.stop();
    }
  }

  /** Does one slice of such work now where it need not wait; true when it is done. */
  attempt(step: () => boolean): boolean {
    const { search } = this.activity;
    search.start();
    try {
      return this.shared.turns.attempt(this, step);
    } finally {
      search.stop();
    }
  }

  /** Lets all others go first, once. */
  pause(): Promise<void> {
    return this.shared.turns.pause(this, this.signal);
  }

  /** The same, and waits while operations that have turned out to cost more than was known cost more together than they may. */
  async pauseForRoom(): Promise<void> {
    do await this.pause();
    while (this.shared.mustWait(this));
  }

  /** All of its answer is known: how fast it is taken is up to the client. */
  beginSending(): void {
    this.isSending = true;
    this.suspend();
    this.shared.growing.delete(this);
  }

  /**
   * Does work that takes a connection of the database for longer, when one is free for it. Rejects as soon as the operation ends;
   * the connection is free again when the work has ended.
   */
  withConnection<T>(work: () => Promise<T>): Promise<T> {
    return untilAborted(this.signal, this.shared.connections.run(this, this.signal, work));
  }

  /** Gives back what it has taken. */
  end(): void {
    if (!this.ended) this.activity.cost = this.cost;
    this.ended = true;
    this.suspend();
    if (this.controller !== null) {
      this.client?.removeEventListener('abort', this.leave);
      this.controller.abort(ENDED); // what nobody waits for stops
    }
    const { admitted } = this;
    this.admitted = 0;
    if (admitted > 0) this.admission.release(admitted);
    this.discharge();
  }

  /** Gives back what was counted beyond the estimate. */
  private discharge(): void {
    const { charged } = this;
    this.charged = 0;
    this.shared.growing.delete(this);
    if (charged > 0) this.shared.large.release(charged);
  }

  private check(cost: number): void {
    const { cost: most } = this.shared.limits;
    if (cost <= most) return;
    const error = new CostExceeded(cost, most);
    this.abort(error);
    throw error;
  }

  private abort(reason: unknown): void {
    if (this.controller === null) this.listen();
    this.controller!.abort(reason);
  }

  private readonly leave = (): void => this.abort(this.client?.reason);

  private readonly expire = (): void => {
    this.abort(new TimedOut(`The operation took longer than ${this.shared.limits.deadline / 1000} s.`));
  };
}
