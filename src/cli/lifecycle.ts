const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal's Ctrl-C may arrive twice at once: from the terminal and from the npm that runs us. */
const echo = 500;

/** The life of a command: what it opened is closed in reverse order, once, however the command ends. */
export class Life {
  private readonly closers: (() => Promise<void>)[] = [];
  private endingSince: number | null = null;

  private constructor() {
    for (const signal of signals) process.on(signal, () => this.onSignal());
    if (process.env.npm_lifecycle_event !== undefined) this.followParent();
  }

  /** Runs a command. When it fails, the reason is told in one line and the process ends with code 1. */
  static async lead(command: (life: Life) => Promise<void>): Promise<void> {
    const life = new Life();
    try {
      await command(life);
    } catch (error) {
      await life.end(1, error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Registers what has to be done at the end.
   * @throws Error when the end has begun meanwhile
   */
  defer(close: () => Promise<void>): void {
    this.closers.push(close);
    this.goOn();
  }

  /** @throws Error when the end has begun, so that a long piece of work stops where it calls this */
  goOn(): void {
    if (this.endingSince !== null) throw new Error('stopping');
  }

  /** Closes everything and ends the process. Once it has begun, further calls do nothing. */
  async end(code: number, reason?: string): Promise<void> {
    if (this.endingSince !== null) return;
    this.endingSince = Date.now();
    if (reason !== undefined) console.error(reason);
    // a connection that is being made when its pool closes fails, and nobody waits for it
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

  /** An npm that is killed outright cannot pass the signal on: its death is one. */
  private followParent(): void {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      void this.end(0, 'npm is gone: stopping');
    }, 200).unref();
  }

  /** The first signal ends the command cleanly, another one at once. */
  private onSignal(): void {
    if (this.endingSince === null) {
      console.log('stopping');
      void this.end(0);
    } else if (Date.now() - this.endingSince > echo) {
      console.error('stopped by force');
      process.exit(1);
    }
  }
}
