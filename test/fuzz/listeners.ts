import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Counts = Readonly<Record<string, number>>;

/**
 * Emitters of open connections, whose number the pools and the clients limit, the streamed statement that a connection
 * ran last, and those of the command line. The bundle renames some classes with an underscore.
 */
const BOUNDED = /^_?(Socket|Connection\w*|EventEmitter|Agent|Command|Stream) /;
/** The time within which a server must release the resources of its last requests (ms). */
const PATIENCE = 10_000;

/** Counts the event listeners of a server process, which {@link Listeners.environment} prepares. */
export class Listeners {
  private readonly file = join(tmpdir(), `placement-test-${randomUUID()}`);

  /** Returns the environment of the server. `heap` is in MiB. */
  environment(heap: number): Record<string, string> {
    const preloaded = resolve('test/fuzz/countListeners.mjs');
    return {
      NODE_OPTIONS: `--max-old-space-size=${heap} --import ${preloaded}`,
      PLACEMENT_LISTENERS: this.file,
    };
  }

  /**
   * Waits until no count exceeds its previous value. Returns the counts, and those that still do.
   */
  async beyond(before: Counts | null, pid: number): Promise<{ counts: Counts; beyond: string[] }> {
    for (const end = Date.now() + PATIENCE; ; await sleep(500)) {
      const counts = await this.read(pid);
      const beyond = Object.entries(counts).filter(
        ([name, count]) => before !== null && !BOUNDED.test(name) && count > (before[name] ?? 0),
      );
      if (beyond.length === 0 || Date.now() > end)
        return {
          counts,
          beyond: beyond.map(([name, count]) => `${name}: ${before?.[name] ?? 0}, then ${count}`),
        };
    }
  }

  private async read(pid: number): Promise<Counts> {
    rmSync(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (; !existsSync(this.file); await sleep(10)) process.kill(pid, 0);
    return JSON.parse(readFileSync(this.file, 'utf8')) as Counts;
  }
}
