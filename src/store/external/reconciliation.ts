import type { Connection } from 'mariadb';
import type { Database } from '../database/database.js';
import { onConnection } from '../database/onConnection.js';
import { holdServerLock } from '../migrations/migrationLock.js';
import { systemClock, type Clock } from '../../model/operation/turns.js';
import type { Report } from '../../model/operation/report.js';
import { CATALOG } from '../../model/recordedChanges.js';
import type { LiveSnapshot } from '../live/liveSnapshot.js';
import { BinaryLog } from './binaryLog.js';
import { type ChecksumKind, isCatalogUnlike, nextSlice, providersUnlike, SLICE_SIZE } from './checksums.js';

export interface ForeignWritesSettings {
  /** The time in which writes without the change feed have to be found (ms). Defaults to 30,000. */
  readonly seenWithin?: number;
  /** Whether to read the binary log of the database server, so that such writes are found immediately. */
  readonly binaryLog?: boolean;
}

const SEEN_WITHIN = 30_000;

/** The share of `seenWithin` that a pass takes; the rest is for comparing and recording. */
const PASS_SHARE = 0.75;

/** A process without the lock compares a slice in one of this many steps. */
const STEPS_WITHOUT_LOCK = 10;

/** The minimum pause after a slice, in multiples of the slice's time: it bounds the load on the database. */
const MIN_PAUSE = 3;

/**
 * Finds changes by programs that do not write the change feed, such as an OpenStack Placement.
 * Checksums and the binary log name the providers that may have changed; `LiveSnapshot.recheck` reads, compares and
 * records them. Checksums take one slice of providers at a time. One process per database server does this, under a lock.
 *
 * It also records the changes that its snapshot has read together with recorded ones. The others compare their own
 * snapshots less often: that of the holder may have read a change when it was loaded, without recording it.
 */
export class Reconciliation {
  private readonly binaryLog: BinaryLog;
  private reportedProblem = '';
  private isStopped = false;
  /** The end of the last slice by kind; 0 at the beginning of a pass. */
  private readonly after: Record<ChecksumKind, number> = { providers: 0, usage: 0 };
  /** The number of steps without the lock since the last comparison, by kind. */
  private readonly skipped: Record<ChecksumKind, number> = { providers: 0, usage: 0 };

  constructor(
    private readonly database: Database,
    private readonly live: LiveSnapshot,
    private readonly report: Report,
    private readonly settings: ForeignWritesSettings = {},
    private readonly clock: Clock = systemClock,
  ) {
    this.binaryLog = new BinaryLog(database, live, (error) => this.reportBinaryLog(error), clock);
  }

  /**
   * Compares the next slice, or does so in one of several steps if another process has the lock. Returns the pause
   * before the next step (ms).
   */
  async step(kind: ChecksumKind): Promise<number> {
    const begin = this.clock.elapsed();
    await onConnection(
      this.database,
      async (connection) => {
        const hasLock = await holdServerLock(connection, 'reconciliation');
        await this.useBinaryLog(hasLock);
        const isDue = hasLock || ++this.skipped[kind] === STEPS_WITHOUT_LOCK;
        if (!isDue) return;
        this.skipped[kind] = 0;
        await this.compareNext(connection, kind);
        if (hasLock) await this.live.recordAbsorbed();
        else this.live.forgetAbsorbed();
      },
      { pool: this.database.background },
    );
    const took = this.clock.elapsed() - begin;
    return Math.max(MIN_PAUSE * took, this.pace - took);
  }

  /** The pause before the first step (ms): the snapshot was just loaded, but the binary log is not open yet. */
  get firstPause(): number {
    return this.settings.binaryLog === true ? 0 : this.pace;
  }

  stop(): void {
    this.isStopped = true;
    this.binaryLog.close();
  }

  /** The time from one slice to the next (ms). Known before the first pass, from the size of the snapshot. */
  private get pace(): number {
    const { seenWithin = SEEN_WITHIN } = this.settings;
    const passTime = PASS_SHARE * (this.binaryLog.isOpen ? Math.max(SEEN_WITHIN, seenWithin) : seenWithin);
    const blocks = this.live.latest?.snapshot.blocks ?? [];
    const providers = blocks.reduce((sum, { ids }) => sum + ids.length, 0);
    return passTime / Math.max(1, Math.ceil(providers / SLICE_SIZE));
  }

  private async useBinaryLog(hasLock: boolean): Promise<void> {
    if (!hasLock || this.isStopped) return this.binaryLog.close();
    if (this.settings.binaryLog !== true || this.binaryLog.isOpen) return;
    try {
      await this.binaryLog.open();
      if (this.isStopped) return this.binaryLog.close();
      this.after.providers = this.after.usage = 0; // finds what was written before the log was open
    } catch (error) {
      this.reportBinaryLog(error);
    }
  }

  /** Reports each problem once, because every step tries again. The comparison continues without the log. */
  private reportBinaryLog(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.reportedProblem) return;
    this.reportedProblem = message;
    this.report(error, 'reading the binary log of the database server');
  }

  private async compareNext(connection: Connection, kind: ChecksumKind): Promise<void> {
    const after = this.after[kind];
    const current = () => this.live.current();
    if (kind === 'providers' && after === 0 && (await isCatalogUnlike(connection, current)))
      await this.live.recheck(new Set([CATALOG]));
    const slice = await nextSlice(connection, after);
    await this.live.recheck(new Set(await providersUnlike(connection, kind, slice, current)));
    this.after[kind] = slice.isEnd ? 0 : slice.last;
  }
}
