/** Measures the total time in which at least one of several concurrent runs is active. */
class Stopwatch {
  private running = 0;
  private since = 0;
  private total = 0;

  start(): void {
    if (this.running++ === 0) this.since = performance.now();
  }

  stop(): void {
    if (--this.running === 0) this.total += performance.now() - this.since;
  }

  /** Measures the wait for work that has begun. */
  during<T>(work: Promise<T>): Promise<T> {
    this.start();
    return work.finally(() => this.stop());
  }

  /** The total time until now (ms). */
  get elapsed(): number {
    return this.running === 0 ? this.total : this.total + performance.now() - this.since;
  }
}

/** The work and the time of one operation until now. The modules that do the work update it. */
export class Activity {
  /** Statements sent to the database. A shared statement counts for each operation. */
  statements = 0;
  /** Rows that the database has returned. */
  rows = 0;
  /** Retries of transactions. */
  retries = 0;
  /** The work of searches, in units of roughly a microsecond. */
  effort = 0;
  /** The cost of the operation. It is set when the operation ends. */
  cost = 0;
  /** The codes of errors, and of rejections that are returned as data. */
  readonly codes: string[] = [];
  /** The time of waiting for capacity, of searching with pauses, and of database work. */
  readonly admission = new Stopwatch();
  readonly search = new Stopwatch();
  readonly database = new Stopwatch();
  /** The span of the current part of the operation. Null if the operation is not traced. */
  span: Span | null = null;

  /** Sends a statement that `text` describes. @param parent defaults to the operation's span */
  async statement<T>(text: string, send: () => Promise<T>, parent = this.span): Promise<T> {
    this.statements++;
    const answer = await this.inDatabase(STATEMENT_SPAN, send, parent, text);
    if (Array.isArray(answer)) this.rows += answer.length;
    return answer;
  }

  /** Measures other work in the database, in a span with this name. */
  async inDatabase<T>(
    name: string,
    work: (span: Span | null) => Promise<T>,
    parent = this.span,
    text?: string,
  ): Promise<T> {
    const span = parent?.begin(name, text === undefined ? undefined : { [STATEMENT_TEXT]: text }) ?? null;
    return measured(this.database, span, work);
  }

  /** Measures a search with its pauses, in a span of its own. */
  async searching<T>(search: () => Promise<T>): Promise<T> {
    return measured(this.search, this.span?.begin('search') ?? null, search);
  }

  /** Adds the counts of work that this operation shared with others. */
  share({ statements, rows, retries }: Pick<Activity, 'statements' | 'rows' | 'retries'>): void {
    this.statements += statements;
    this.rows += rows;
    this.retries += retries;
  }
}

async function measured<T>(
  time: Stopwatch,
  span: Span | null,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  time.start();
  try {
    const result = await work(span);
    span?.end();
    return result;
  } catch (error) {
    span?.end(error);
    throw error;
  } finally {
    time.stop();
  }
}

/** The fields of a line. They contain no secrets. Only audit records contain values of clients. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The log of a process, as the modules use it. Each call writes one line. */
export interface Log {
  /** Writes an audit record, at every level except silent. */
  record(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  isLevelEnabled(level: 'info' | 'warn' | 'error'): boolean;
}

const nothing = (): void => undefined;

export const NO_LOG: Log = {
  record: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,

  isLevelEnabled: () => false,
};

/** Receives the events of a process for metrics. The counts of an operation are in its Activity. */
export interface Observer {
  transactionRetried(reason: 'conflict' | 'unavailable'): void;
  /** Called before each batch of claims, with its size. Retries of single claims count, too. */
  claimsTried(claims: number): void;
  claimEnded(outcome: 'written' | 'rejected' | 'failed'): void;
  /** Called when an answer has only some of the candidates because of the setting `rest.candidates`. */
  candidatesCut(): void;
  /** Called when the snapshot was loaded, found current, or updated by the changes. */
  snapshotRead(how: 'load' | 'check' | 'refresh', seconds: number): void;
}

/** For a process without metrics. */
export const NO_OBSERVER: Observer = {
  transactionRetried: nothing,
  claimsTried: nothing,
  claimEnded: nothing,
  candidatesCut: nothing,
  snapshotRead: nothing,
};

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A unit of work in a trace. */
export interface Span {
  /** Begins a child span. */
  begin(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Ends the span. An error marks it as failed. */
  end(error?: unknown): void;
}

/** Records the traces of a process. */
export interface Tracing {
  /** Begins a trace, or continues the trace in the headers. Null: the request is not traced. */
  request(headers: Readonly<Record<string, unknown>>): Span | null;
  /** Sends the buffered spans and shuts down. */
  close(): Promise<void>;
}

/** The name of the span of a statement, and its attribute with the text. */
export const STATEMENT_SPAN = 'sql';
export const STATEMENT_TEXT = 'db.query.text';
