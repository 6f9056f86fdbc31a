import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 10_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => stopGroup(child, 'SIGKILL')));

/** A program of others, and its children, until it is stopped. Its output is in a file of the folder. */
export class Daemon {
  private constructor(
    private readonly child: ChildProcess,
    private readonly log: string,
  ) {}

  static start(
    name: string,
    folder: string,
    command: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Daemon {
    const log = join(folder, `${name}.log`);
    const output = openSync(log, 'a');
    const child = spawn(command[0], command.slice(1), {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', output, output],
      detached: true, // so that its children can be stopped with it
    });
    closeSync(output);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return new Daemon(child, log);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @throws Error, with the end of its output, if it ends before the condition holds, or that takes too long */
  async until(isReady: () => Promise<boolean>): Promise<void> {
    for (
      const deadline = Date.now() + START_TIMEOUT;
      !(await isReady().catch(() => false));
      await sleep(100)
    ) {
      if (this.isRunning && Date.now() < deadline) continue;
      throw new Error(`${this.log}: ${(await readFile(this.log, 'utf8')).slice(-2_000)}`);
    }
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.child, 'exit');
    stopGroup(this.child, 'SIGTERM');
    const timer = setTimeout(() => stopGroup(this.child, 'SIGKILL'), STOP_TIMEOUT);
    await ended;
    clearTimeout(timer);
    stopGroup(this.child, 'SIGKILL');
  }
}

function stopGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // all of its processes have ended
  }
}
