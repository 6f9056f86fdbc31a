import { STATEMENT_SPAN, STATEMENT_TEXT, type Span } from './tracing.js';

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
    this.database.start();
    try {
      const result = await work(span);
      span?.end();
      return result;
    } catch (error) {
      span?.end(error);
      throw error;
    } finally {
      this.database.stop();
    }
  }

  /** Adds the counts of work that this operation shared with others. */
  share({ statements, rows, retries }: Pick<Activity, 'statements' | 'rows' | 'retries'>): void {
    this.statements += statements;
    this.rows += rows;
    this.retries += retries;
  }
}
