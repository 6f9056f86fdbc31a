import { STATEMENT_SPAN, STATEMENT_TEXT, type Span } from './tracing.js';

/** Adds up for how long something is going on, however often at the same time. */
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

  /** So far (ms). */
  get elapsed(): number {
    return this.running === 0 ? this.total : this.total + performance.now() - this.since;
  }
}

/** What one operation has done so far, and what its time has gone into: filled in by the rooms that do the work. */
export class Activity {
  /** Statements sent to the database; one that is shared with other operations counts for each. */
  statements = 0;
  /** Rows that the database has answered. */
  rows = 0;
  /** Transactions that were tried again. */
  retries = 0;
  /** The work of searches, in units of roughly a microsecond. */
  effort = 0;
  /** What the operation has cost, once it has ended. */
  cost = 0;
  /** Why fields were rejected: the codes of errors and of rejections that are data. */
  readonly codes: string[] = [];
  /** Waiting for room, searching with the pauses in between, waiting for the database. */
  readonly admission = new Stopwatch();
  readonly search = new Stopwatch();
  readonly database = new Stopwatch();
  /** Of whatever part of the operation is under way; null where nobody keeps a trace. */
  span: Span | null = null;

  /** Sends a statement that `text` describes. @param parent its span; defaults to the operation's */
  async statement<T>(text: string, send: () => Promise<T>, parent = this.span): Promise<T> {
    this.statements++;
    const answer = await this.inDatabase(STATEMENT_SPAN, send, parent, text);
    if (Array.isArray(answer)) this.rows += answer.length;
    return answer;
  }

  /** Does something else that takes the database's time: it is measured, and has a span of this name. */
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

  /** Counts what was done for this operation and others together. */
  share({ statements, rows, retries }: Pick<Activity, 'statements' | 'rows' | 'retries'>): void {
    this.statements += statements;
    this.rows += rows;
    this.retries += retries;
  }
}
