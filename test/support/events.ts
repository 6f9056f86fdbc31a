import type { AnswerError } from './api.js';

export interface ChangeEvent {
  readonly uuid: string;
  readonly generation: number | null;
  readonly deleted: boolean;
  readonly cursor: string;
  readonly resourceProvider?: { readonly generation: number } | null;
}

/** A subscription as a client has it: what the server sends, line by line. */
export interface EventStream<Event = ChangeEvent> {
  readonly response: Response;
  /** The next event; throws when the stream ends or brings an error. */
  next(): Promise<Event>;
  /** The next events, until one is as wanted. */
  until(isLast: (event: Event) => boolean): Promise<Event[]>;
  /** The errors with which the stream ends; throws when an event comes instead. */
  errors(): Promise<readonly AnswerError[]>;
  /** Everything up to the end of the stream that no `next` has taken. */
  rest(): Promise<Event[]>;
  /** Goes away, as a client that was killed. */
  close(): void;
}

const SELECTION = 'uuid generation deleted cursor';

/** Subscribes to resourceProviderChanged; from when this resolves on every commit comes. */
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
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
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
      expectEnd(await results.next());
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

function expectEnd({ done }: IteratorResult<unknown>): void {
  if (done !== true) throw new Error('the stream goes on');
}

/**
 * Reads the stream as the protocol has it: events of lines, a blank one behind each, until one says `complete`, or the server when to come
 * back.
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
