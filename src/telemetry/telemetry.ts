import type { Log } from '../runtime/observation/log.js';
import type { Tracing } from '../runtime/observation/tracing.js';
import { OperationLog } from './operationLog.js';
import { OperationRecord } from './operationRecord.js';
import type { Metrics } from './metrics/metrics.js';

export interface TelemetrySettings {
  readonly log: Log;
  /** Not given: no figures are kept. */
  readonly metrics: Metrics | undefined;
  /** Null: no traces are kept. */
  readonly tracing: Tracing | null;
  /** An operation that takes longer is logged as slow (ms). */
  readonly slow: number;
}

/** What is seen of the requests of a process: its log, its figures and its traces are told of each. */
export class Telemetry {
  readonly metrics: Metrics | undefined;
  private readonly tracing: Tracing | null;
  private readonly log: OperationLog;

  constructor({ log, metrics, tracing, slow }: TelemetrySettings) {
    this.metrics = metrics;
    this.tracing = tracing;
    this.log = new OperationLog(log, slow);
  }

  /** A request to GraphQL has come. */
  begin(requestId: string, headers: Readonly<Record<string, unknown>>): OperationRecord {
    return new OperationRecord(requestId, this.tracing?.request(headers) ?? null);
  }

  /** Its answer has been sent. */
  end(record: OperationRecord): void {
    const { elapsed } = record;
    this.log.write(record, elapsed);
    this.metrics?.operationEnded(record, elapsed);
    record.end();
  }
}
