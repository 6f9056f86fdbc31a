import cluster, { type Worker } from 'node:cluster';
import type { Database } from '../database/database.js';
import { FeedWriter } from '../feed/writer.js';
import { systemClock } from '../runtime/clock.js';
import type { Report } from '../runtime/report.js';
import { ChangeRelay } from './changeRelay.js';
import { ClaimRelay } from './claimRelay.js';
import { tagged, untagged, type FromWorker, type ToWorker } from './messages.js';
import type { Serving } from './serving.js';
import { closeUndelivered } from './undelivered.js';

export interface PrimaryOptions {
  readonly count: number;
  /** The workers use it as well, by its URL. */
  readonly database: Database;
  /** Told of what fails in the background. */
  readonly report: Report;
  /** How long a worker may take to end when it is told to (ms). */
  readonly grace: number;
  readonly print: (line: string) => void;
  /** Called when workers cannot be started. */
  readonly fail: (reason: string) => void;
}

/** A worker that has served for so long (ms) is replaced at once when it dies. */
const LONG_ENOUGH_MS = 10_000;

/** The pause before another attempt doubles from the one to the other (ms) while workers die sooner. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** After so many attempts in a row with no worker left that serves, there is no use in going on. */
const MOST_ATTEMPTS = 5;

/** A worker and how far it has come. */
class Member {
  readonly began = Date.now();
  isReady = false;
  /** It was told to end. */
  isEnding = false;
  /** It is to take the place of another one as soon as it serves, and is not replaced itself. */
  isSpare = false;
  readonly ended: Promise<void>;
  /** Ends as true when it serves, as false when it ends before that. */
  readonly ready: Promise<boolean>;
  markReady!: () => void;

  constructor(readonly worker: Worker) {
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    const serves = new Promise<boolean>((resolve) => {
      this.markReady = () => {
        this.isReady = true;
        resolve(true);
      };
    });
    this.ready = Promise.race([serves, this.ended.then(() => false)]);
  }

  send(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.send(tagged(message), undefined, () => undefined);
  }
}

/**
 * The process that has workers, which are this program once more: it starts as many as it shall have, replaces those that die, reads
 * for all of them what has changed, and writes the claims of all of them. It serves nothing itself.
 */
export class Primary implements Serving {
  private readonly members = new Set<Member>();
  private readonly feed: FeedWriter;
  private readonly relay: ChangeRelay;
  private readonly claims: ClaimRelay;
  /** What every worker is to know that begins later. */
  private state: Pick<ToWorker, 'waiting' | 'begin'> = {};
  private attempts = 0;
  private isStopping = false;
  private rolling: Promise<void> = Promise.resolve();
  private readonly address: Promise<string>;
  private setAddress!: (address: string) => void;
  /** Ends when as many workers serve as there shall be, for the first time. */
  private readonly complete: Promise<void>;
  private setComplete!: () => void;
  private isComplete = false;

  constructor(private readonly options: PrimaryOptions) {
    const { database, report } = options;
    this.feed = new FeedWriter(database, report);
    this.relay = new ChangeRelay(database);
    this.claims = new ClaimRelay({ database, feed: this.feed, clock: systemClock });
    this.address = new Promise((resolve) => (this.setAddress = resolve));
    this.complete = new Promise((resolve) => {
      this.setComplete = () => {
        this.isComplete = true;
        resolve();
      };
    });
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  open(): Promise<string> {
    for (let count = 0; count < this.options.count; count++) this.fork();
    return this.address;
  }

  wait(reason: string): void {
    this.tell({ waiting: reason });
  }

  /** Ends when all workers serve. */
  async begin(isShared: boolean): Promise<void> {
    await this.relay.start();
    this.tell({ begin: { isShared } });
    await this.complete;
  }

  /** Replaces one worker after another, each when the new one serves. Gives up when one does not begin to. */
  roll(): Promise<void> {
    this.rolling = this.rolling.then(() => this.replaceAll());
    return this.rolling;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.members].map((member) => this.end(member)));
    this.feed.stop();
  }

  private get ready(): Member[] {
    return [...this.members].filter(({ isReady, isEnding }) => isReady && !isEnding);
  }

  private tell(message: Pick<ToWorker, 'waiting' | 'begin'>): void {
    this.state = message;
    for (const member of this.members) member.send(message);
  }

  private fork(): Member {
    const member = new Member(cluster.fork());
    this.members.add(member);
    closeUndelivered(member.worker);
    member.worker.on('message', (sent: unknown) => {
      const message = untagged<FromWorker>(sent);
      if (message !== null) this.receive(member, message);
    });
    member.worker.on('error', () => undefined); // of a channel whose worker is gone
    member.worker.once('exit', (code: number | null, signal: string | null) =>
      this.onExit(member, signal ?? `the code ${code}`),
    );
    return member;
  }

  private receive(member: Member, { hello, listening, ready, check, order }: FromWorker): void {
    if (hello) {
      this.relay.add(member);
      member.send({ listen: { databaseUrl: this.options.database.url }, ...this.state });
    }
    if (listening !== undefined) this.setAddress(listening);
    if (ready) this.onReady(member);
    if (check) this.relay.check(member, check);
    if (order) this.claims.receive(member, order);
  }

  private onReady(member: Member): void {
    member.markReady();
    if (this.isComplete) this.options.print(`worker ${member.worker.process.pid} serves`);
    else if (this.ready.length >= this.options.count) this.setComplete();
  }

  private onExit(member: Member, how: string): void {
    this.members.delete(member);
    this.relay.remove(member);
    this.claims.remove(member);
    if (this.isStopping || member.isEnding || member.isSpare) return;
    this.options.print(`worker ${member.worker.process.pid} ended with ${how}: another one is started`);
    if (member.isReady && Date.now() - member.began > LONG_ENOUGH_MS) {
      this.attempts = 0;
      return void this.fork();
    }
    if (++this.attempts >= MOST_ATTEMPTS && this.ready.length === 0)
      return this.options.fail(`workers end as soon as they are started: the last one with ${how}`);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.attempts - 1), LONGEST_PAUSE_MS);
    setTimeout(() => {
      if (!this.isStopping) this.fork();
    }, pause);
  }

  private async replaceAll(): Promise<void> {
    const { print } = this.options;
    for (const old of this.ready) {
      if (this.isStopping || !this.members.has(old)) continue;
      const fresh = this.fork();
      fresh.isSpare = true;
      if (!(await fresh.ready)) return print('a new worker does not start: the others go on');
      fresh.isSpare = false;
      await this.end(old);
    }
    if (!this.isStopping) print('all workers were replaced');
  }

  private async end(member: Member): Promise<void> {
    member.isEnding = true;
    member.send({ stop: true });
    const kill = setTimeout(() => member.worker.process.kill('SIGKILL'), this.options.grace);
    await member.ended;
    clearTimeout(kill);
  }
}
