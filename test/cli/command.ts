import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command as CommandLine } from 'commander';
import { addClientCommands } from '../../src/command/program.js';
import { addServerCommands } from '../../src/server/commands/serverCommands.js';
import { programEnvironment } from '../support/environment.js';
import { PROGRAM } from '../support/program.js';
import { runHere } from '../support/runHere.js';
import { killAtExit } from '../../bench/killAtExit.js';

/** Without workers, and a log of failures and audit records only, as text, unless a test sets others. */
export const DEFAULTS = {
  PLACEMENT_LOG_FORMAT: 'text',
  PLACEMENT_LOG_LEVEL: 'error',
  PLACEMENT_WORKERS_COUNT: '1',
};

/** A command that runs or has run, and its output. */
export interface Running {
  /** Waits until the output has a text. */
  says(text: string): Promise<void>;
  /** Waits for the end. Returns the exit code and the output. */
  ended(): Promise<{ code: unknown; said: string }>;
}

/** Returns the program of another checkout, which has moved since 1.0. */
function programOf(checkout: string): string {
  const { bin } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as {
    bin: Record<string, string>;
  };
  return `${checkout}/${Object.values(bin)[0]}`;
}

/** A process of the compiled program, by default without workers, with its output so far. */
export class Command implements Running {
  said = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown[]>;

  /**
   * @param checkout where another version of it was compiled
   * @param program another program, which starts it
   */
  constructor(
    options: string[],
    environment: Record<string, string>,
    checkout?: string,
    program = checkout === undefined ? PROGRAM : programOf(checkout),
  ) {
    this.child = spawn(process.execPath, [program, ...options], {
      env: { ...programEnvironment(), ...DEFAULTS, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exit = once(this.child, 'close');
    killAtExit(this.child);
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

  /** Closes the reading end of its output, so that writes to it fail. */
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

/** A command in this process. A test that kills or signals a command, or that serves, needs a `Command`. */
export class LocalCommand implements Running {
  private said = '';
  private readonly exit: Promise<number>;

  constructor(options: readonly string[], environment: Record<string, string>) {
    const program = new CommandLine('placement-graphql');
    addClientCommands(program);
    addServerCommands(program, false);
    const onText = (text: string): void => void (this.said += text);
    const surroundings = { environment: { ...DEFAULTS, ...environment }, onOut: onText, onError: onText };
    this.exit = runHere(program, options, surroundings);
  }

  async says(text: string): Promise<void> {
    let isOver = false;
    const onEnd = (): void => void (isOver = true);
    this.exit.then(onEnd, onEnd);
    while (!this.said.includes(text)) {
      if (isOver) throw new Error(`it ended: ${this.said}`);
      await sleep(5);
    }
  }

  async ended(): Promise<{ code: unknown; said: string }> {
    return { code: await this.exit, said: this.said };
  }
}
