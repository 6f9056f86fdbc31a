import { setTimeout as sleep } from 'node:timers/promises';
import { subscribe } from '../support/events.js';

/** Follows all changes, and comes back with its cursor whenever its stream ends. */
export class Follower {
  /** How often it has come back. */
  returns = 0;
  private readonly seen = new Set<string>();
  private isStopped = false;
  private close: () => void = () => undefined;

  private constructor(private readonly url: string) {}

  /** Ends when nothing is missed that is committed from now on. */
  static async start(url: string): Promise<Follower> {
    const follower = new Follower(url);
    await new Promise<void>((resolve) => void follower.follow(resolve));
    return follower;
  }

  stop(): void {
    this.isStopped = true;
    this.close();
  }

  missing(events: readonly string[]): string[] {
    return events.filter((event) => !this.seen.has(event));
  }

  hasSeen(events: readonly string[]): boolean {
    return this.missing(events).length === 0;
  }

  private async follow(onBegin: () => void): Promise<void> {
    for (let since: string | null = null; !this.isStopped; this.returns++) {
      try {
        const stream = await subscribe(this.url, { since });
        this.close = () => stream.close();
        onBegin();
        for (;;) {
          const { uuid, generation, cursor } = await stream.next();
          this.seen.add(`${uuid} ${generation}`);
          since = cursor;
        }
      } catch {
        await sleep(50);
      }
    }
  }
}
