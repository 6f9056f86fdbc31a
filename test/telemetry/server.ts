import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { inTransaction, WriteConflict } from '../../src/store/ledger/transaction.js';
import { createProcess, type Process } from '../../src/server/process.js';
import type { Tracing } from '../../src/model/observation.js';
import { createServer } from '../../src/server/server.js';
import { createLog, type LogSettings } from '../../src/server/telemetry/log.js';
import { Metrics } from '../../src/server/telemetry/telemetry.js';
import { lateBound } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { postJson } from '../support/httpPost.js';

export type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

interface ObservedSettings {
  readonly level?: LogSettings['level'];
  readonly slow?: number;
  readonly linesPerSecond?: number;
  readonly aggregates?: number;
  readonly tracing?: Tracing | null;
  readonly connections?: number;
  /** Whether the server also runs its background jobs. False in tests that count reads or connections. */
  readonly hasBackground?: boolean;
}

/** A real server that is observed in every way, and what is seen of it. */
export class ObservedServer {
  private constructor(
    readonly origin: string,
    readonly process: Process,
    private readonly folder: string,
    private readonly announce: (line: string) => void,
    readonly close: () => Promise<void>,
  ) {}

  static async start(databaseUrl: string, settings: ObservedSettings = {}): Promise<ObservedServer> {
    const {
      level = 'info',
      slow = 60_000,
      aggregates = 100,
      tracing = null,
      connections,
      linesPerSecond,
      hasBackground = true,
    } = settings;
    const folder = mkdtempSync(join(tmpdir(), 'placement-observed-'));
    const { log, announce } = createLog({ level, format: 'json' }, join(folder, 'log'));
    const database = openDatabase(databaseUrl, { connections });
    const metrics = new Metrics({ version: '1.2.3', aggregates });
    const process = createProcess(database, { log, metrics, tracing, slow, linesPerSecond });
    const start = async (): Promise<void> => void (await process.snapshots.current());
    const server = createServer(hasBackground ? process : { ...process, start });
    const { port } = await server.listen(0, '127.0.0.1');
    return new ObservedServer(`http://127.0.0.1:${port}`, process, folder, announce, async () => {
      await server.close();
      await database.close();
      rmSync(folder, { recursive: true });
    });
  }

  /** Sends a document, and waits for the end of the answer. */
  async ask(query: string, variables: object = {}, headers: Record<string, string> = {}) {
    const response = await postJson(`${this.origin}/graphql`, { query, variables }, headers);
    const text = await response.text();
    return { response, text, ...(JSON.parse(text) as { data: Record<string, unknown> | null }) };
  }

  /** A transaction that has a conflict, and succeeds when it is repeated. */
  async writeWithConflict(): Promise<void> {
    let isFirst = true;
    await inTransaction(this.process.ledger, () => {
      if (!isFirst) return Promise.resolve();
      isFirst = false;
      throw new WriteConflict('another writer was faster');
    });
  }

  /** All that has been logged so far. */
  async logText(): Promise<string> {
    const end = `so far ${performance.now()}`;
    this.announce(end);
    let text = '';
    while (!text.includes(end)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      text = readFileSync(join(this.folder, 'log'), 'utf8');
    }
    return text;
  }

  async lines(): Promise<Line[]> {
    const lines = (await this.logText()).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => !msg.startsWith('so far'));
  }

  /** The line of the request with this id: it is written when the answer has been sent, which its client may know sooner. */
  async lineOf(requestId: string): Promise<Line> {
    for (;;) {
      const line = (await this.lines()).find((each) => each.requestId === requestId && each.msg !== 'write');
      if (line !== undefined) return line;
    }
  }

  /** The value of a series of /metrics; undefined where there is none. */
  async metric(series: string): Promise<number | undefined> {
    return (await this.values([series]))[0];
  }

  async values(series: readonly string[]): Promise<(number | undefined)[]> {
    const lines = (await this.metrics()).split('\n').map((line) => line.split(/ (?=\S+$)/));
    const values = new Map(lines.map(([name, value]) => [name, Number(value)]));
    return series.map((each) => values.get(each));
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.origin}/metrics`)).text();
  }
}

interface Observed {
  readonly database: TestDatabase;
  readonly server: ObservedServer;
}

/**
 * Starts a database and an observed server before the tests of a file, and stops them afterwards. `prepare` is run
 * before the server starts, and returns its settings.
 */
export function useObservedServer(
  prepare: (database: TestDatabase) => Promise<ObservedSettings | void>,
): Observed {
  const started: { -readonly [Part in keyof Observed]?: Observed[Part] } = {};
  beforeAll(async () => {
    started.database = await testDatabase();
    const settings = await prepare(started.database);
    started.server = await ObservedServer.start(started.database.url, settings ?? {});
  });
  afterAll(async () => {
    await started.server?.close();
    await started.database?.close();
  });
  return lateBound(started as Observed);
}
