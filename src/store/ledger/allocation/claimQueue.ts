import type { ConsumerEntity } from '../../../model/entities.js';
import { isUnavailable } from '../../database/failures.js';
import type { KnownRequests } from './allocationRows.js';
import { writeClaims, type Admission, type Claim } from './claims.js';
import { isExpected, checkConsumerGenerations, checkSpellings } from './consumerRows.js';
import { providersNamed } from './consumerPlan.js';
import { checkCounters } from './counters.js';
import { InvalidInput, checkConsumers, type ConsumerAllocationsInput } from '../../../model/input.js';
import { Activity } from '../../../model/observation.js';
import { inTransaction, OutcomeUnknown, retryBudget, type Ledger, type RetryBudget } from '../transaction.js';
import { checkStorable } from './ownerNames.js';
import { DomainError, NotFound } from '../../../model/rejections.js';
import type { Counting } from '../provider/providerRows.js';

/** The maximum time for which a transaction delays the start of the next one (ms). */
const SLOW_MS = 50;

/**
 * The maximum time for which a transaction delays claims of stored consumers whose providers the queue has not read
 * (ms). Reading them in a transaction that must then postpone the claims costs more than this wait.
 */
const UNREAD_DELAY_MS = 500;

/** The maximum number of consumers and amounts in a transaction. A larger claim runs alone. */
const LARGEST_BATCH = 256;

/** The time for which claims are retried together after conflicts (ms). Then they run one after another. */
const SHARED_RETRY_MS = 250;

/** The maximum number of requests that are known to be stored. */
const MAX_KNOWN = 1_000;

/** A claim that waits for the start or the end of its transaction. */
interface Waiting {
  readonly claim: Claim;
  /** The time in which the claim is retried. It includes the time in the queue. */
  readonly budget: RetryBudget;
  /** The number of consumers and amounts. */
  readonly size: number;
  readonly consumers: readonly string[];
  /** The providers that the claim names. */
  readonly providers: readonly string[];
  /** The providers of the stored allocations of the consumers, as a transaction last read them. Null: not read. */
  held: readonly string[] | null;
  /** Whether a transaction with other claims failed. */
  isAlone: boolean;
  /** The operation of the claim. If its signal aborts, the caller stops waiting for the claim. */
  readonly operation: Ledger['operation'];
  readonly resolve: (written: readonly ConsumerEntity[]) => void;
  readonly reject: (reason: unknown) => void;
}

export interface ClaimWriter {
  /**
   * Resolves when the claim is written. Rejects with the domain error of a rejected claim. Rejects
   * with the reason of the operation's signal if it aborts before the write starts, or during a
   * write of this claim alone. A claim in a shared transaction is still written.
   */
  write(claim: Claim, operation?: Ledger['operation']): Promise<readonly ConsumerEntity[]>;
}

/**
 * The queue of the claims of a process. A claim begins at once if none is in progress; claims that arrive meanwhile
 * share the next transaction (ADR 9).
 *
 * A claim waits for earlier claims of the same consumers or providers, because a transaction of its own would only
 * conflict with theirs. So such claims are validated in the order of their arrival. Its providers include those that
 * its consumers hold. The queue learns these from the transaction, which postpones the claim if another transaction
 * in progress writes one of them.
 */
export class ClaimQueue implements ClaimWriter {
  private waiting: Waiting[] = [];
  /** The consumers and providers of the transactions in progress, with the batch that writes each. */
  private readonly busy = new Map<string, readonly Waiting[]>();
  private current: readonly Waiting[] | null = null;
  /** The transactions in progress that delay claims whose providers are not read. */
  private readonly recent = new Set<readonly Waiting[]>();
  /** The number of claims in the latest transaction. */
  private latest = 0;
  private readonly known: KnownRequests = new Set();

  constructor(private readonly ledger: Ledger) {}

  /** The number of claims that wait for a transaction. */
  get size(): number {
    return this.waiting.length;
  }

  write(claim: Claim, operation?: Ledger['operation']): Promise<readonly ConsumerEntity[]> {
    return observed(() => this.enter(claim, operation), operation, this.ledger.observer);
  }

  private enter(claim: Claim, operation: Ledger['operation']): Promise<readonly ConsumerEntity[]> {
    const signal = operation?.signal;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = (): void => {
        if (!this.waiting.includes(waiting)) return;
        this.waiting = this.waiting.filter((each) => each !== waiting);
        waiting.reject(signal!.reason);
        this.begin(); // other claims may have waited for this one
      };
      const settle =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', leave);
          end(value);
        };
      const waiting: Waiting = {
        ...waitingFor(claim),
        budget: claim.budget ?? retryBudget(this.ledger),
        operation,
        resolve: settle(resolve),
        reject: settle(reject),
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(waiting);
      this.begin();
    });
  }

  private begin(): void {
    while (this.current === null && this.waiting.length > 0) {
      const batch = this.take();
      if (batch.length === 0) return;
      void this.run(batch);
    }
  }

  /**
   * Takes the claims of the next transaction: at most the mean of the size of the latest batch and the number waiting.
   * So clients that send one claim after another form two groups: one is prepared while the other is written. A single
   * group would make the database and this process wait for each other.
   */
  private take(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const behind = new Set(this.busy.keys());
    const consumersTaken = new Set<string>();
    const most = Math.ceil((this.latest + this.waiting.length) / 2);
    let size = 0;
    for (const each of this.waiting) {
      const sharesBatch = !each.isAlone && batch[0]?.isAlone !== true;
      const fits = size === 0 || (sharesBatch && batch.length < most && size + each.size <= LARGEST_BATCH);
      const keys = keysOf(each);
      const isBehind =
        (each.held === null && this.recent.size > 0) ||
        keys.some((key) => behind.has(key)) ||
        each.consumers.some((key) => consumersTaken.has(key));
      if (fits && !isBehind) {
        batch.push(each);
        size += each.size;
        for (const key of each.consumers) consumersTaken.add(key);
      } else {
        left.push(each);
        for (const key of keys) behind.add(key);
      }
    }
    this.waiting = left;
    if (batch.length > 0) this.latest = batch.length;
    return batch;
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    for (const key of batch.flatMap(keysOf)) this.busy.set(key, batch);
    this.current = batch;
    const leave = (): void => {
      if (this.current === batch) this.current = null;
      this.begin();
    };
    const age = (): void => {
      if (this.recent.delete(batch)) this.begin();
    };
    this.recent.add(batch);
    const timers = [setTimeout(leave, SLOW_MS), setTimeout(age, UNREAD_DELAY_MS)];
    const unwritten = await this.execute(batch);
    timers.forEach(clearTimeout);
    this.recent.delete(batch);
    for (const [key, owner] of this.busy) if (owner === batch) this.busy.delete(key);
    this.requeue(unwritten);
    leave();
  }

  /** Adds the requests of written claims to the known ones. */
  private keepKnown(claims: readonly Claim[]): void {
    for (const body of claims.flatMap(({ requests }) => [...(requests?.values() ?? [])]))
      if (body !== null) this.known.add(body);
    for (const body of [...this.known].slice(0, -MAX_KNOWN)) this.known.delete(body);
  }

  /** Puts claims before those that arrived later. */
  private requeue(claims: readonly Waiting[]): void {
    for (const { operation, reject } of claims)
      if (operation?.signal.aborted) reject(operation.signal.reason);
    this.waiting.unshift(...claims.filter(({ operation }) => operation?.signal.aborted !== true));
  }

  /**
   * Records the providers that the consumers of a claim hold. Returns false if the claim must wait, because another
   * transaction in progress writes one of them.
   */
  private admit(batch: readonly Waiting[], claim: Waiting, held: readonly string[]): boolean {
    claim.held = held;
    const isBehind = held.some((key) => (this.busy.get(key) ?? batch) !== batch);
    if (!isBehind) for (const key of held) this.busy.set(key, batch);
    return !isBehind;
  }

  /**
   * Writes a batch in one transaction. Returns the claims to try again: those that wait for another transaction, or,
   * if a claim or a writer of another process causes a failure, all claims, each alone. If the database is
   * unavailable, it retries the whole batch: one transaction per claim would burden a database that has just recovered.
   */
  private async execute(batch: readonly Waiting[], isOutage = false): Promise<readonly Waiting[]> {
    const claims = batch.map(({ claim }) => claim);
    const isShared = batch.length > 1;
    const activity = isShared ? sharedActivity(batch) : undefined;
    const { operation, budget } = batch[0];
    const ledger: Ledger = isShared ? { ...this.ledger, activity } : { ...this.ledger, operation };
    const ownBudget = isShared && !isOutage ? retryBudget(this.ledger, SHARED_RETRY_MS) : budget;
    const admits: Admission = (at, held) => this.admit(batch, batch[at], held);
    this.ledger.observer?.claimsTried(batch.length);
    try {
      const { known } = this;
      const outcomes = await inTransaction(ledger, (tx) => writeClaims(tx, claims, admits, known), ownBudget);
      this.keepKnown(claims.filter((_, at) => 'written' in outcomes[at]));
      if (activity) for (const each of batch) each.operation?.activity.share(activity);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if ('written' in outcome) resolve(outcome.written);
        else if ('rejection' in outcome) reject(outcome.rejection);
      }
      return batch.filter((_, index) => 'isPostponed' in outcomes[index]);
    } catch (error) {
      if (isShared && isUnavailable(error) && !isOutage) return this.execute(batch, true);
      if (isShared && !isUnavailable(error) && !(error instanceof OutcomeUnknown)) {
        for (const each of batch) each.isAlone = true;
        return batch;
      }
      for (const { reject } of batch) reject(error);
      return [];
    }
  }
}

/** Writes a claim and reports the outcome to the observer. */
async function observed<T>(
  write: () => Promise<T>,
  operation: Ledger['operation'],
  observer: Ledger['observer'],
): Promise<T> {
  try {
    const written = await (operation === undefined ? write() : operation.activity.inDatabase('claim', write));
    observer?.claimEnded('written');
    return written;
  } catch (error) {
    const isRejected = error instanceof DomainError || error instanceof InvalidInput;
    observer?.claimEnded(isRejected ? 'rejected' : 'failed');
    throw error;
  }
}

/** Returns the activity of a shared transaction. Its span is the first one of the operations. */
function sharedActivity(batch: readonly Waiting[]): Activity {
  const activity = new Activity();
  for (const { operation } of batch) activity.span ??= operation?.activity.span ?? null;
  return activity;
}

function keysOf({ consumers, providers, held }: Waiting): string[] {
  return [...consumers, ...providers, ...(held ?? [])];
}

function waitingFor(claim: Claim): Omit<Waiting, 'budget' | 'operation' | 'resolve' | 'reject'> {
  const { inputs } = claim;
  const amounts = inputs.flatMap(({ allocations }) => allocations.flatMap(({ resources }) => resources));
  return {
    claim,
    size: inputs.length + amounts.length,
    consumers: inputs.map(({ consumer }) => consumer),
    providers: providersNamed(inputs),
    held: claim.held ?? (inputs.some(isExpected) ? null : []),
    isAlone: false,
  };
}

const NOBODY: ReadonlyMap<string, string> = new Map();

/**
 * Replaces the allocations of all named consumers atomically (rules 90-100). Returns the remaining
 * consumers in the order of the input. Checks capacity as if all had released their allocations, so
 * that swaps need no spare capacity (96). Retries conflicts on providers (102, decision D14), but
 * reports conflicts on consumers to the caller.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (a provider), CONSUMER_GENERATION_CONFLICT, NO_INVENTORY, UNIT_VIOLATION,
 * CAPACITY_EXCEEDED, CONCURRENT_UPDATE. Bumps each changed provider and consumer once. Concurrent
 * calls share a transaction. Only batches of the insert add statements to it.
 */
export async function setAllocations(
  claims: ClaimWriter,
  { consumers }: { readonly consumers: readonly ConsumerAllocationsInput[] },
  options: Partial<Pick<Claim, 'takingOver' | 'counting' | 'budget' | 'requests' | 'workload'>> = {},
): Promise<readonly ConsumerEntity[]> {
  if (consumers.length === 0) throw new InvalidInput(['consumers'], 'name at least one consumer');
  return claims.write({ ...replacement(consumers), ...options });
}

/** Returns a claim that replaces all allocations of consumers. */
export function replacement(consumers: readonly ConsumerAllocationsInput[]): Claim {
  return {
    inputs: consumers,
    takingOver: NOBODY,
    check: (names) => {
      checkConsumers(consumers, ['consumers'], names.classes);
      checkStorable(consumers, ['consumers'], names);
    },
    validate: (plan) => {
      const { inputs, stored } = plan;
      if (!plan.consumption.isEmpty) checkCounters(consumers, plan, ['consumers']);
      checkSpellings(inputs, ['consumers'], stored);
      checkConsumerGenerations(inputs, stored);
    },
  };
}

/**
 * Deletes a consumer with all its allocations at any generation (rules 82, 92). Rejections:
 * NOT_FOUND (decision D9), CONCURRENT_UPDATE. Bumps every provider of these allocations (D5).
 */
export async function deleteConsumer(
  claims: ClaimWriter,
  { consumer }: { readonly consumer: string },
  counting?: Counting,
): Promise<void> {
  await claims.write({ ...removal(consumer), counting });
}

/** Returns a claim that removes all allocations of a consumer. NOT_FOUND if it has none. */
export function removal(consumer: string): Claim {
  return {
    inputs: [{ consumer, projectId: '', userId: '', allocations: [] }],
    takingOver: NOBODY,
    check: () => undefined,
    validate: ({ named }) => {
      if (named.length > 0) return;
      throw new NotFound('CONSUMER', consumer, `consumer ${consumer} has no allocations`);
    },
  };
}
