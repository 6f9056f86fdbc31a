import type { Log } from '../../model/observation/log.js';
import type { Tracing } from '../../model/observation/tracing.js';
import { OperationRecord } from './operationRecord.js';
import type { Metrics } from './metrics/metrics.js';

export interface TelemetrySettings {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | null;
  /** An operation that takes longer is logged as slow (ms), except subscriptions. */
  readonly slow: number;
  /** The maximum number of fast, successful operations that are logged in a second. */
  readonly linesPerSecond: number;
}

/** Passes the requests of a process to its log, its metrics and its traces. */
export class Telemetry {
  readonly metrics: Metrics | undefined;
  private readonly isLogged: boolean;
  private second = 0;
  private lines = 0;
  /** How many operations the log omitted since the last line. */
  private omitted = 0;

  constructor(private readonly settings: TelemetrySettings) {
    this.metrics = settings.metrics;
    this.isLogged = settings.log.isLevelEnabled('info');
  }

  begin(requestId: string, headers: Readonly<Record<string, unknown>>): OperationRecord {
    return new OperationRecord(requestId, this.settings.tracing?.request(headers) ?? null);
  }

  end(record: OperationRecord): void {
    const { elapsed } = record;
    this.log(record, elapsed);
    this.metrics?.operationEnded(record, elapsed);
    record.end();
  }

  /** Logs slow operations also with a warning. Omits fast, successful ones beyond a rate. */
  private log(record: OperationRecord, elapsed: number): void {
    const { log, slow } = this.settings;
    const isSlow = elapsed > slow && record.facts?.kind !== 'subscription';
    if (this.isLogged && (isSlow || hasFailed(record) || this.isWithinRate())) {
      const omitted = this.omitted > 0 ? this.omitted : undefined;
      log.info({ ...fieldsOf(record, elapsed), omitted }, 'operation');
      this.omitted = 0;
    }
    if (!isSlow) return;
    const { documentText, phases } = record;
    const more = { text: documentText, phases: rounded(phases) };
    log.warn({ ...fieldsOf(record, elapsed), ...more }, 'slow operation');
  }

  private isWithinRate(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.second) [this.second, this.lines] = [second, 0];
    const isWithin = this.lines++ < this.settings.linesPerSecond;
    if (!isWithin) this.omitted++;
    return isWithin;
  }
}

function hasFailed({ status, activity }: OperationRecord): boolean {
  return status >= 400 || activity.codes.length > 0;
}

function fieldsOf(record: OperationRecord, elapsed: number) {
  const { requestId, globalRequestId, facts, status, documentHash, user } = record;
  const { codes, cost, statements, rows, retries } = record.activity;
  return {
    requestId,
    globalRequestId: globalRequestId ?? undefined,
    operation: facts?.name ?? undefined,
    kind: facts?.kind,
    document: documentHash ?? undefined,
    ms: round(elapsed),
    status,
    codes: codes.length > 0 ? codes : undefined,
    cost,
    statements,
    rows,
    retries,
    user: user ?? undefined,
  };
}

function rounded(phases: OperationRecord['phases']): Record<string, number> {
  return Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, round(ms)]));
}

function round(milliseconds: number): number {
  return Math.round(1_000 * milliseconds) / 1_000;
}

/** Returns the phases as a Server-Timing header. */
export function serverTiming(record: OperationRecord): string {
  const durations = Object.entries({ ...rounded(record.phases), total: round(record.elapsed) });
  return durations.map(([name, ms]) => `${name};dur=${ms}`).join(', ');
}
