import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { prepared } from '../support/prepared.js';

const ENTER = fileURLToPath(new URL('enter.sh', import.meta.url));

/** Named by the set-up of this suite. */
const DEBIAN = prepared('PLACEMENT_DEBIAN');

const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts', '--cgroup'];

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Folders of this machine, by where they are in the other one. */
export type Mounts = Readonly<Record<string, string>>;

/**
 * A Debian that runs in a folder of its own, with a system manager, services and users. It has a network of its own, without a way out,
 * unless it is given that of this machine. All that it changes ends with it, but what it writes to the folders that it is given.
 */
export class Machine {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly pid: number,
    private readonly namespaces: readonly string[],
  ) {}

  /** Starts systemd, and waits until all services run. */
  static async boot(mounts: Mounts): Promise<Machine> {
    const machine = await this.start(mounts, '/lib/systemd/systemd', [...NAMESPACES, '--net']);
    // there is no kernel of its own whose modules could be loaded, so it counts as degraded
    await machine.eventually('systemctl is-system-running', /running|degraded/);
    return machine;
  }

  /** No service runs, and the network is that of this machine. */
  static idle(mounts: Mounts): Promise<Machine> {
    return this.start(mounts, 'sleep infinity', NAMESPACES);
  }

  private static async start(
    mounts: Mounts,
    program: string,
    namespaces: readonly string[],
  ): Promise<Machine> {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), `placement-test-${process.pid}-`));
    const binds = Object.entries(mounts).map(([target, source]) => `${source}:${target}`);
    const enter = [ENTER, join(DEBIAN, 'machine'), folder, ...binds, '--', ...program.split(' ')];
    // it ends with this process, however that dies
    const unshare = ['--pdeathsig', 'KILL', 'unshare', ...namespaces, '--fork', '--kill-child', ...enter];
    const child = spawn('setpriv', unshare, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const name = basename(program.split(' ')[0]);
    for (let pid = 0; ;) {
      if (child.exitCode !== null) throw new Error(`no machine could be started: ${said}`);
      pid ||= firstChild(child.pid!);
      if (pid !== 0 && commandOf(pid) === name) return new Machine(child, folder, pid, namespaces);
      await sleep(20);
    }
  }

  /** Runs a script of the shell as root. */
  async run(script: string): Promise<Outcome> {
    const flags = [...this.namespaces, '--root', '--wd'];
    const environment = ['HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive', `PATH=${PATH}`];
    const command = ['env', '-i', ...environment, 'bash', '-c', script];
    const child = spawn('nsenter', ['--target', String(this.pid), ...flags, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a script that ends its process group does not end this process
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, output };
  }

  /** @throws Error with what was said when the script fails */
  async mustRun(script: string): Promise<string> {
    const { code, output } = await this.run(script);
    if (code !== 0) throw new Error(`${script}\nfailed (${code}): ${output}`);
    return output;
  }

  /** Runs a script again and again until it says this. */
  async eventually(script: string, expected: RegExp): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const { output } = await this.run(script);
      if (expected.test(output)) return output;
      if (attempt === 300) throw new Error(`${script}\ndoes not say ${String(expected)}: ${output}`);
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    process.kill(this.pid, 'SIGKILL'); // all its processes and mounts end with the first
    await ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function firstChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}
