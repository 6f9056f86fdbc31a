import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../races/load.js';
import type { Attempt } from '../races/writeLog.js';

const STEP_MS = 50;
const HEALTH_MS = 500;

/** How soon all must be well again after a fault, without a restart (ms). */
const PATIENCE_MS = 90_000;

/** What all this is well after: as many writes in a row, and a server that says so. */
const WELL = 5;

/** Writers, and the servers through which they write; those may be replaced meanwhile. */
export interface Observed {
  readonly load: Load;
  readonly processes: readonly { readonly pid: number; readonly url: string }[];
}

/** How it was from before a fault until all was well after it. */
export interface Observations {
  /** The number of rejected writes by code. */
  readonly rejections: ReadonlyMap<string, number>;
  /** The longest time without an acknowledged write (ms). */
  readonly longestGap: number;
  /** What the servers said of themselves: the statuses of `/readyz`; 0: nothing. */
  readonly health: ReadonlySet<number>;
  /** The most memory that a server had (MiB). */
  readonly peak: number;
}

/** Watches writers and servers from before a fault until all is well after it. */
export class Observation {
  private readonly from: number;
  private readonly health = new Set<number>();
  private lastDone = performance.now();
  private longestGap = 0;
  private doneBefore: number;
  private peak = 0;
  private isOver = false;
  private readonly watching: Promise<unknown>;

  constructor(private readonly setting: Observed) {
    this.from = setting.load.log.attempts.length;
    this.doneBefore = this.done();
    this.watching = Promise.all([this.watchWrites(), this.watchHealth()]);
  }

  private attempts(): Attempt[] {
    return this.setting.load.log.attempts.slice(this.from);
  }

  private done(): number {
    return this.attempts().filter(({ outcome }) => outcome.kind === 'done').length;
  }

  private async watchWrites(): Promise<void> {
    for (; !this.isOver; await sleep(STEP_MS)) {
      const [now, done] = [performance.now(), this.done()];
      this.longestGap = Math.max(this.longestGap, now - this.lastDone);
      if (done > this.doneBefore) [this.doneBefore, this.lastDone] = [done, now];
      this.peak = Math.max(this.peak, ...this.setting.processes.map(({ pid }) => residentMiB(pid)));
    }
  }

  private async watchHealth(): Promise<void> {
    for (; !this.isOver; await sleep(HEALTH_MS))
      for (const status of await this.askHealth()) this.health.add(status);
  }

  private askHealth(): Promise<number[]> {
    return Promise.all(this.setting.processes.map(({ url }) => readiness(url)));
  }

  /** Waits until all is well. Gives how long that took (ms); throws when it takes too long. */
  async heal(): Promise<number> {
    const began = performance.now();
    const before = this.done();
    for (;;) {
      const took = performance.now() - began;
      const isWell =
        this.done() >= before + WELL && (await this.askHealth()).every((status) => status === 200);
      if (isWell) return took;
      if (took > PATIENCE_MS) {
        const rejections = rejectionsText((await this.end()).rejections);
        throw new Error(`not well ${PATIENCE_MS / 1000} s after the fault: ${rejections}`);
      }
      await sleep(STEP_MS);
    }
  }

  private rejections(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { outcome } of this.attempts()) {
      if (outcome.kind === 'done') continue;
      const code = outcome.kind === 'unknown' ? codeOf(outcome.reason) : outcome.code;
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    return counts;
  }

  async end(): Promise<Observations> {
    this.isOver = true;
    await this.watching;
    const { longestGap, health, peak } = this;
    return { rejections: this.rejections(), longestGap, health, peak };
  }
}

/** The status of a server's `/readyz`; 0: there was no answer. */
async function readiness(server: string): Promise<number> {
  const url = new URL('/readyz', server);
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
}

export function rejectionsText(rejections: Observations['rejections']): string {
  return [...rejections].map(([code, count]) => `${code} ${count}`).join(', ') || '-';
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The codes of the errors of an answer; what the connection said where there was none. */
function codeOf(reason: string): string {
  return /"code":"([A-Z_]+)"/.exec(reason)?.[1] ?? reason.slice(0, 40);
}

export function residentMiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has just been killed
  }
}
