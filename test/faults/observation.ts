import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../races/writeLog.js';
import type { FaultySetting } from './faultySetting.js';

const STEP_MS = 50;
const HEALTH_MS = 500;

/** How soon all must be well again after a fault, without a restart (ms). */
const PATIENCE_MS = 60_000;

/** What all this is well after: as many writes in a row, and a server that says so. */
const WELL = 5;

/** Watches writers and server from before a fault until all is well after it. */
export class Observation {
  private readonly from: number;
  private readonly health = new Set<number>();
  private lastDone = performance.now();
  private longestGap = 0;
  private doneBefore: number;
  private peak = 0;
  private isOver = false;
  private readonly watching: Promise<unknown>;

  constructor(private readonly setting: FaultySetting) {
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
      this.peak = Math.max(this.peak, residentMiB(this.setting.process.pid));
    }
  }

  private async watchHealth(): Promise<void> {
    for (; !this.isOver; await sleep(HEALTH_MS)) this.health.add(await this.askHealth());
  }

  /** 0: there was no answer. */
  private async askHealth(): Promise<number> {
    const url = new URL('/readyz', this.setting.process.url);
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  }

  /** Waits until all is well. Gives how long that took (ms); throws when it takes too long. */
  async heal(): Promise<number> {
    const began = performance.now();
    const before = this.done();
    for (;;) {
      const took = performance.now() - began;
      const isWell = this.done() >= before + WELL && (await this.askHealth()) === 200;
      if (isWell) return took;
      if (took > PATIENCE_MS)
        throw new Error(`not well ${PATIENCE_MS / 1000} s after the fault: ${this.told()}`);
      await sleep(STEP_MS);
    }
  }

  /** What writers were told, and how often. */
  private told(): string {
    const counts = new Map<string, number>();
    for (const { outcome } of this.attempts()) {
      const code =
        outcome.kind === 'unknown'
          ? codeOf(outcome.reason)
          : outcome.kind === 'refused'
            ? outcome.code
            : 'done';
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    return [...counts].map(([code, count]) => `${code} ${count}`).join(', ');
  }

  async end(): Promise<string> {
    this.isOver = true;
    await this.watching;
    const health = [...this.health].sort().join(' ');
    return `${this.told()}; longest without a write ${seconds(this.longestGap)}; health ${health}; peak ${this.peak.toFixed(0)} MiB`;
  }
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The codes of the errors of an answer; what the connection said where there was none. */
function codeOf(reason: string): string {
  return /"code":"([A-Z_]+)"/.exec(reason)?.[1] ?? reason.slice(0, 40);
}

function residentMiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has just been killed
  }
}
