import { setTimeout as sleep } from 'node:timers/promises';
import { Activity } from '../observation.js';
import {
  Admission,
  type FairShares,
  memoryOfStreams,
  type Place,
  OPERATION_LIMITS,
  type OperationLimits,
  LargeOperations,
} from './admission.js';
import { Arrivals, Shares, Turns } from './turns.js';
import { AnswerParts, Cancellation, CostExceeded, Overloaded, untilAborted } from './waiting.js';
import { OWN_WORK, type Client } from './client.js';
import { FairQueue, Readers, Scans } from './fairQueue.js';

/** An operation with fewer fields completes its answer without yielding. */
const FEW_FIELDS = 1_000;

/** How long an operation completes its answer before it yields to others (ms). */
const SLICE_MS = 3;

/** The deadline is checked after this many fields: about every tenth of a millisecond. */
const FIELDS_BETWEEN_CHECKS = 128;

/** The text that the cost of one object includes (characters): twice that of an ordinary object. */
const TEXT_OF_OBJECT = 512;

/** How many large queries of one client run at the same time: one reads while another one is answered. */
const LARGE_OF_CLIENT = 2;

/** How long an event waits before it asks again for capacity (ms). */
const EVENT_RETRY_MS = 1_000;

/** The capacity of work beyond the estimates, as a share of that of the estimates. */
const WORK_SHARE = 1 / 2;

/** Aborts the remaining work of an ended operation. Shared, because creating its stack takes long. */
const ENDED = Object.assign(new Error('the operation has ended'), { name: 'AbortError' });

/** The resources that the operations of one process share. */
export class Operations {
  /** The processor time of each client (ms). */
  private readonly processor = new Shares<string>();
  readonly arrivals = new Arrivals(this.processor);
  readonly turns = new Turns(this.processor);
  readonly large: Admission;
  readonly small: Admission;
  /**
   * The capacity of work that operations charge while they run. Separate, because an operation that waits for it holds
   * capacity already: operations would wait for each other.
   */
  readonly work: Admission;
  /** The order of operations that are large by their estimates or by their answers. */
  readonly queue: LargeOperations;
  /** The queue in which lists and counts wait for connections. */
  readonly connections: FairQueue;
  readonly scans = new Scans();
  readonly readers = new Readers();
  /** The memory that subscriptions hold between events. */
  readonly held: FairShares<Place>;

  constructor(readonly limits: OperationLimits = OPERATION_LIMITS) {
    const { longestQueue, longestWait, connections, connectionsOfOne } = limits;
    this.large = new Admission({ capacity: limits.costInAll, longestQueue, longestWait });
    this.queue = new LargeOperations(this.large);
    this.work = new Admission({ capacity: WORK_SHARE * limits.costInAll, longestQueue, longestWait });
    this.small = new Admission({ capacity: limits.smallCostInAll, longestQueue, longestWait });
    this.connections = new FairQueue({
      concurrency: connections,
      concurrencyOfOwner: connectionsOfOne,
      longest: 16 * longestQueue,
    });
    this.held = memoryOfStreams(limits.heldBytes);
  }

  /** Begins an operation. The caller must end it. */
  begin(activity = new Activity(), client = OWN_WORK): Operation {
    return new Operation(this, activity, client);
  }
}

/** One operation of a client: its deadline, its cost and its share of the processor and the connections. */
export class Operation {
  private readonly cancellation = new Cancellation();
  private admission: Admission;
  /** The estimated cost that this operation has taken from `admission`. */
  private admitted = 0;
  /** The cost beyond the estimate, taken from the large capacity. */
  private charged = 0;
  /** The cost of work that `runCharged` has run with capacity of its own. */
  private spent = 0;
  private isOver = false;
  /** Whether it is a mutation. The answer reports a commit, so it waits for no other operation. */
  isWrite = false;
  /** Whether it waits for capacity until its deadline, and not only for the longest wait of the limits. */
  waitsUntilDeadline = false;
  /** Why the payload of the current mutation is read no further. Null while it may be read. */
  payloadRefusal: CostExceeded | null = null;
  /** The cost of each event of a subscription. */
  private eventCost = 0;
  private readonly held: Place[] = [];
  private objects = 0;
  /** The length of the keys and scalars of the answer (characters). */
  private text = 0;
  /** The estimated cost of the later mutations of the document. The current one cannot use it. */
  private reserved = 0;
  /** How many fields and entries of lists of scalars have been resolved. */
  fieldCount = 0;
  private sliceStart = 0;
  /** The parts of the answer that wait for the next time slice. */
  private readonly parts = new AnswerParts(
    () => (this.isSliceOver ? this.nextTurn() : null),
    () => (this.cancellation.isAborted ? (this.signal.reason as Error) : null),
  );

  constructor(
    private readonly shared: Operations,
    readonly activity: Activity,
    readonly client: Client,
  ) {
    this.admission = shared.small;
    this.cancellation.restart(shared.limits.deadline);
  }

  /** Aborts when the operation ends, times out or exceeds its maximum cost. */
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get limits(): OperationLimits {
    return this.shared.limits;
  }

  get estimate(): number {
    return this.admitted + this.spent;
  }

  get cost(): number {
    return this.admitted + this.charged + this.spent;
  }

  /**
   * Takes capacity. Returns null if it was free, otherwise a promise that resolves with it. The
   * promise rejects with Overloaded. @throws CostExceeded
   */
  admit(cost: number): Promise<void> | null {
    const { limits, small, large } = this.shared;
    this.assertAllowed(cost);
    this.admission = cost <= limits.smallCost ? small : large;
    const waiting = this.admission.admit(cost, this);
    if (waiting === null) {
      this.enter(cost);
      return null;
    }
    return this.activity.admission.during(waiting).then(() => this.enter(cost));
  }

  /**
   * Aborts if the cost exceeds the maximum of one operation. An operation of mutations only reads no more of the
   * current payload, because later mutations still run.
   *
   * @param advice what the client can request instead
   * @throws CostExceeded
   */
  assertAllowed(cost: number, advice?: string): void {
    const { cost: maximum } = this.shared.limits;
    if (cost <= maximum) return;
    if (this.isWrite) throw (this.payloadRefusal ??= new CostExceeded(cost, maximum, advice));
    // one error for all fields: the stack of an error takes longer than most fields
    if (!this.cancellation.isAborted) this.abort(new CostExceeded(cost, maximum, advice));
    throw this.signal.reason as Error;
  }

  /** Adds cost that the estimate did not include. @throws CostExceeded */
  charge(cost: number, advice?: string): void {
    if (this.isOver) return; // the executor does not wait for the siblings of a field that failed
    this.assertAllowed(this.cost + cost, advice);
    this.charged += cost;
    this.shared.large.add(cost, this.client);
  }

  /**
   * Runs work that the estimate does not include. Charges it if the operation remains small. Else the work first waits
   * for earlier large queries of the client, then for capacity of its own, which it releases when it is done.
   *
   * @throws CostExceeded, Overloaded
   */
  async runCharged<T>(cost: number, work: () => Promise<T>): Promise<T> {
    if (this.cost + cost <= this.limits.smallCost) {
      this.charge(cost);
      return work();
    }
    this.assertAllowed(this.cost + cost);
    this.spent += cost;
    await this.pauseAsLarge();
    const capacity = this.shared.work;
    const waiting = capacity.admit(cost, this);
    if (waiting !== null) await this.activity.admission.during(waiting);
    try {
      this.signal.throwIfAborted();
      return await work();
    } finally {
      capacity.release(cost, this.client);
    }
  }

  /** Begins the next mutation of a document. @param reserved the estimated cost of those after it */
  beginMutation(reserved: number): void {
    [this.reserved, this.payloadRefusal] = [reserved, null];
  }

  /** Counts objects and lists of scalars of the answer. @throws CostExceeded */
  countObjects(count: number, advice?: string): void {
    const objects = this.objects + count;
    this.chargeUpTo(objects, advice);
    this.objects = objects;
  }

  /** Counts text of the answer. @param length in characters @throws CostExceeded */
  countText(length: number): void {
    const text = this.text + length;
    this.chargeUpTo(Math.ceil(text / TEXT_OF_OBJECT));
    this.text = text;
  }

  /** Charges the part of a cost that the estimate does not cover. @throws CostExceeded */
  private chargeUpTo(cost: number, advice?: string): void {
    const missing = cost + this.reserved - (this.admitted + this.charged);
    if (missing > 0) this.charge(missing, advice);
  }

  /** Counts a resolved field, and checks the deadline often enough. Returns false if the operation was aborted. */
  countField(): boolean {
    if (++this.fieldCount % FIELDS_BETWEEN_CHECKS === 0) this.cancellation.check();
    return !this.cancellation.isAborted;
  }

  /**
   * Returns an object of a large answer for the executor, which completes it in a time slice of this operation.
   *
   * @param refuse the result if the operation is aborted before
   */
  inSlice<T>(value: T, refuse: (reason: Error) => Promise<never>): T | PromiseLike<T> {
    return this.fieldCount < FEW_FIELDS || !this.isSliceOver ? value : this.parts.part(value, refuse);
  }

  /** Resolves when no part of the answer waits for a time slice any more. Null while none waits. */
  get slices(): Promise<void> | null {
    return this.parts.done;
  }

  private async nextTurn(): Promise<void> {
    const goesOn = (): void => undefined; // aborted: giving up the parts takes time slices as well
    if (!this.isWrite) await this.shared.queue.wait(this, 1).catch(goesOn);
    await this.pause().catch(goesOn);
  }

  private get isSliceOver(): boolean {
    return performance.now() - this.sliceStart > SLICE_MS;
  }

  /** Runs long work in slices, one per turn of this operation, until `step` returns true. */
  run(step: () => boolean): Promise<void> {
    return this.activity.searching(() => this.shared.turns.run(this, step, this.signal));
  }

  /** Runs one slice now if it need not wait for its turn. Returns true when the work is done. */
  attempt(step: () => boolean): boolean {
    const { search } = this.activity;
    search.start();
    try {
      return this.shared.turns.attempt(this, step);
    } finally {
      search.stop();
    }
  }

  /**
   * Reads a document in slices until `step` returns true. Null if the first slice is enough. The documents of a client
   * are read one after another: each takes several megabytes meanwhile.
   */
  read(step: () => boolean): Promise<void> | null {
    const { turns } = this.shared;
    const reader = this.shared.readers.of(this.client);
    return turns.attempt(reader, step) ? null : turns.run(reader, step, this.signal);
  }

  /** Yields once to all other operations. */
  async pause(): Promise<void> {
    try {
      await this.shared.turns.pause(this, this.signal);
    } finally {
      this.sliceStart = performance.now();
    }
  }

  /** Yields once to all other operations unless this one did so a few milliseconds ago. Null if it need not wait. */
  pauseAfterSlice(): Promise<void> | null {
    return this.isSliceOver ? this.pause() : null;
  }

  /** Yields once to all others, then waits until few earlier large operations of the client run. */
  async pauseAsLarge(): Promise<void> {
    await this.pause();
    await this.activity.admission.during(this.shared.queue.wait(this, LARGE_OF_CLIENT));
  }

  /** Runs work that occupies a connection, once one is free. Rejects as soon as the operation ends. */
  withConnection<T>(work: () => Promise<T>): Promise<T> {
    return untilAborted(this.signal, this.shared.connections.run(this, this.signal, work));
  }

  /**
   * Runs a scan of whole tables, after the others of this operation. The operation gets a new deadline. Operations do
   * not wait for each other here, because they would hold their capacity meanwhile.
   *
   * @param deadline how long the operation may take from now on (ms), if that is longer than others may
   * @throws Overloaded if another operation scans
   */
  async scan<T>(deadline: number, work: () => Promise<T>): Promise<T> {
    const { scans } = this.shared;
    scans.take(this);
    this.cancellation.restart(Math.max(deadline, this.limits.deadline));
    return scans.run(this, this.signal, work);
  }

  /** Declares a subscription and the cost of an event. It has no deadline between events. @throws CostExceeded */
  beginEvents(cost: number): void {
    this.assertAllowed(cost);
    this.eventCost = cost;
    this.cancellation.clear();
  }

  /**
   * Takes memory until the operation ends or the returned function is called. The operation aborts if another client
   * needs the memory. @throws Overloaded
   */
  hold(bytes: number): () => void {
    if (this.isOver) return () => undefined;
    const { held } = this.shared;
    const place = { client: this.client, weight: bytes, reclaim: (reason: Error) => this.abort(reason) };
    const refusal = held.take(place);
    if (refusal) throw refusal;
    this.held.push(place);
    return () => held.free(place);
  }

  /** Begins an event of a subscription: it has its own deadline and takes capacity of its own. */
  async beginEvent(cost = this.eventCost): Promise<void> {
    this.endEvent();
    await this.pause(); // one commit causes an event in every stream
    for (let isAdmitted = false; !isAdmitted;) {
      try {
        await this.admit(cost);
        isAdmitted = true;
      } catch (error) {
        if (!(error instanceof Overloaded)) throw error;
        await sleep(EVENT_RETRY_MS, undefined, { signal: this.signal, ref: false });
      }
    }
    this.cancellation.restart(this.shared.limits.deadline);
  }

  /** Releases the capacity of an event. Until the next one the subscription has no deadline. */
  endEvent(): void {
    this.cancellation.clear();
    this.objects = this.text = 0;
    this.release();
  }

  /** Ends the operation with an error that its client receives. */
  abort(reason: Error): void {
    this.cancellation.abort(reason);
  }

  /** Releases the capacity and stops the remaining work. May be called again. */
  end(): void {
    if (this.isOver) return;
    this.activity.cost = this.cost;
    this.isOver = true;
    this.cancellation.abort(ENDED);
    this.release();
    for (const place of this.held) this.shared.held.free(place);
  }

  private enter(cost: number): void {
    if (this.isOver) return this.admission.release(cost, this.client);
    this.admitted = cost;
    this.sliceStart = performance.now();
  }

  private release(): void {
    const { admitted, charged } = this;
    this.admitted = this.charged = 0;
    this.shared.queue.delete(this);
    if (admitted > 0) this.admission.release(admitted, this.client);
    if (charged > 0) this.shared.large.release(charged, this.client);
  }
}
