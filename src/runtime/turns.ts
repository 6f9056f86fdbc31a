import type { Owner } from './client.js';
import { Rotation } from './rotation.js';

/** How long new work may hold the event loop up before what comes after it waits for a turn (ms). */
const FIRST_SLICE_MS = 5;

/** After a turn that took longer than this nothing has a turn for a while, which is enough for short operations to end (ms). */
const LONG_TURN_MS = 40;
const REST_MS = 5;

interface Task {
  /** Works for a few milliseconds; true when the work is done. */
  readonly step: () => boolean;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Shares the processor between long pieces of work. Clients take turns, and so do the owners of one client: one slice in a
 * turn of the event loop. The work of one owner is done piece after piece. Short work need not wait: what is new runs for
 * one slice at once, as long as little else has in the same turn of the event loop.
 *
 * What goes on after a pause may take long, since not all work can be done in slices; and an operation that reads from the database
 * takes several turns of the event loop. So that these are not all long ones, a rest follows each long one.
 */
export class Turns {
  private readonly waiting = new Rotation<Task>();
  /** How long new work has held up the present turn of the event loop (ms). */
  private spent = 0;
  private isScheduled = false;
  private needsRest = false;

  /** Ends when `step` has said that the work is done. Rejects with what it throws, and with the signal's reason. */
  async run(owner: Owner, step: () => boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.attempt(owner, step)) await this.turn(owner, step, signal);
  }

  /** Does one slice now where it need not wait; true when the work is done. */
  attempt(owner: Owner, step: () => boolean): boolean {
    if (this.spent >= FIRST_SLICE_MS || this.waiting.has(owner)) return false;
    const start = performance.now();
    try {
      return step();
    } finally {
      this.spent += performance.now() - start;
      this.schedule();
    }
  }

  /** Lets all others go first, once: between two parts of work that is not done in slices of its own. */
  pause(owner: Owner, signal?: AbortSignal): Promise<void> {
    return this.turn(owner, () => true, signal);
  }

  private turn(owner: Owner, step: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.add(owner, { step, signal, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.takeTurn());
  }

  private takeTurn(): void {
    this.spent = 0;
    if (this.needsRest) {
      this.needsRest = false;
      setTimeout(() => this.takeTurn(), REST_MS);
      return;
    }
    this.isScheduled = false;
    const next = this.waiting.find(() => true);
    if (next === null) return;
    this.watch();
    const [owner, task] = next;
    if (settled(task)) this.waiting.remove(owner, task);
    this.waiting.rotate(owner);
    if (this.waiting.size > 0) this.schedule();
  }

  /** Finds out how long this turn of the event loop takes, with all that goes on in it. */
  private watch(): void {
    const began = performance.now();
    setImmediate(() => (this.needsRest = this.isScheduled && performance.now() - began > LONG_TURN_MS));
  }
}

/** Does one slice of a task; true when it has ended. */
function settled({ step, signal, resolve, reject }: Task): boolean {
  try {
    signal?.throwIfAborted();
    if (!step()) return false;
    resolve();
  } catch (error) {
    reject(error);
  }
  return true;
}
