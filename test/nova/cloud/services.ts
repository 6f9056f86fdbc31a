import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { killAtExit } from '../../../bench/killAtExit.js';
import { Daemon } from '../daemon.js';
import { PYTHON, scriptPath } from '../python.js';

/** Starts services of Nova as forks of one process: with ten of them, a cloud fits into 1 GiB. */
export class Services {
  private readonly pids: AsyncIterator<string>;

  private constructor(
    private readonly parent: ChildProcessByStdio<Writable, Readable, null>,
    private readonly folder: string,
  ) {
    this.pids = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  }

  static start(folder: string): Services {
    const parent = spawn(PYTHON, [scriptPath('nova_services.py')], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    killAtExit(parent);
    return new Services(parent, folder);
  }

  async run(program: string, name: string, settings: string): Promise<Daemon> {
    const output = join(this.folder, `${name}.log`);
    this.parent.stdin.write(`${JSON.stringify({ program, settings, output })}\n`);
    const pid = await this.pids.next();
    if (pid.done) throw new Error(`${PYTHON} cannot import the services of Nova`);
    return new Daemon(Number(pid.value), output);
  }

  async stop(): Promise<void> {
    this.parent.stdin.end();
    if (this.parent.exitCode === null) await once(this.parent, 'exit');
  }
}
