import type { Database } from '../../database/database.js';
import type { FeedWriter } from '../../feed/writer.js';
import type { Log } from '../../runtime/observation/log.js';
import type { Report } from '../../runtime/report.js';
import { untilAborted } from '../../runtime/waiting.js';
import type { Loaded } from '../loaded.js';
import { FileLoad } from './loadFile.js';
import { setMark } from './mark.js';
import { NO_FILE, SnapshotFile } from './snapshotFile.js';

/** How often it is written (ms): several times while the feed keeps what has changed since, though nothing may have. */
const PAUSE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 30_000;

/** How long a process that ends may take for it (ms). */
const LONGEST_LAST_MS = 5_000;
/** A file that is no older than this (ms) is good enough for a process that ends: another worker has just written it. */
const FRESH_MS = 5_000;

/** What a kept snapshot is of, and who hears of it. */
interface Parts {
  readonly database: Database;
  readonly feed: FeedWriter;
  readonly log: Log;
  readonly report: Report;
}

/** The snapshot of a process as it is kept in a file, which several processes may share. What cannot be read or written does no harm. */
export class KeptSnapshot {
  private readonly file: SnapshotFile;
  private read: (() => Promise<Loaded>) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  private toldReason = '';
  private isFailing = false;
  private isStopped = false;

  constructor(
    path: string,
    private readonly parts: Parts,
    /** What was begun to read of it before, which the first load goes on with. */
    private early: FileLoad | null = null,
  ) {
    this.file = new SnapshotFile(path);
  }

  /** The kept snapshot, brought up to date; null where it is not to be relied on, or that fails: the reason is logged. */
  async load(): Promise<Loaded | null> {
    const { log } = this.parts;
    const began = performance.now();
    try {
      const loaded = await (await this.begun()).finish();
      log.info({ milliseconds: Math.round(performance.now() - began) }, 'the snapshot was in its file');
      return loaded;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // once, though it is tried again while the database is waited for
      if (reason !== this.toldReason && reason !== NO_FILE)
        log.info({ reason }, 'the snapshot in its file is not used');
      this.toldReason = reason;
      return null;
    }
  }

  /** Writes what `read` gives every few minutes from now on. */
  start(read: () => Promise<Loaded>): void {
    this.read = read;
    this.schedule(FIRST_PAUSE_MS, read);
  }

  /** Begins to write no more. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Writes it for the last time, if it was ever there and that does not take long. */
  async finish(): Promise<void> {
    const { read } = this;
    this.stop();
    this.read = null;
    if (read === null) return;
    const signal = AbortSignal.timeout(LONGEST_LAST_MS);
    await untilAborted(signal, this.saving).catch(() => undefined);
    await this.save(read, FRESH_MS, signal);
  }

  private async begun(): Promise<FileLoad> {
    const { early } = this;
    this.early = null;
    return early !== null && (await early.isUsable())
      ? early
      : FileLoad.begin(this.parts.database, this.file);
  }

  private schedule(pause: number, read: () => Promise<Loaded>): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.saving = this.save(read, PAUSE_MS / 2);
      void this.saving.then(() => this.schedule(PAUSE_MS, read));
    }, pause).unref();
  }

  /** Writes it unless the file is no older than so (ms). Never rejects; the first of several failures in a row is reported. */
  private async save(read: () => Promise<Loaded>, fresh: number, signal?: AbortSignal): Promise<void> {
    try {
      if ((await this.file.age()) > fresh) await untilAborted(signal, this.write(read, signal));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.parts.report(error, 'keeping the snapshot in its file');
      this.isFailing = true;
    }
  }

  private async write(read: () => Promise<Loaded>, signal?: AbortSignal): Promise<void> {
    const { feed, database } = this.parts;
    const { snapshot, position } = await read();
    // behind what the snapshot has: whatever database has the mark has had that
    const mark = await setMark(feed, database.pool);
    await this.file.write({ fleet: snapshot, position, mark }, signal);
  }
}
