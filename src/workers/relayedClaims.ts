import { observed, type ClaimService } from '../ledger/allocation/claimQueue.js';
import type { Claim } from '../ledger/allocation/claims.js';
import type { WrittenConsumer } from '../ledger/allocation/consumerPlan.js';
import type { Ledger } from '../ledger/transaction.js';
import type { ClaimAnswer, FromWorker, NewClaim, ToWorker } from './messages.js';
import { receivedError } from './rejection.js';

/** A claim that the primary was given. */
interface Sent {
  readonly operation: Ledger['operation'];
  readonly resolve: (written: readonly WrittenConsumer[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** The claims of a worker, which the primary writes. Those of one turn of the event loop are sent together. */
export class RelayedClaims implements ClaimService {
  private readonly sent = new Map<number, Sent>();
  private last = 0;
  private claims: NewClaim[] = [];
  private cancelled: number[] = [];
  private observer: Ledger['observer'];

  constructor(private readonly send: (message: FromWorker) => void) {}

  /** The same, with whom to tell how claims end. */
  observedBy(observer: Ledger['observer']): this {
    this.observer = observer;
    return this;
  }

  get size(): number {
    return this.sent.size;
  }

  write(claim: Claim, operation?: Ledger['operation']): Promise<readonly WrittenConsumer[]> {
    return observed(() => this.order(claim, operation), operation, this.observer);
  }

  /** Takes a message of the primary. */
  receive({ claimed }: ToWorker): void {
    if (claimed === undefined) return;
    for (const claims of claimed.observed.tried) this.observer?.claimsTried(claims);
    for (const reason of claimed.observed.retried) this.observer?.transactionRetried(reason);
    for (const answer of claimed.answers) this.settle(answer);
  }

  /** When the operation's signal aborts, the primary says whether that was in time. */
  private order(
    { kind, inputs, takingOver }: Claim,
    operation: Ledger['operation'],
  ): Promise<readonly WrittenConsumer[]> {
    const signal = operation?.signal;
    const number = ++this.last;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const cancel = (): void => {
        this.cancelled.push(number);
        this.flushSoon();
      };
      const settle =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', cancel);
          end(value);
        };
      signal?.addEventListener('abort', cancel, { once: true });
      this.sent.set(number, { operation, resolve: settle(resolve), reject: settle(reject) });
      this.claims.push({ number, kind, inputs, takingOver });
      this.flushSoon();
    });
  }

  private settle({ number, written, error, ...work }: ClaimAnswer): void {
    const { operation, resolve, reject } = this.sent.get(number)!;
    this.sent.delete(number);
    operation?.activity.share(work);
    if (written !== undefined) resolve(written);
    else reject(error === undefined ? operation?.signal.reason : receivedError(error));
  }

  private flushSoon(): void {
    if (this.claims.length + this.cancelled.length > 1) return;
    setImmediate(() => {
      const { claims, cancelled } = this;
      this.claims = [];
      this.cancelled = [];
      this.send({ order: { claims, cancelled } });
    });
  }
}
