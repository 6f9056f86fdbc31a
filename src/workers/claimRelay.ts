import { claimOf } from '../ledger/allocation/allocations.js';
import { ClaimQueue } from '../ledger/allocation/claimQueue.js';
import type { Ledger } from '../ledger/transaction.js';
import { Activity } from '../runtime/observation/activity.js';
import { Turns } from '../runtime/turns.js';
import type { Receiver } from './changeRelay.js';
import type { ClaimAnswer, ClaimOrder, NewClaim, Observed } from './messages.js';
import { sentError } from './rejection.js';

/** What is known of a worker. */
interface Sender {
  /** By their numbers, what ends its claims. */
  readonly running: Map<number, AbortController>;
  /** What is to be sent to it at the end of this turn of the event loop. */
  answers: ClaimAnswer[];
}

/**
 * Writes the claims of all workers in one queue, so that those of several workers share transactions, and do not conflict. Answers
 * that are there at the same time are sent together.
 */
export class ClaimRelay {
  private readonly senders = new Map<Receiver, Sender>();
  private readonly turns = new Turns();
  private readonly queue: ClaimQueue;
  private observed = nothing();

  constructor(ledger: Ledger) {
    const observer: Ledger['observer'] = {
      transactionRetried: (reason) => this.observed.retried.push(reason),
      claimsTried: (claims) => this.observed.tried.push(claims),
      claimEnded: () => undefined, // which the worker counts
    };
    this.queue = new ClaimQueue({ ...ledger, observer });
  }

  /** Takes what a worker has sent. */
  receive(receiver: Receiver, { claims, cancelled }: ClaimOrder): void {
    let sender = this.senders.get(receiver);
    if (sender === undefined) this.senders.set(receiver, (sender = { running: new Map(), answers: [] }));
    for (const claim of claims) void this.write(receiver, sender, claim);
    for (const number of cancelled) sender.running.get(number)?.abort();
  }

  /** The worker is gone: what it has asked for ends where its operation would have. */
  remove(receiver: Receiver): void {
    for (const controller of this.senders.get(receiver)?.running.values() ?? []) controller.abort();
    this.senders.delete(receiver);
  }

  private async write(receiver: Receiver, sender: Sender, { number, ...claim }: NewClaim): Promise<void> {
    const controller = new AbortController();
    const activity = new Activity();
    const { signal } = controller;
    sender.running.set(number, controller);
    const pause = (): Promise<void> => this.turns.pause(controller, signal);
    const outcome = await this.queue.write(claimOf(claim), { signal, pause, activity }).then(
      (written) => ({ written }),
      (error: unknown) => (signal.aborted && error === signal.reason ? {} : { error: sentError(error) }),
    );
    sender.running.delete(number);
    const { statements, rows, retries } = activity;
    this.answer(receiver, sender, { number, statements, rows, retries, ...outcome });
  }

  private answer(receiver: Receiver, sender: Sender, answer: ClaimAnswer): void {
    sender.answers.push(answer);
    if (sender.answers.length > 1) return;
    setImmediate(() => {
      const { answers } = sender;
      sender.answers = [];
      if (!this.senders.has(receiver)) return;
      const { observed } = this;
      this.observed = nothing();
      receiver.send({ claimed: { answers, observed } });
    });
  }
}

function nothing(): Observed {
  return { tried: [], retried: [] };
}
