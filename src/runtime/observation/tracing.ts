export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work in a trace, told by whoever does it to whoever keeps traces. */
export interface Span {
  /** Begins a piece of this one. */
  begin(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Ends it; with an error, as one that has failed. */
  end(error?: unknown): void;
}

/** Where a process keeps traces. */
export interface Tracing {
  /** Begins the trace of a request, or goes on with the one that its headers name; null: it is not to be kept. */
  request(headers: Readonly<Record<string, unknown>>): Span | null;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

/** The name of the span of a statement, and its attribute with the text. */
export const STATEMENT_SPAN = 'sql';
export const STATEMENT_TEXT = 'db.query.text';
