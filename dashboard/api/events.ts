import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { createClient } from 'graphql-sse';
import { formatDocument, stringifyDocument } from 'urql';
import { ENDPOINT } from './client';
import { authorization } from './token';

/** The pauses before a stream that has ended is opened again (ms): the n-th after n failures, the last from then on. */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];

export interface EventsState {
  /** `connecting` until the first stream is open or has failed. */
  readonly status: 'connecting' | 'live' | 'interrupted';
  /** How many streams were opened so far. What happened before each is not told: with each a view reads afresh. */
  readonly openings: number;
}

/**
 * Subscribes for as long as the view is shown in a tab in sight, and again whenever the stream ends. A hidden tab keeps none: a
 * browser has six connections to a server for all of its tabs. `variables` must be the same object until they change.
 */
export function useEvents<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  onEvent: (event: Result) => void,
): EventsState {
  const [state, setState] = useState<EventsState>({ status: 'connecting', openings: 0 });
  const isVisible = useIsVisible();
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  });
  useEffect(() => {
    if (!isVisible) return;
    const abort = new AbortController();
    const onOpen = (): void => setState(({ openings }) => ({ status: 'live', openings: openings + 1 }));
    const onEnd = (): void => setState(({ openings }) => ({ status: 'interrupted', openings }));
    void keepStream({ document, variables }, abort.signal, {
      onOpen,
      onEnd,
      onEvent: (event) => listener.current(event),
    });
    return () => abort.abort();
  }, [document, variables, isVisible]);
  return state;
}

interface Subscription<Result, Variables> {
  readonly document: TypedDocumentNode<Result, Variables>;
  readonly variables: Variables;
}

interface StreamListener<Result> {
  readonly onOpen: () => void;
  readonly onEvent: (event: Result) => void;
  readonly onEnd: () => void;
}

async function keepStream<Result, Variables extends Record<string, unknown>>(
  subscription: Subscription<Result, Variables>,
  signal: AbortSignal,
  { onOpen, onEvent, onEnd }: StreamListener<Result>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const opened = (): void => {
      failures = 0;
      if (!signal.aborted) onOpen();
    };
    await readStream(subscription, signal, opened, onEvent).catch(() => undefined);
    if (signal.aborted) return;
    onEnd();
    await pause(PAUSES[Math.min(failures, PAUSES.length - 1)], signal);
  }
}

/** Reads one stream to its end. What ends it early is an Error. */
async function readStream<Result, Variables extends Record<string, unknown>>(
  { document, variables }: Subscription<Result, Variables>,
  signal: AbortSignal,
  onOpen: () => void,
  onEvent: (event: Result) => void,
): Promise<void> {
  const client = createClient({
    url: ENDPOINT,
    headers: authorization,
    retryAttempts: 0,
    async fetchFn(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      if (response.ok) onOpen();
      return response;
    },
  });
  const events = client.iterate<Result>({ query: stringifyDocument(formatDocument(document)), variables });
  signal.addEventListener('abort', () => client.dispose(), { once: true });
  for await (const { data } of events) if (data && !signal.aborted) onEvent(data);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(() => !document.hidden);
  useEffect(() => {
    const update = (): void => setIsVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}
