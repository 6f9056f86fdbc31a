import { isUnavailable } from '../../database/failures.js';
import { writeClaims, type Claim } from './claims.js';
import { providersNamed, type WrittenConsumer } from './consumerPlan.js';
import { DomainError } from '../../domain/errors.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { Activity } from '../../runtime/observation/activity.js';
import { inTransaction, OutcomeUnknown, type Ledger } from '../transaction.js';

/** The maximum time for which a transaction delays the start of the next one (ms). */
const SLOW_MS = 50;

/** The maximum number of consumers and amounts in a transaction. A larger claim runs alone. */
const LARGEST_BATCH = 256;

/** The time for which claims are retried together after conflicts (ms). Then each runs alone. */
const SHARED_RETRY_BUDGET = 250;

/** A claim that waits for the start or the end of its transaction. */
interface Waiting {
  readonly claim: Claim;
  /** The number of consumers and amounts. */
  readonly size: number;
  readonly consumers: readonly string[];
  readonly providers: readonly string[];
  /** The operation of the claim. If its signal aborts, the caller stops waiting for the claim. */
  readonly operation: Ledger['operation'];
  readonly resolve: (written: readonly WrittenConsumer[]) => void;
  readonly reject: (reason: unknown) => void;
}

export interface ClaimWriter {
  /**
   * Resolves when the claim is written. Rejects with the domain error of a rejected claim. Rejects
   * with the reason of the operation's signal if it aborts before the write starts, or during a
   * write of this claim alone. A claim in a shared transaction is still written.
   */
  write(claim: Claim, operation?: Ledger['operation']): Promise<readonly WrittenConsumer[]>;
}

/**
 * The queue of the claims of a process. A claim begins at once if none is in progress; claims that arrive meanwhile
 * share the next transaction (ADR 9).
 *
 * A claim waits for earlier claims of the same consumers or providers, because a transaction of its own would only
 * conflict with theirs. So such claims are validated in the order of their arrival.
 */
export class ClaimQueue implements ClaimWriter {
  private waiting: Waiting[] = [];
  private readonly busy = new Set<string>();
  private current: readonly Waiting[] | null = null;
  /** The number of claims in the latest transaction. */
  private latest = 0;

  constructor(private readonly ledger: Ledger) {}

  /** The number of claims that wait for a transaction. */
  get size(): number {
    return this.waiting.length;
  }

  write(claim: Claim, operation?: Ledger['operation']): Promise<readonly WrittenConsumer[]> {
    return observed(() => this.enter(claim, operation), operation, this.ledger.observer);
  }

  private enter(claim: Claim, operation: Ledger['operation']): Promise<readonly WrittenConsumer[]> {
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
      const waiting = { ...waitingFor(claim), operation, resolve: settle(resolve), reject: settle(reject) };
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
    const behind = new Set(this.busy);
    const consumersTaken = new Set<string>();
    const most = Math.ceil((this.latest + this.waiting.length) / 2);
    let size = 0;
    for (const each of this.waiting) {
      const fits = size === 0 || (batch.length < most && size + each.size <= LARGEST_BATCH);
      const keys = [...each.consumers, ...each.providers];
      const isBehind =
        keys.some((key) => behind.has(key)) || each.consumers.some((key) => consumersTaken.has(key));
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
    this.latest = batch.length;
    return batch;
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    const keys = batch.flatMap(({ consumers, providers }) => [...consumers, ...providers]);
    for (const key of keys) this.busy.add(key);
    this.current = batch;
    const leave = (): void => {
      if (this.current === batch) this.current = null;
      this.begin();
    };
    const slow = setTimeout(leave, SLOW_MS);
    await this.execute(batch);
    clearTimeout(slow);
    for (const key of keys) this.busy.delete(key);
    leave();
  }

  /**
   * Writes a batch in one transaction. If a claim or a writer of another process causes a failure,
   * it retries each claim alone. If the database is unavailable, it retries the whole batch: one
   * transaction per claim would burden a database that has just recovered.
   */
  private async execute(batch: readonly Waiting[], isOutage = false): Promise<void> {
    const claims = batch.map(({ claim }) => claim);
    const isShared = batch.length > 1;
    const activity = isShared ? sharedActivity(batch) : undefined;
    const { operation } = batch[0];
    const ledger: Ledger = isShared ? { ...this.ledger, activity } : { ...this.ledger, operation };
    const retryBudget = isShared && !isOutage ? SHARED_RETRY_BUDGET : undefined;
    this.ledger.observer?.claimsTried(batch.length);
    try {
      const outcomes = await inTransaction(ledger, (tx) => writeClaims(tx, claims), retryBudget);
      if (activity) for (const each of batch) each.operation?.activity.share(activity);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if ('written' in outcome) resolve(outcome.written);
        else reject(outcome.rejection);
      }
    } catch (error) {
      if (!isShared || error instanceof OutcomeUnknown) for (const { reject } of batch) reject(error);
      else if (!isUnavailable(error)) await Promise.all(batch.map((each) => this.execute([each])));
      else if (!isOutage) await this.execute(batch, true);
      else for (const { reject } of batch) reject(error);
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

function waitingFor(claim: Claim): Pick<Waiting, 'claim' | 'size' | 'consumers' | 'providers'> {
  const { inputs } = claim;
  const amounts = inputs.flatMap(({ allocations }) => allocations.flatMap(({ resources }) => resources));
  return {
    claim,
    size: inputs.length + amounts.length,
    consumers: inputs.map(({ consumer }) => consumer),
    providers: providersNamed(inputs),
  };
}
