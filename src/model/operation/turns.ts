import { OWN_WORK, type Client, type Owner } from './client.js';

/** The wall clock and the monotonic clock of a process. */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It may jump. */
  now(): number;
  /** Milliseconds since some moment, for durations. It never jumps. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/**
 * Measures the processor time from now until all microtasks have run: promises that the caller resolves continue their
 * work in microtasks.
 *
 * @param receive receives the time (ms)
 */
function untilMicrotasksEnd(receive: (milliseconds: number) => void): void {
  const began = performance.now();
  // cheaper than queueMicrotask, which creates an AsyncResource
  void Promise.resolve().then(() => process.nextTick(() => receive(performance.now() - began)));
}

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

/**
 * Items that wait. The client that has used the least comes next. The owners of one client take turns, and the items
 * of one owner keep their order.
 */
export class Rotation<Item> {
  /** By client and owner. The next owner of a client comes first; so does the client that has waited longest. */
  private readonly waiting = new Map<string, Map<Owner, Item[]>>();
  private count = 0;

  /** @param shares what each client has used, by its id. Several rotations may share it. */
  constructor(private readonly shares = new Shares<string>()) {}

  get size(): number {
    return this.count;
  }

  /** How many clients have items. */
  get clients(): number {
    return this.waiting.size;
  }

  has(owner: Owner): boolean {
    return this.waiting.get(idOf(owner))?.has(owner) ?? false;
  }

  countOf({ id }: Client): number {
    const owners = this.waiting.get(id)?.values() ?? [];
    return [...owners].reduce((sum, { length }) => sum + length, 0);
  }

  add(owner: Owner, item: Item): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id) ?? new Map<Owner, Item[]>();
    this.waiting.set(id, owners);
    const items = owners.get(owner);
    if (items === undefined) owners.set(owner, [item]);
    else items.push(item);
    this.count++;
  }

  /** Returns the first owner that is ready, and its first item. */
  find(isReady: (owner: Owner) => boolean): readonly [owner: Owner, item: Item] | null {
    let found: readonly [owner: Owner, item: Item] | null = null;
    let least = Infinity;
    for (const [id, owners] of this.waiting) {
      const used = this.shares.usedBy(id);
      if (used >= least) continue;
      for (const [owner, items] of owners) {
        if (!isReady(owner)) continue;
        [found, least] = [[owner, items[0]], used];
        break;
      }
    }
    return found;
  }

  remove(owner: Owner, item: Item): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id)!;
    const items = owners.get(owner)!;
    items.splice(items.indexOf(item), 1);
    this.count--;
    if (items.length === 0) owners.delete(owner);
    if (owners.size === 0) this.waiting.delete(id);
  }

  /** Puts an owner behind the others of its client, and the client behind those that have used no more. */
  rotate(owner: Owner): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id);
    if (owners === undefined) return;
    const items = owners.get(owner);
    if (items !== undefined) {
      owners.delete(owner);
      owners.set(owner, items);
    }
    this.waiting.delete(id);
    this.waiting.set(id, owners);
  }

  /** Records what the client of an owner has used. */
  use(owner: Owner, amount: number): void {
    this.shares.use(idOf(owner), amount);
  }
}

function idOf({ client = OWN_WORK }: Owner): string {
  return client.id;
}

/** How long new tasks may occupy one turn of the event loop before further ones wait (ms). */
const FIRST_SLICE_MS = 5;

/** After a longer turn than this (ms), no task runs for REST_MS, so that short operations can end. */
const LONG_TURN_MS = 40;
const REST_MS = 5;

interface Task {
  /** Works for a few milliseconds. Returns true when the work is done. */
  readonly step: () => boolean;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Shares the processor between long tasks: one time slice for each turn of the event loop. The next slice is of the
 * client that has used the least processor time. The owners of one client take turns. The tasks of one owner run one
 * after another. A new task runs for one slice at once, unless other new tasks have used the turn up.
 *
 * Not all work can be sliced, so a turn may be long. An operation that reads from the database takes several turns.
 * A rest follows each long turn, so that not all of these are long.
 */
export class Turns {
  private readonly waiting: Rotation<Task>;
  /** How long new work has held up the present turn of the event loop (ms). */
  private spent = 0;
  private isScheduled = false;
  private needsRest = false;

  /** @param processor the processor time of each client (ms) */
  constructor(processor = new Shares<string>()) {
    this.waiting = new Rotation(processor);
  }

  /** Resolves when `step` has returned true. Rejects with its error or with the signal's reason. */
  async run(owner: Owner, step: () => boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.attempt(owner, step)) await this.turn(owner, step, signal);
  }

  /** Runs one slice now if it need not wait. Returns true when the work is done. */
  attempt(owner: Owner, step: () => boolean): boolean {
    if (this.spent >= FIRST_SLICE_MS || this.waiting.has(owner)) return false;
    const start = performance.now();
    try {
      return step();
    } finally {
      const used = performance.now() - start;
      this.spent += used;
      this.waiting.use(owner, used);
      this.schedule();
    }
  }

  /** Yields once to all other owners, between two parts of work that `run` does not slice. */
  pause(owner: Owner, signal?: AbortSignal): Promise<void> {
    return this.turn(owner, () => true, signal);
  }

  private turn(owner: Owner, step: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.add(owner, { step, signal, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.takeTurn());
  }

  private takeTurn(): void {
    this.spent = 0;
    if (this.needsRest) {
      this.needsRest = false;
      setTimeout(() => this.takeTurn(), REST_MS);
      return;
    }
    this.isScheduled = false;
    const next = this.waiting.find(() => true);
    if (next === null) return;
    this.watch();
    const [owner, task] = next;
    untilMicrotasksEnd((used) => this.waiting.use(owner, used));
    if (runSlice(task)) this.waiting.remove(owner, task);
    this.waiting.rotate(owner);
    if (this.waiting.size > 0) this.schedule();
  }

  /** Measures this turn of the event loop, including all other work in it. */
  private watch(): void {
    const began = performance.now();
    setImmediate(() => (this.needsRest = this.isScheduled && performance.now() - began > LONG_TURN_MS));
  }
}

/** Runs one slice of a task. Returns true when the task has ended. */
function runSlice({ step, signal, resolve, reject }: Task): boolean {
  try {
    signal?.throwIfAborted();
    if (!step()) return false;
    resolve();
  } catch (error) {
    reject(error);
  }
  return true;
}

/** How long new requests may occupy one turn of the event loop, of several clients and of one alone (ms). */
const SLICE_MS = 3;
const LONE_SLICE_MS = 20;

/** How long a client counts as present after a request (ms). */
const PRESENCE_MS = 10_000;

/** After a longer slice than this (ms), no request begins for LONG_SLICE_REST_MS: a new connection takes several turns. */
const LONG_SLICE_MS = 40;
const LONG_SLICE_REST_MS = 5;

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
      setTimeout(() => void this.nextSlice(), LONG_SLICE_REST_MS);
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
