import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from '../cli/command.js';
import { freePort } from '../support/freePort.js';

/** The compiled server with two workers. */
export class TwoWorkers {
  private constructor(
    readonly command: Command,
    readonly url: string,
  ) {}

  /** Starts it and waits until it serves; it leaves an empty database empty. */
  static async start(databaseUrl: string, options: readonly string[] = []): Promise<TwoWorkers> {
    const port = String(await freePort());
    const command = new Command(['serve', '--port', port, '--workers', '2', ...options], {
      DATABASE_URL: databaseUrl,
    });
    await command.says('/graphql\n');
    return new TwoWorkers(command, /is serving (\S+)\n/.exec(command.said)![1]);
  }

  /** The process ids of the workers, the oldest one first. */
  async pids(): Promise<number[]> {
    const { pid } = this.command;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.trim().split(' ').map(Number);
  }

  /** Kills the oldest of them outright, and waits until another one serves in its place. */
  async killOldest(): Promise<void> {
    const pids = await this.pids();
    process.kill(pids[0], 'SIGKILL');
    const isNew = (pid: number): boolean =>
      !pids.includes(pid) && this.command.said.includes(`worker ${pid} serves`);
    while (!(await this.pids()).some(isNew)) await sleep(20);
  }

  /** Stops it as an operator does, and returns its complaints. */
  async stop(): Promise<string> {
    this.command.signal('SIGTERM');
    await this.command.ended();
    return this.command.complaints;
  }
}
