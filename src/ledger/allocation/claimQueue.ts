import { providersNamed, type WrittenConsumer } from './consumerWrite.js';
import { writeTogether, type Claim, type Verdict } from './sharedWrite.js';
import { inTransaction, OutcomeUnknown, type Ledger } from '../transaction.js';

/** How long a transaction may keep the next one from beginning, in milliseconds. */
const SLOW_MS = 50;

/** Consumers and amounts that one transaction takes at most; a claim of more has one for itself. */
const MOST_TOGETHER = 256;

/** How long claims go on together against rivals, in milliseconds; then each goes on by itself. */
const PATIENCE_TOGETHER = 250;

/** A claim that waits for its transaction, or for the end of it. */
interface Waiting {
  readonly claim: Claim;
  /** How many consumers and amounts it has. */
  readonly size: number;
  readonly consumers: readonly string[];
  readonly providers: readonly string[];
  readonly resolve: (written: readonly WrittenConsumer[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Where the claims of a process wait for their transaction. One that finds nobody else at work begins at once; those that arrive
 * meanwhile go together as the next one (ADR 9).
 *
 * A claim that names a consumer or provider that one under way names waits for its end, and for those of them that came
 * earlier: in a transaction of its own it would only lose against it. So claims that have to do with each other are judged in
 * the order in which they arrived.
 */
export class ClaimQueue {
  private waiting: Waiting[] = [];
  private readonly busy = new Set<string>();
  private current: readonly Waiting[] | null = null;

  constructor(private readonly ledger: Ledger) {}

  /** Ends when the claim has been written; rejects with its refusal. */
  write(claim: Claim): Promise<readonly WrittenConsumer[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push(waitingFor(claim, resolve, reject));
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

  /** Takes those off the queue that go together next. */
  private take(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const behind = new Set(this.busy);
    const together = new Set<string>();
    let size = 0;
    for (const each of this.waiting) {
      const fits = size === 0 || size + each.size <= MOST_TOGETHER;
      const keys = [...each.consumers, ...each.providers];
      const isBehind = keys.some((key) => behind.has(key)) || each.consumers.some((key) => together.has(key));
      if (fits && !isBehind) {
        batch.push(each);
        size += each.size;
        for (const key of each.consumers) together.add(key);
      } else {
        left.push(each);
        for (const key of keys) behind.add(key);
      }
    }
    this.waiting = left;
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
    await this.settle(batch);
    clearTimeout(slow);
    for (const key of keys) this.busy.delete(key);
    leave();
  }

  /** Where claims fail together, because of one of them or of rivals from elsewhere, each is tried by itself. */
  private async settle(batch: readonly Waiting[]): Promise<void> {
    const claims = batch.map(({ claim }) => claim);
    const patience = batch.length > 1 ? PATIENCE_TOGETHER : undefined;
    try {
      const verdicts = await inTransaction(this.ledger, (tx) => writeTogether(tx, claims), patience);
      for (const [index, verdict] of verdicts.entries()) tell(batch[index], verdict);
    } catch (error) {
      if (batch.length === 1 || error instanceof OutcomeUnknown)
        for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((each) => this.settle([each])));
    }
  }
}

function waitingFor(claim: Claim, resolve: Waiting['resolve'], reject: Waiting['reject']): Waiting {
  const { inputs } = claim;
  const amounts = inputs.flatMap(({ allocations }) => allocations.flatMap(({ resources }) => resources));
  return {
    claim,
    size: inputs.length + amounts.length,
    consumers: inputs.map(({ consumer }) => consumer),
    providers: providersNamed(inputs),
    resolve,
    reject,
  };
}

function tell({ resolve, reject }: Waiting, verdict: Verdict): void {
  if ('written' in verdict) resolve(verdict.written);
  else reject(verdict.refusal);
}
