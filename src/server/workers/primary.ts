import cluster, { type Worker } from 'node:cluster';
import { isOf, type DatabaseState, type WorkerReady } from './messages.js';

/** A server at one address: a single process, or a primary with its workers. */
export interface Serving {
  /** Listens. Requests are rejected until {@link begin} has ended. Rejects if the address is in use. */
  open(): Promise<void>;
  /** Sets the reason with which requests are rejected. */
  wait(reason: string): void;
  /** Begins to serve requests; the database must be migrated. Returns the URL. */
  begin(): Promise<string>;
  /** Finishes the running requests and closes. */
  stop(): Promise<void>;
}

export interface PrimaryOptions {
  readonly count: number;
  readonly databaseUrl: string;
  /** The time that a worker may take to stop, in milliseconds. The primary then kills it. */
  readonly grace: number;
  readonly print: (line: string) => void;
  readonly fail: (reason: string) => void;
}

/** A worker that has served for this long (ms) is replaced immediately when it dies. */
const STABLE_MS = 10_000;

/** The pause before the next start (ms) doubles while workers die sooner. */
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** The server ends after this number of failed starts in a row if no worker serves. */
const MAX_ATTEMPTS = 5;

class Member {
  /** When the worker began to serve (ms). Null until then. */
  readyAt: number | null = null;
  isStopping = false;
  /** A spare replaces another worker once it serves. The primary does not restart a spare. */
  isSpare = false;
  readonly ended: Promise<void>;
  /** The URL at which the worker serves; null if it ends before it serves. */
  readonly ready: Promise<string | null>;

  constructor(readonly worker: Worker) {
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.ready = new Promise((resolve) => {
      worker.once('exit', () => resolve(null));
      worker.on('message', (message: unknown) => {
        if (!isOf<WorkerReady>(message, 'placement:ready')) return;
        this.readyAt = Date.now();
        resolve(message.url);
      });
    });
  }

  send(message: DatabaseState): void {
    if (this.worker.isConnected()) this.worker.send(message, undefined, () => undefined);
  }
}

/**
 * Starts `count` processes of this program that share the port, and restarts those that die. Each is an
 * ordinary server with a snapshot of its own. The primary serves nothing and holds no data for the workers.
 */
export class Primary implements Serving {
  private readonly members = new Set<Member>();
  /** Sent to each worker when it listens. Null until `wait` or `begin` is called. */
  private state: DatabaseState | null = null;
  private attempts = 0;
  private isStopping = false;
  private rolling: Promise<void> = Promise.resolve();
  /** Resolves to the URL when `count` workers serve for the first time. */
  private readonly complete: Promise<string>;
  private setComplete!: (url: string) => void;
  private isComplete = false;

  constructor(private readonly options: PrimaryOptions) {
    this.complete = new Promise((resolve) => (this.setComplete = resolve));
    // Workers accept connections themselves: none is lost in the primary when a worker dies or is stopped.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  open(): Promise<void> {
    for (let count = 0; count < this.options.count; count++) this.fork();
    return Promise.resolve();
  }

  wait(reason: string): void {
    this.publish(reason);
  }

  /** Resolves when all workers serve. */
  begin(): Promise<string> {
    this.publish(null);
    return this.complete;
  }

  /** Replaces the workers one after another, each once the new one serves. Stops if a new worker does not start. */
  roll(): Promise<void> {
    this.rolling = this.rolling.then(() => this.replaceAll());
    return this.rolling;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.members].map((member) => this.end(member)));
  }

  private get ready(): Member[] {
    return [...this.members].filter(({ readyAt, isStopping }) => readyAt !== null && !isStopping);
  }

  private publish(waiting: string | null): void {
    this.state = { type: 'placement:database', waiting };
    for (const member of this.members) member.send(this.state);
  }

  private fork(): Member {
    const member = new Member(cluster.fork({ DATABASE_URL: this.options.databaseUrl }));
    const { worker } = member;
    this.members.add(member);
    worker.once('listening', () => this.state !== null && member.send(this.state));
    worker.on('error', () => undefined); // the channel to a dead worker fails
    worker.once('exit', (code: number | null, signal: string | null) =>
      this.onExit(member, signal ?? `the code ${code}`),
    );
    void member.ready.then((url) => url !== null && this.onReady(member, url));
    return member;
  }

  private onReady({ worker }: Member, url: string): void {
    if (this.isComplete) return this.options.print(`worker ${worker.process.pid} serves`);
    this.isComplete = this.ready.length >= this.options.count;
    if (this.isComplete) this.setComplete(url);
  }

  private onExit(member: Member, how: string): void {
    this.members.delete(member);
    if (this.isStopping || member.isStopping || member.isSpare) return;
    this.options.print(`worker ${member.worker.process.pid} ended with ${how}: another one is started`);
    if (member.readyAt !== null && Date.now() - member.readyAt > STABLE_MS) {
      this.attempts = 0;
      return void this.fork();
    }
    if (++this.attempts >= MAX_ATTEMPTS && this.ready.length === 0)
      return this.options.fail(`workers end immediately after their start: the last one with ${how}`);
    const pause = Math.min(MIN_PAUSE_MS * 2 ** (this.attempts - 1), MAX_PAUSE_MS);
    setTimeout(() => {
      if (!this.isStopping) this.fork();
    }, pause);
  }

  private async replaceAll(): Promise<void> {
    const { print } = this.options;
    const replaced = this.ready;
    if (replaced.length === 0) return print('no worker serves yet: none was replaced');
    for (const old of replaced) {
      if (this.isStopping || !this.members.has(old)) continue;
      const fresh = this.fork();
      fresh.isSpare = true;
      if ((await fresh.ready) === null) return print('a new worker does not start: the others continue');
      // if the old worker died meanwhile, another one is started in its place
      if (!this.members.has(old)) {
        await this.end(fresh);
        continue;
      }
      fresh.isSpare = false;
      await this.end(old);
    }
    if (!this.isStopping) print('all workers were replaced');
  }

  private async end(member: Member): Promise<void> {
    member.isStopping = true;
    member.worker.process.kill('SIGTERM');
    const kill = setTimeout(() => member.worker.process.kill('SIGKILL'), this.options.grace);
    await member.ended;
    clearTimeout(kill);
  }
}
