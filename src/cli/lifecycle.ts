import { reportToConsole, type Report } from '../runtime/report.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C may arrive as two signals: from the terminal and from the npm that runs this process. */
const REPEATED_SIGNAL_MS = 500;

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
  private voice = CONSOLE;
  /** Tells what the command does. */
  readonly say = (line: string): void => this.voice.say(line);

  private constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.onSignal());
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
      await lifecycle.end(1, error instanceof Error ? error.message : String(error));
    }
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
    process.exit(result);
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
  private onSignal(): void {
    if (this.endingSince === null) {
      this.say('stopping');
      void this.end(this.codeOnSignal);
    } else if (Date.now() - this.endingSince > REPEATED_SIGNAL_MS) {
      console.error('stopped by force');
      process.exit(1);
    }
  }
}
