import { postJson } from './httpPost.js';
import type { AnswerError } from './api.js';

export interface ChangeEvent {
  readonly uuid: string;
  readonly generation: number | null;
  readonly deleted: boolean;
  readonly cursor: string;
  readonly resourceProvider?: { readonly generation: number } | null;
}

/** A subscription from the view of a client, event by event. */
export interface EventStream<Event = ChangeEvent> {
  readonly response: Response;
  /** Returns the next event. Throws if the stream ends or sends an error. */
  next(): Promise<Event>;
  /** Returns the next events up to the first that matches. */
  until(isLast: (event: Event) => boolean): Promise<Event[]>;
  /** Returns the errors that end the stream. Throws if an event comes instead. */
  errors(): Promise<readonly AnswerError[]>;
  /** Returns all remaining events up to the end of the stream. */
  rest(): Promise<Event[]>;
  /** Closes the connection like a killed client. */
  close(): void;
}

const SELECTION = 'uuid generation deleted cursor';

/** Subscribes to resourceProviderChanged. After it resolves, the stream contains every commit. */
export async function subscribe(
  url: string,
  variables: { inTree?: object; since?: string | null; kinds?: readonly string[] } = {},
  selection = SELECTION,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const query = `subscription ($inTree: ProviderRef, $since: String, $kinds: [ResourceProviderChangeKind!]) {
    event: resourceProviderChanged(inTree: $inTree, since: $since, kinds: $kinds) { ${selection} }
  }`;
  return subscribeTo(url, { query, variables }, headers);
}

/** Sends a subscription whose only field is called `event`. */
export async function subscribeTo<Event>(
  url: string,
  body: { readonly query: string; readonly variables?: object },
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream<Event>> {
  const gone = new AbortController();
  const response = await postJson(
    url,
    body,
    { accept: 'text/event-stream', ...headers },
    { signal: gone.signal },
  );
  const results = resultsOf<Event>(response);
  const stream: EventStream<Event> = {
    response,
    async next() {
      const { value } = await results.next();
      if (value?.data == null) throw new Error(JSON.stringify(value?.errors ?? 'the stream has ended'));
      return value.data.event;
    },
    async until(isLast) {
      const events: Event[] = [];
      do events.push(await stream.next());
      while (!isLast(events[events.length - 1]));
      return events;
    },
    async errors() {
      const { value } = await results.next();
      if (value?.errors === undefined) throw new Error(`no errors: ${JSON.stringify(value)}`);
      if (!(await results.next()).done) throw new Error('the stream has not ended');
      return value.errors;
    },
    async rest() {
      const events: Event[] = [];
      for await (const { data } of results) events.push(data!.event);
      return events;
    },
    close: () => gone.abort(),
  };
  return stream;
}

interface Result<Event> {
  readonly data?: { readonly event: Event } | null;
  readonly errors?: readonly AnswerError[];
}

/**
 * Reads the stream according to the protocol: events of lines, each followed by a blank line. It
 * ends with an event `complete`, or with a `retry` of the server.
 */
async function* resultsOf<Event>(response: Response): AsyncGenerator<Result<Event>, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = response.body!.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      if (/^event: complete|^retry: /m.test(part)) return undefined;
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Result<Event>;
    }
  }
  throw new Error('the connection was cut');
}
