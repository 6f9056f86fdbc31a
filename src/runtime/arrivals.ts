import type { Client, Owner } from './client.js';
import { Rotation } from './rotation.js';

/** How long new requests may occupy one turn of the event loop (ms). */
const SLICE_MS = 3;

/** How long a client counts as present after a request (ms). While one client alone is present, nothing waits. */
const PRESENCE_MS = 10_000;

/**
 * Begins requests in time slices. Without it, one turn of the event loop would begin all requests that have
 * arrived, and the request of one client would wait for all those of another. Waiting clients take turns, and so do
 * the connections of one client.
 */
export class Arrivals {
  private readonly waiting = new Rotation<() => void>();
  private readonly owners = new WeakMap<object, Owner>();
  /** When the slice of this turn of the event loop began; null before its first request. */
  private sliceStart: number | null = null;
  private lastClient: string | null = null;
  /** When a request last came from a different client than the previous request. */
  private lastChange = -Infinity;

  /** Resolves when a request may begin. Null if it may begin now. */
  turn(client: Client, connection: object): Promise<void> | null {
    if (!this.isShared(client)) return null;
    if (this.sliceStart === null) this.startSlice();
    if (this.waiting.size === 0 && !this.isSliceOver) return null;
    return new Promise((begin) => this.waiting.add(this.ownerOf(client, connection), begin));
  }

  private isShared({ id }: Client): boolean {
    const now = performance.now();
    if (this.lastClient !== null && id !== this.lastClient) this.lastChange = now;
    this.lastClient = id;
    return now - this.lastChange < PRESENCE_MS;
  }

  /** Returns the owner of the requests of one client on one connection. A proxy may send those of several clients. */
  private ownerOf(client: Client, connection: object): Owner {
    const known = this.owners.get(connection);
    if (known?.client?.id === client.id) return known;
    const owner = { client };
    this.owners.set(connection, owner);
    return owner;
  }

  private get isSliceOver(): boolean {
    return performance.now() - this.sliceStart! > SLICE_MS;
  }

  private startSlice(): void {
    this.sliceStart = performance.now();
    setImmediate(() => void this.nextSlice());
  }

  private async nextSlice(): Promise<void> {
    this.sliceStart = null;
    if (this.waiting.size === 0) return;
    this.startSlice();
    while (this.waiting.size > 0 && !this.isSliceOver) {
      const [owner, begin] = this.waiting.find(() => true)!;
      this.waiting.remove(owner, begin);
      this.waiting.rotate(owner);
      begin();
      // resumes after the work that the request does before it first waits
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
  }
}
