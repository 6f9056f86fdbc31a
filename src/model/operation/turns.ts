import type { Owner } from './client.js';
import { untilMicrotasksEnd } from './processorTime.js';
import { Rotation } from './rotation.js';
import { Shares } from './shares.js';

/** How long new tasks may occupy one turn of the event loop before further ones wait (ms). */
const FIRST_SLICE_MS = 5;

/** After a longer turn than this (ms), no task runs for REST_MS, so that short operations can end. */
const LONG_TURN_MS = 40;
const REST_MS = 5;

interface Task {
  /** Works for a few milliseconds. Returns true when the work is done. */
  readonly step: () => boolean;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Shares the processor between long tasks: one time slice for each turn of the event loop. The next slice is of the
 * client that has used the least processor time. The owners of one client take turns. The tasks of one owner run one
 * after another. A new task runs for one slice at once, unless other new tasks have used the turn up.
 *
 * Not all work can be sliced, so a turn may be long. An operation that reads from the database takes several turns.
 * A rest follows each long turn, so that not all of these are long.
 */
export class Turns {
  private readonly waiting: Rotation<Task>;
  /** How long new work has held up the present turn of the event loop (ms). */
  private spent = 0;
  private isScheduled = false;
  private needsRest = false;

  /** @param processor the processor time of each client (ms) */
  constructor(processor = new Shares<string>()) {
    this.waiting = new Rotation(processor);
  }

  /** Resolves when `step` has returned true. Rejects with its error or with the signal's reason. */
  async run(owner: Owner, step: () => boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.attempt(owner, step)) await this.turn(owner, step, signal);
  }

  /** Runs one slice now if it need not wait. Returns true when the work is done. */
  attempt(owner: Owner, step: () => boolean): boolean {
    if (this.spent >= FIRST_SLICE_MS || this.waiting.has(owner)) return false;
    const start = performance.now();
    try {
      return step();
    } finally {
      const used = performance.now() - start;
      this.spent += used;
      this.waiting.use(owner, used);
      this.schedule();
    }
  }

  /** Yields once to all other owners, between two parts of work that `run` does not slice. */
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
    untilMicrotasksEnd((used) => this.waiting.use(owner, used));
    if (settled(task)) this.waiting.remove(owner, task);
    this.waiting.rotate(owner);
    if (this.waiting.size > 0) this.schedule();
  }

  /** Measures this turn of the event loop, including all other work in it. */
  private watch(): void {
    const began = performance.now();
    setImmediate(() => (this.needsRest = this.isScheduled && performance.now() - began > LONG_TURN_MS));
  }
}

/** Runs one slice of a task. Returns true when the task has ended. */
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
