import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../database/failures.js';
import { reportToConsole, type Report } from '../runtime/report.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C may arrive as two signals: from the terminal and from the npm that runs this process. */
const REPEATED_SIGNAL_MS = 500;

/** A database that is gone is noticed by its connections before the end of its process is. */
const END_NOTICED_MS = 1_000;

/** Where a command tells what it does, and what fails beside it. */
export interface Voice {
  readonly say: (line: string) => void;
  readonly fail: Report;
}

const CONSOLE: Voice = { say: (line) => console.log(line), fail: reportToConsole };

/** The lifecycle of a command: what it opened is closed in reverse order, once, however the command ends. */
export class Lifecycle {
  private readonly closers: (() => Promise<void>)[] = [];
  private endingSince: number | null = null;
  private codeOnSignal = 0;
  private needsOthers = false;
  private voice = CONSOLE;
  /** Tells what the command does. */
  readonly say = (line: string): void => this.voice.say(line);
  private readonly handlers = new Map<NodeJS.Signals, () => void>();

  private constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.onSignal(signal));
    process.on('uncaughtException', (error) => {
      this.voice.fail(error, 'unexpected error');
      void this.end(1);
    });
    if (process.env.npm_lifecycle_event !== undefined) this.endWithParent();
  }

  /** Runs a command. When it fails, the reason is printed in one line and the process ends with code 1. */
  static async run(command: (lifecycle: Lifecycle) => Promise<void>): Promise<void> {
    const lifecycle = new Lifecycle();
    try {
      await command(lifecycle);
    } catch (error) {
      if (lifecycle.needsOthers && isUnavailable(error)) await sleep(END_NOTICED_MS);
      await lifecycle.end(1, error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends the command when a process that it needs has ended: with the reason that it is told. */
  need(ended: Promise<string>): void {
    this.needsOthers = true;
    void ended.then((reason) => this.end(1, reason));
  }

  /**
   * Registers what has to be done at the end.
   * @throws Error when the end has begun meanwhile
   */
  defer(close: () => Promise<void>): void {
    this.closers.push(close);
    this.throwIfStopping();
  }

  /** @throws Error when the end has begun, so that a long piece of work stops where it calls this */
  throwIfStopping(): void {
    if (this.endingSince !== null) throw new Error('stopping');
  }

  /** Tells everything in this way from now on, but the reason why the process ends: that is told on standard error. */
  speakBy(voice: Voice): void {
    this.voice = voice;
  }

  /** Has a signal end the command with code 1: what it was told to do is not done then. */
  failOnSignal(): void {
    this.codeOnSignal = 1;
  }

  /** Has a signal do something else than end the command. */
  handle(signal: (typeof SIGNALS)[number], handler: () => void): void {
    this.handlers.set(signal, handler);
  }

  /** Goes on when a promise is rejected and nobody hears of it, by a library: that is reported. Without this it ends the command. */
  surviveRejections(): void {
    process.on('unhandledRejection', (error) => this.voice.fail(error, 'unexpected rejection'));
  }

  /** Closes everything and ends the process. Once it has begun, further calls do nothing. */
  async end(code: number, reason?: string): Promise<void> {
    if (this.endingSince !== null) return;
    this.endingSince = Date.now();
    if (reason !== undefined) console.error(reason);
    // a connection that is being made when its pool closes fails without a caller, which must not change how the command ends
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
    await nextTurn(); // output that could not be written has set the exit code then
    if (result !== 0) process.exitCode = result;
    process.exit();
  }

  /** An npm that is killed outright cannot pass a signal on: its end counts as one. */
  private endWithParent(): void {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      void this.end(this.codeOnSignal, 'npm is gone: stopping');
    }, 200).unref();
  }

  /** The first signal ends the command cleanly, another one at once. */
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
