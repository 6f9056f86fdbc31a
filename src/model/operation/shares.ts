/** How many keys are remembered: those that were served last. */
const MOST = 1_000;

/**
 * Orders keys by how much each has used of something that they share. A key that used nothing for a while has no
 * advantage from it: it counts as one that has used as much as the key that was served last.
 */
export class Shares<Key> {
  private readonly used = new Map<Key, number>();
  /** The use of the key that was served last, before it was served. */
  private clock = 0;

  /** Returns what a key has used. The key with the least is served next. */
  usedBy(key: Key): number {
    return Math.max(this.clock, this.used.get(key) ?? 0);
  }

  /** Adds to what a key has used. */
  use(key: Key, amount: number): void {
    this.clock = this.usedBy(key);
    this.used.delete(key);
    this.used.set(key, this.clock + amount);
    if (this.used.size > MOST) this.used.delete(this.used.keys().next().value!);
  }
}
