import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment } from '../support/environment.js';
import { PROGRAM } from '../support/program.js';

/** Logs failures and audit records only, as text. */
export const QUIET = { PLACEMENT_LOG_FORMAT: 'text', PLACEMENT_LOG_LEVEL: 'error' };

/** A process of the compiled program, without workers unless it is told otherwise, and what it has said so far. */
export class Command {
  said = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown[]>;

  /** @param checkout where another version of it was compiled */
  constructor(options: string[], environment: Record<string, string>, checkout?: string) {
    this.child = spawn(
      process.execPath,
      [checkout === undefined ? PROGRAM : `${checkout}/dist/cli/main.js`, ...options],
      {
        env: { ...programEnvironment(), ...QUIET, PLACEMENT_WORKERS_COUNT: '1', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.exit = once(this.child, 'close');
    const kill = (): void => void this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.child.once('close', () => process.off('exit', kill));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.said += text.toString()));
    }
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The output of a server without its audit records and the lines about its start and stop. */
  get complaints(): string {
    return this.said
      .replaceAll(/^\[[\d:.]+\] INFO: write\n(?: {4}.*\n)*/gm, '')
      .replace(/^(.*: )?placement-graphql is serving \S+\n/m, '')
      .replace(/^(.*: )?stopping\n/m, '');
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** From now on what it says reaches nobody, and writing it fails. */
  stopReading(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits until the program has said this. */
  async says(text: string): Promise<void> {
    let isOver = false;
    void this.exit.then(() => (isOver = true));
    while (!this.said.includes(text)) {
      if (isOver) throw new Error(`it ended: ${this.said}`);
      await sleep(5);
    }
  }

  /** Waits for the end: the exit code, and all that was said. */
  async ended(): Promise<{ code: unknown; said: string }> {
    const [code, signal] = await this.exit;
    return { code: code ?? signal, said: this.said };
  }
}
