import { useEffect, useRef, useState } from 'react';
import { useQuery, type CombinedError, type TypedDocumentNode, type UseQueryState } from 'urql';
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
  /** The last result for these variables while a later read fails for a reason that may pass. */
  readonly data: Data | undefined;
  /** Undefined while there is data. */
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
  const [result, read] = useQuery({ query, variables, requestPolicy: 'cache-and-network' });
  const { error } = result;
  const mayPass = error !== undefined && isTransient(error);
  const data = useKept(result, mayPass);
  const isReading = result.fetching || result.stale;
  const reading = useRef({ isRunning: isReading, isWanted: false });
  const refresher = useRef<Refresher>(null);
  useEffect(() => {
    const run = (): Promise<void> => {
      // urql ignores a read while the same one runs, although the running one may miss the change
      if (reading.current.isRunning) reading.current.isWanted = true;
      else read({ requestPolicy: 'network-only' });
      return Promise.resolve();
    };
    refresher.current = new Refresher(run, PAUSE);
    return () => refresher.current?.stop();
  }, [read]);
  useEffect(() => {
    const { isWanted } = reading.current;
    reading.current = { isRunning: isReading, isWanted: isWanted && isReading };
    if (isWanted && !isReading) refresher.current?.request();
  }, [isReading]);
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
    // a stream omits events from before it was open, and a hidden tab opens it late
    if (openings > 0) refresher.current?.request();
  }, [openings]);
  if (data === undefined) return { data, error, status };
  return { data, error: undefined, status: mayPass && status === 'live' ? 'interrupted' : status };
}

/**
 * Returns the data of a result without an error. After an error that may pass, returns the last data
 * for the same variables.
 */
function useKept<Data>({ data, error, operation }: UseQueryState<Data>, mayPass: boolean): Data | undefined {
  const [last, setLast] = useState<{ readonly key: number; readonly data: Data }>();
  if (error === undefined && data !== undefined) {
    if (operation && data !== last?.data) setLast({ key: operation.key, data });
    return data;
  }
  // urql has neither data nor an error for a moment before it reads again
  const isKept = (error === undefined || mayPass) && last?.key === operation?.key;
  return isKept ? last?.data : undefined;
}
