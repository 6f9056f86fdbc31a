import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../store/database/failures.js';
import { reportToConsole, type Report } from '../../model/operation/report.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long repeated signals are ignored (ms): the terminal and npm both pass on one Ctrl-C. */
const REPEATED_SIGNAL_MS = 500;

/** The wait for the exit of a lost database (ms): connections fail before its process exits. */
const END_NOTICED_MS = 1_000;

export interface Announcer {
  readonly say: (line: string) => void;
  readonly fail: Report;
}

const CONSOLE: Announcer = { say: (line) => console.log(line), fail: reportToConsole };

/** The lifecycle of a command. At the end, it closes opened resources once, in reverse order. */
export class Lifecycle {
  private readonly closers: (() => Promise<void>)[] = [];
  private endingSince: number | null = null;
  private codeOnSignal = 0;
  private needsOthers = false;
  /** Whether the database may end before it has rolled back interrupted work. It continues at its next start. */
  leavesRollback = false;
  private announcer = CONSOLE;
  readonly say = (line: string): void => this.announcer.say(line);
  private readonly handlers = new Map<NodeJS.Signals, () => void>();

  private constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.onSignal(signal));
    process.on('uncaughtException', (error) => {
      this.announcer.fail(error, 'unexpected error');
      void this.end(1);
    });
    if (process.env.npm_lifecycle_event !== undefined) this.endWithParent();
  }

  /** Runs a command. If it fails, prints the reason and ends the process with code 1. */
  static async run(command: (lifecycle: Lifecycle) => Promise<void>): Promise<void> {
    const lifecycle = new Lifecycle();
    try {
      await command(lifecycle);
    } catch (error) {
      if (lifecycle.needsOthers && isUnavailable(error)) await sleep(END_NOTICED_MS);
      await lifecycle.end(1, error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the command when a required process ends, with the reason to which `ended` resolves. */
  need(ended: Promise<string>): void {
    this.needsOthers = true;
    void ended.then((reason) => this.end(1, reason));
  }

  /** Registers work for the end of the command. @throws Error if the end has begun */
  defer(close: () => Promise<void>): void {
    this.closers.push(close);
    this.throwIfStopping();
  }

  /** Called by long work so that it can stop. @throws Error if the end has begun */
  throwIfStopping(): void {
    if (this.endingSince !== null) throw new Error('stopping');
  }

  /** Redirects all messages. The reason why the process ends still goes to standard error. */
  announceBy(announcer: Announcer): void {
    this.announcer = announcer;
  }

  /** Makes a signal end the command with code 1, because its work is incomplete. */
  failOnSignal(): void {
    this.codeOnSignal = 1;
  }

  /** Replaces the handling of a signal, which by default ends the command. */
  handle(signal: (typeof SIGNALS)[number], handler: () => void): void {
    this.handlers.set(signal, handler);
  }

  /**
   * Reports an unhandled rejection of a library and continues. By default it ends the command. Errors of GraphQL with a
   * path are in an answer: if an object of a list with more than 1,000 fails, the executor (@graphql-tools/executor 2.1.0)
   * handles it at the end of the list.
   */
  surviveRejections(): void {
    process.on('unhandledRejection', (error) => {
      if (!isInAnswer(error)) this.announcer.fail(error, 'unexpected rejection');
    });
    process.on('rejectionHandled', () => undefined); // without a listener, Node prints a warning for each
  }

  /** Closes everything and ends the process. Further calls do nothing. */
  async end(code: number, reason?: string): Promise<void> {
    if (this.endingSince !== null) return;
    this.endingSince = Date.now();
    if (reason !== undefined) console.error(reason);
    // closing a pool rejects connections that are opening, which must not change the exit code
    process.on('unhandledRejection', () => undefined);
    let result = code;
    for (let close = this.closers.pop(); close !== undefined; close = this.closers.pop()) {
      try {
        await close();
      } catch (error) {
        result = 1;
        console.error(error instanceof Error ? error.message : error);
      }
    }
    await nextTurn(); // a failed write of the output may still set the exit code
    if (result !== 0) process.exitCode = result;
    process.exit();
  }

  /** Ends the command when its parent npm has ended: a killed npm passes no signal on. */
  private endWithParent(): void {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      void this.end(this.codeOnSignal, 'npm is gone: stopping');
    }, 200).unref();
  }

  /** The first signal ends the command cleanly, the second one at once. */
  private onSignal(signal: NodeJS.Signals): void {
    const handler = this.handlers.get(signal);
    if (handler) handler();
    else if (this.endingSince === null) {
      this.say('stopping');
      void this.end(this.codeOnSignal);
    } else if (Date.now() - this.endingSince > REPEATED_SIGNAL_MS) {
      console.error('stopped by force');
      process.exit(1);
    }
  }
}

/** Returns whether an error is one of GraphQL with its path. Known by its name, so that no command loads that package. */
function isInAnswer(error: unknown): boolean {
  return (
    error instanceof Error && error.name === 'GraphQLError' && 'path' in error && error.path !== undefined
  );
}
