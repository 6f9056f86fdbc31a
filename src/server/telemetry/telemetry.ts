import { LRUCache } from 'lru-cache';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Observer, Log, Tracing } from '../../model/observation.js';
import { clusterText, joinCluster } from './metrics/clusterMetrics.js';
import { FleetFigures, addFleetGauges } from './metrics/fleetGauges.js';
import { OperationRecord } from './log.js';
import { addProcessGauges, PREFIX, type ProcessState } from './metrics/processGauges.js';

export interface MetricsSettings {
  readonly version: string;
  readonly aggregates: number;
}

/** The maximum number of operation names with their own series: clients choose the names. */
const MAX_NAMES = 100;
/** An operation name loses its series after this time without use (ms). */
const NAME_TTL_MS = 3_600_000;
const NO_NAME = '';
const OTHER_NAME = 'other';

/** The buckets of histograms: in seconds, in units of effort, and in claims. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const EFFORTS = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface OperationLabels {
  readonly kind: string;
  readonly operation: string;
  readonly status: number;
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export class Metrics implements Observer {
  readonly registry = new Registry();
  private readonly names = new LRUCache<string, Map<string, OperationLabels>>({
    max: MAX_NAMES + 1,
    ttl: NAME_TTL_MS,
    updateAgeOnGet: true,
    dispose: (series) => {
      for (const labels of series.values()) this.operations.remove(labels);
    },
  });

  private readonly operations = this.counter(
    'operations_total',
    'GraphQL operations that ended, by kind, name and HTTP status.',
    ['kind', 'operation', 'status'],
  );
  private readonly errors = this.counter(
    'operation_errors_total',
    'Errors of responses and rejections of mutations, by code.',
    ['code'],
  );
  private readonly durations = this.histogram(
    'operation_duration_seconds',
    'Time from the arrival of an operation to the end of its response, without subscriptions.',
    ['kind'],
  );
  private readonly fieldDurations = this.histogram(
    'field_duration_seconds',
    'The same time, by each root field that the operation selects.',
    ['field'],
  );
  private readonly efforts = this.histogram(
    'search_effort',
    'The work of the searches of an operation, in steps of roughly a microsecond.',
    [],
    EFFORTS,
  );
  private readonly statements = this.counter(
    'operation_statements_total',
    'Database statements of operations. A shared statement counts for each operation.',
  );
  private readonly responses = this.counter(
    'http_responses_total',
    'HTTP responses of every kind, probes and rejections included, by status.',
    ['status'],
  );
  private readonly retries = this.counter(
    'transaction_retries_total',
    'Transactions that were repeated after a conflict, or because the database was unavailable.',
    ['reason'],
  );
  private readonly claims = this.counter(
    'claims_total',
    'Claims and other writes of allocations: written, rejected by the rules, or failed.',
    ['outcome'],
  );
  private readonly cutAnswers = this.counter(
    'rest_candidates_cut_total',
    'Answers of GET /allocation_candidates without all candidates, because of the setting rest.candidates.',
  );
  private readonly batches = this.histogram(
    'claim_batch_size',
    'Claims that shared a transaction.',
    [],
    BATCHES,
  );
  private readonly snapshotReads = this.histogram(
    'snapshot_read_duration_seconds',
    'Loads of the whole snapshot, checks that found it current, and refreshes by what had changed.',
    ['kind'],
  );
  private readonly dropped = this.counter(
    'log_bytes_dropped_total',
    'Bytes of the log that were dropped because no program read it fast enough.',
  );

  constructor(private readonly settings: MetricsSettings) {}

  addRuntime(): this {
    collectDefaultMetrics({ register: this.registry });
    joinCluster(this.registry);
    return this;
  }

  watch(state: ProcessState): void {
    addProcessGauges(this.registry, state, this.settings.version);
    addFleetGauges(this.registry, new FleetFigures(state, this.settings.aggregates));
  }

  /** Exports series before their first event: `increase` does not count the event that creates a series. */
  startAtZero(errorCodes: Iterable<string>): void {
    for (const kind of ['query', 'mutation', 'subscription'])
      this.operations.inc({ kind, operation: NO_NAME, status: 200 }, 0);
    for (const kind of ['query', 'mutation']) this.durations.zero({ kind });
    for (const code of errorCodes) this.errors.inc({ code }, 0);
    for (const status of [200, 500, 503]) this.responses.inc({ status }, 0);
    for (const reason of ['conflict', 'unavailable']) this.retries.inc({ reason }, 0);
    for (const outcome of ['written', 'rejected', 'failed']) this.claims.inc({ outcome }, 0);
    for (const kind of ['load', 'check', 'refresh']) this.snapshotReads.zero({ kind });
  }

  /** Returns the metrics of all processes of the cluster in the text format of Prometheus. */
  text(): Promise<string> {
    return clusterText() ?? this.registry.metrics();
  }

  operationEnded({ facts, status, activity }: OperationRecord, elapsed: number): void {
    const seconds = elapsed / 1_000;
    const kind = facts?.kind ?? 'none';
    this.countOperation(kind, facts?.name ?? null, status);
    for (const code of activity.codes) this.errors.inc({ code });
    if (activity.statements > 0) this.statements.inc(activity.statements);
    if (activity.effort > 0) this.efforts.observe(activity.effort);
    if (facts === null || kind === 'subscription') return;
    this.durations.observe({ kind }, seconds);
    for (const field of facts.fields) this.fieldDurations.observe({ field }, seconds);
  }

  responseSent(status: number): void {
    this.responses.inc({ status });
  }

  logDropped(bytes: number): void {
    this.dropped.inc(bytes);
  }

  transactionRetried(reason: 'conflict' | 'unavailable'): void {
    this.retries.inc({ reason });
  }

  claimsTried(claims: number): void {
    this.batches.observe(claims);
  }

  claimEnded(outcome: 'written' | 'rejected' | 'failed'): void {
    this.claims.inc({ outcome });
  }

  candidatesCut(): void {
    this.cutAnswers.inc();
  }

  snapshotRead(kind: 'load' | 'check' | 'refresh', seconds: number): void {
    this.snapshotReads.observe({ kind }, seconds);
  }

  private countOperation(kind: string, name: string | null, status: number): void {
    if (name === null) return this.operations.inc({ kind, operation: NO_NAME, status });
    let series = this.names.get(name);
    if (series === undefined) {
      if (this.names.size >= MAX_NAMES) this.names.purgeStale();
      if (this.names.size >= MAX_NAMES) return this.operations.inc({ kind, operation: OTHER_NAME, status });
      this.names.set(name, (series = new Map()));
    }
    const labels = { kind, operation: name, status };
    series.set(`${kind} ${status}`, labels);
    this.operations.inc(labels);
  }

  private counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.registry] });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = DURATIONS,
  ) {
    return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [this.registry] });
  }
}

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
