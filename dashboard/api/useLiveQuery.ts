import { useEffect, useRef } from 'react';
import { useQuery, type CombinedError, type TypedDocumentNode } from 'urql';
import { useEvents, type EventsState } from './events';
import { Refresher } from './refresher';

/** Between two readings (ms). */
const PAUSE = 300;

interface LiveQueryOptions<Data, Variables, Event, EventVariables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** The subscription whose events say that the answer may be another one. */
  readonly events: TypedDocumentNode<Event, EventVariables>;
  /** The same object until they change. */
  readonly eventVariables: EventVariables;
  readonly onEvent?: (event: Event) => void;
}

interface LiveQuery<Data> extends Pick<EventsState, 'status'> {
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
}

/** The answer to a query, read again whenever something has happened, but not all the time. */
export function useLiveQuery<
  Data,
  Variables extends Record<string, unknown>,
  Event,
  EventVariables extends Record<string, unknown>,
>({
  query,
  variables,
  events,
  eventVariables,
  onEvent,
}: LiveQueryOptions<Data, Variables, Event, EventVariables>): LiveQuery<Data> {
  const [{ data, error }, read] = useQuery({ query, variables, requestPolicy: 'cache-and-network' });
  const refresher = useRef<Refresher>(null);
  useEffect(() => {
    const run = (): Promise<void> => Promise.resolve(read({ requestPolicy: 'network-only' }));
    refresher.current = new Refresher(run, PAUSE);
    return () => refresher.current?.stop();
  }, [read]);
  const { status, openings } = useEvents(events, eventVariables, (event) => {
    onEvent?.(event);
    refresher.current?.request();
  });
  useEffect(() => {
    if (openings > 1) refresher.current?.request();
  }, [openings]);
  return { data, error, status };
}
