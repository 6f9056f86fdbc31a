import { useEffect, useRef } from 'react';
import { useQuery, type CombinedError, type TypedDocumentNode } from 'urql';
import { isTransient } from './client';
import { useEvents, type EventsState } from './events';
import { Refresher } from './refresher';

/** The pause between two reads (ms), and before a retry. */
const PAUSE = 300;
const RETRY_MS = 2_000;

interface LiveQueryOptions<Data, Variables, Event, EventVariables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** The subscription whose events state that the result may have changed. */
  readonly events: TypedDocumentNode<Event, EventVariables>;
  /** Must be the same object until the variables change. */
  readonly eventVariables: EventVariables;
  readonly onEvent?: (event: Event) => void;
}

interface LiveQuery<Data> extends Pick<EventsState, 'status'> {
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
}

/** Returns the result of a query. Reads it again after events and after transient failures. */
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
  const mayPass = error !== undefined && isTransient(error);
  useEffect(() => {
    if (!mayPass) return;
    const timer = setTimeout(() => refresher.current?.request(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [mayPass, error]);
  const { status, openings } = useEvents(events, eventVariables, (event) => {
    onEvent?.(event);
    refresher.current?.request();
  });
  useEffect(() => {
    if (openings > 1) refresher.current?.request();
  }, [openings]);
  return { data, error, status };
}
