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
