import type { Client, Owner } from './client.js';
import { untilMicrotasksEnd } from './processorTime.js';
import { Rotation } from './rotation.js';
import { Shares } from './shares.js';

/** How long new requests may occupy one turn of the event loop, of several clients and of one alone (ms). */
const SLICE_MS = 3;
const LONE_SLICE_MS = 20;

/** How long a client counts as present after a request (ms). */
const PRESENCE_MS = 10_000;

/** After a longer slice than this (ms), no request begins for REST_MS: a new connection takes several turns. */
const LONG_SLICE_MS = 40;
const REST_MS = 5;

/**
 * Begins requests in time slices. Without it, one turn of the event loop would begin all requests that have
 * arrived, and the request of one client would wait for all those of another. The next request is of the client that
 * has used the least processor time: a document can take a tenth of a second before its operation begins. The
 * connections of one client take turns.
 */
export class Arrivals {
  private readonly waiting: Rotation<() => void>;
  private readonly owners = new WeakMap<object, Owner>();
  /** When the slice of this turn of the event loop began; null before its first request. */
  private sliceStart: number | null = null;
  private lastClient: string | null = null;
  /** When a request last came from a different client than the previous request. */
  private lastChange = -Infinity;

  /** @param processor the processor time of each client (ms) */
  constructor(processor = new Shares<string>()) {
    this.waiting = new Rotation(processor);
  }

  /** Resolves when a request may begin. Null if it may begin now. */
  turn(client: Client, connection: object): Promise<void> | null {
    this.notice(client);
    const owner = this.ownerOf(client, connection);
    if (this.sliceStart === null) this.startSlice();
    if (this.waiting.size === 0 && !this.isSliceOver) {
      untilMicrotasksEnd((used) => this.waiting.use(owner, used));
      return null;
    }
    return new Promise((begin) => this.waiting.add(owner, begin));
  }

  private notice({ id }: Client): void {
    if (this.lastClient !== null && id !== this.lastClient) this.lastChange = performance.now();
    this.lastClient = id;
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
    const now = performance.now();
    const isShared = now - this.lastChange < PRESENCE_MS;
    return now - this.sliceStart! > (isShared ? SLICE_MS : LONE_SLICE_MS);
  }

  private startSlice(): void {
    this.sliceStart = performance.now();
    setImmediate(() => void this.nextSlice());
  }

  private async nextSlice(): Promise<void> {
    const isLong = performance.now() - this.sliceStart! > LONG_SLICE_MS;
    if (isLong && this.waiting.size > 0) {
      this.sliceStart = performance.now();
      setTimeout(() => void this.nextSlice(), REST_MS);
      return;
    }
    this.sliceStart = null;
    if (this.waiting.size === 0) return;
    this.startSlice();
    while (this.waiting.size > 0 && !this.isSliceOver) {
      const [owner, begin] = this.waiting.find(() => true)!;
      this.waiting.remove(owner, begin);
      this.waiting.rotate(owner);
      begin();
      // resumes after the work that the request does before it first waits
      await new Promise<void>((resolve) =>
        untilMicrotasksEnd((used) => {
          this.waiting.use(owner, used);
          resolve();
        }),
      );
    }
  }
}
