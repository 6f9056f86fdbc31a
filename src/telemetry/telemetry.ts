import type { Log } from '../runtime/observation/log.js';
import type { Tracing } from '../runtime/observation/tracing.js';
import { OperationRecord, type Phases } from './operationRecord.js';
import type { Metrics } from './metrics/metrics.js';

export interface TelemetrySettings {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | null;
  /** An operation that takes longer is logged as slow (ms). */
  readonly slow: number;
}

/** Passes the requests of a process to its log, its metrics and its traces. */
export class Telemetry {
  readonly metrics: Metrics | undefined;
  private readonly tracing: Tracing | null;
  private readonly log: OperationLog;

  constructor({ log, metrics, tracing, slow }: TelemetrySettings) {
    this.metrics = metrics;
    this.tracing = tracing;
    this.log = new OperationLog(log, slow);
  }

  begin(requestId: string, headers: Readonly<Record<string, unknown>>): OperationRecord {
    return new OperationRecord(requestId, this.tracing?.request(headers) ?? null);
  }

  end(record: OperationRecord): void {
    const { elapsed } = record;
    this.log.write(record, elapsed);
    this.metrics?.operationEnded(record, elapsed);
    record.end();
  }
}

class OperationLog {
  private readonly isForAll: boolean;

  constructor(
    private readonly log: Log,
    /** The duration from which an operation is slow (ms). Subscriptions never are. */
    private readonly slow: number,
  ) {
    this.isForAll = log.isLevelEnabled('info');
  }

  write(record: OperationRecord, elapsed: number): void {
    if (this.isForAll) this.log.info(fieldsOf(record, elapsed), 'operation');
    if (elapsed <= this.slow || record.facts?.kind === 'subscription') return;
    const { documentText, phases } = record;
    const more = { text: documentText, phases: rounded(phases) };
    this.log.warn({ ...fieldsOf(record, elapsed), ...more }, 'slow operation');
  }
}

function fieldsOf(record: OperationRecord, elapsed: number) {
  const { requestId, facts, status, documentHash, user } = record;
  const { codes, cost, statements, rows, retries } = record.activity;
  return {
    requestId,
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

function rounded(phases: Phases): Record<string, number> {
  return Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, round(ms as number)]));
}

function round(milliseconds: number): number {
  return Math.round(1_000 * milliseconds) / 1_000;
}

/** Returns the phases as a Server-Timing header. */
export function serverTiming(record: OperationRecord): string {
  const durations = Object.entries({ ...rounded(record.phases), total: round(record.elapsed) });
  return durations.map(([name, ms]) => `${name};dur=${ms}`).join(', ');
}
