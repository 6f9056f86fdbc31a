import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT = 120_000;
const STOP_TIMEOUT = 10_000;

const groups = new Set<number>();
process.once('exit', () => groups.forEach((group) => signal(-group, 'SIGKILL')));

/** A program of others, and its children, until it is stopped. Its output is in a file of the folder. */
export class Daemon {
  /** @param pid the id of a process that leads a group */
  constructor(
    private readonly pid: number,
    private readonly log: string,
  ) {
    groups.add(pid);
  }

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
    return new Daemon(child.pid!, log);
  }

  get isRunning(): boolean {
    return signal(this.pid, 0);
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
    signal(-this.pid, 'SIGTERM');
    for (const deadline = Date.now() + STOP_TIMEOUT; this.isRunning && Date.now() < deadline;)
      await sleep(50);
    signal(-this.pid, 'SIGKILL');
    groups.delete(this.pid);
  }
}

/** Sends a signal to a process, or to the group -pid. Returns false if it has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
