import type { Connection } from 'mariadb';
import type { Database } from '../../database/database.js';
import { onConnection } from '../../database/onConnection.js';
import { holdServerLock } from '../../database/cluster/serverLock.js';
import { systemClock, type Clock } from '../../runtime/clock.js';
import type { Report } from '../../runtime/report.js';
import type { LiveSnapshot, RecordChanges } from '../liveSnapshot.js';
import { BinaryLog } from './binaryLog.js';
import type { ChecksumKind } from './checksums.js';
import { Comparison } from './comparison.js';
import { nextSlice, type Slice } from './idRange.js';

export interface ForeignWritesSettings {
  /** Within how many milliseconds writes of programs are to be seen that do not write the change feed; 30,000 unless said otherwise. */
  readonly seenWithin?: number;
  /** To read the binary log of the database server too, where that is possible: such writes are then seen at once. */
  readonly binaryLog?: boolean;
}

const SEEN_WITHIN = 30_000;

/** Of the time within which writes are to be seen; the rest is for comparing and recording. */
const SHARE_OF_PASS = 0.75;

/** The pause behind a slice, in the time that the slice took: so the database is not kept busy by it, however large the fleet. */
const PAUSE_AT_LEAST = 3;

/**
 * Finds what programs have changed that do not write the change feed, such as an OpenStack Placement on the same database: compares the
 * database with the snapshot again and again, a slice of the providers at a time, and at once what the binary log names, if that is read.
 * Of several processes on a database server one does it.
 */
export class Reconciliation {
  private readonly comparison: Comparison;
  private readonly binaryLog: BinaryLog;
  private toldOfBinaryLog = '';
  private isStopped = false;
  private readonly passes = { providers: new Pass(), usage: new Pass() };

  constructor(
    private readonly database: Database,
    live: LiveSnapshot,
    recordChanges: RecordChanges,
    private readonly report: Report,
    private readonly settings: ForeignWritesSettings = {},
    private readonly clock: Clock = systemClock,
  ) {
    this.comparison = new Comparison(live, recordChanges);
    this.binaryLog = new BinaryLog(
      database,
      (ids) => this.comparison.compareProviders(database.pool, ids),
      (error) => this.tellOfBinaryLog(error),
    );
  }

  /**
   * Compares the next slice of the providers by their checksums of a kind, unless another process does so; gives the pause until the
   * next one (ms).
   */
  async step(kind: ChecksumKind): Promise<number> {
    const begin = this.clock.elapsed();
    const isOurs = await onConnection(
      this.database,
      async (connection) => {
        const hasLock = await holdServerLock(connection, 'reconciliation');
        await this.useBinaryLog(hasLock);
        if (hasLock) await this.compareNext(connection, kind);
        return hasLock;
      },
      { pool: this.database.background },
    );
    const took = this.clock.elapsed() - begin;
    const pace = this.passTime / this.passes[kind].slicesInAll;
    return isOurs ? Math.max(PAUSE_AT_LEAST * took, pace - took) : this.passTime;
  }

  /** How long the first step may wait (ms): what has just been loaded is up to date, but the binary log is not read yet. */
  get firstPause(): number {
    return this.settings.binaryLog === true ? 0 : this.passTime;
  }

  /** Reads the binary log no more. */
  stop(): void {
    this.isStopped = true;
    this.binaryLog.close();
  }

  /** How long a pass over all providers is to take (ms). */
  private get passTime(): number {
    const { seenWithin = SEEN_WITHIN } = this.settings;
    return SHARE_OF_PASS * (this.binaryLog.isOpen ? Math.max(SEEN_WITHIN, seenWithin) : seenWithin);
  }

  private async useBinaryLog(hasLock: boolean): Promise<void> {
    if (!hasLock || this.isStopped) return this.binaryLog.close();
    if (this.settings.binaryLog !== true || this.binaryLog.isOpen) return;
    try {
      await this.binaryLog.open();
      for (const pass of Object.values(this.passes)) pass.begin(); // what was written before is not read there
    } catch (error) {
      this.tellOfBinaryLog(error);
    }
  }

  /** Tells of each reason once: it is tried again with each step, and the comparison goes on without. */
  private tellOfBinaryLog(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.toldOfBinaryLog) return;
    this.toldOfBinaryLog = message;
    this.report(error, 'reading the binary log of the database server');
  }

  private async compareNext(connection: Connection, kind: ChecksumKind): Promise<void> {
    const pass = this.passes[kind];
    if (kind === 'providers' && pass.after === 0) await this.comparison.compareCatalog(connection);
    const slice = await nextSlice(connection, pass.after);
    await this.comparison.compare(connection, kind, slice);
    pass.follow(slice);
  }
}

/** How far a pass over all providers has come. */
class Pass {
  /** Where the next slice begins. */
  after = 0;
  /** In the last whole pass. */
  slicesInAll = 1;
  private slices = 0;

  begin(): void {
    this.after = 0;
    this.slices = 0;
  }

  follow({ last, isEnd }: Slice): void {
    this.after = last;
    this.slices++;
    if (!isEnd) return;
    this.slicesInAll = this.slices;
    this.begin();
  }
}
