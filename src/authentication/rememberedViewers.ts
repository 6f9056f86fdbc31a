import { LRUCache } from 'lru-cache';
import type { Viewer } from './viewer.js';

/** What the tokens that are remembered may take in memory, and about what a viewer takes (bytes). */
const MOST = 33_554_432;
const VIEWER_SIZE = 500;

/** The viewers of tokens that were verified lately, so that a request with one costs a look-up. What fails takes no room. */
export class RememberedViewers {
  private readonly viewers = new LRUCache<string, Viewer>({
    maxSize: MOST,
    sizeCalculation: (_, token) => token.length + VIEWER_SIZE,
    ttl: 1, // of each its own
  });
  /** Tokens that are being verified: requests with the same one share it. */
  private readonly underWay = new Map<string, Promise<Viewer>>();

  get(token: string): Viewer | undefined {
    return this.viewers.get(token);
  }

  /** The viewer of a token that is not remembered. @param longest for how long it may be then, unless it expires before (ms) */
  async find(
    token: string,
    longest: number,
    verify: (token: string) => Viewer | Promise<Viewer>,
  ): Promise<Viewer> {
    const running = this.underWay.get(token);
    if (running !== undefined) return running;
    const verified = (async () => verify(token))();
    this.underWay.set(token, verified);
    try {
      const viewer = await verified;
      const left = (viewer.expiresAt ?? Infinity) - Date.now();
      const ttl = Math.floor(Math.min(longest, left));
      if (ttl >= 1) this.viewers.set(token, viewer, { ttl });
      return viewer;
    } finally {
      this.underWay.delete(token);
    }
  }
}
