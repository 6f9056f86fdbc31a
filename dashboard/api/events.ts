import { useEffect, useRef, useState } from 'react';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { createClient } from 'graphql-sse';
import { formatDocument, stringifyDocument } from 'urql';
import { ENDPOINT } from './client';
import { useSession } from './session';
import { authorization } from './token';

/**
 * The pauses (ms) before reconnecting: the n-th after n failures in a row, then always the last.
 */
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000];

/** A stream that ends within this time (ms) counts as a failure. */
const STABLE_MS = 10_000;

export interface EventsState {
  /** `connecting` until the first stream is open or has failed; `forbidden` if the role does not allow it. */
  readonly status: 'connecting' | 'live' | 'interrupted' | 'forbidden';
  /**
   * The number of streams opened so far. A stream does not replay earlier events, so a view reads
   * everything again after each opening.
   */
  readonly openings: number;
}

/**
 * Subscribes while the view is shown and its tab is visible. Subscribes again whenever the stream
 * ends. A hidden tab closes its stream, because all tabs of a browser share six connections to a
 * server. `variables` must be the same object until they change.
 */
export function useEvents<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  onEvent: (event: Result) => void,
): EventsState {
  const [state, setState] = useState<EventsState>({ status: 'connecting', openings: 0 });
  const isVisible = useIsVisible();
  const { refuse } = useSession();
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  });
  useEffect(() => {
    if (!isVisible) return;
    const abort = new AbortController();
    const onOpen = (): void => setState(({ openings }) => ({ status: 'live', openings: openings + 1 }));
    const onEnd = (isForbidden: boolean): void =>
      setState(({ openings }) => ({ status: isForbidden ? 'forbidden' : 'interrupted', openings }));
    void keepStream({ document, variables }, abort.signal, {
      onOpen,
      onEnd,
      onEvent: (event) => listener.current(event),
      onUnauthenticated: refuse,
    });
    return () => abort.abort();
  }, [document, variables, isVisible, refuse]);
  return state;
}

interface Subscription<Result, Variables> {
  readonly document: TypedDocumentNode<Result, Variables>;
  readonly variables: Variables;
}

interface StreamListener<Result> {
  readonly onOpen: () => void;
  readonly onEvent: (event: Result) => void;
  /** If the server answered FORBIDDEN, no further stream is opened. */
  readonly onEnd: (isForbidden: boolean) => void;
  /** Called when the server rejects the token. No further stream is opened. */
  readonly onUnauthenticated: (message: string) => void;
}

async function keepStream<Result, Variables extends Record<string, unknown>>(
  subscription: Subscription<Result, Variables>,
  signal: AbortSignal,
  { onOpen, onEvent, onEnd, onUnauthenticated }: StreamListener<Result>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const began = performance.now();
    const opened = (): void => {
      if (!signal.aborted) onOpen();
    };
    const [error] = await readStream(subscription, signal, opened, onEvent);
    if (signal.aborted) return;
    if (error?.extensions?.code === 'UNAUTHENTICATED') return onUnauthenticated(error.message);
    const isForbidden = error?.extensions?.code === 'FORBIDDEN';
    onEnd(isForbidden);
    if (isForbidden) return;
    if (performance.now() - began > STABLE_MS) failures = 0;
    await pause(PAUSES[Math.min(failures, PAUSES.length - 1)], signal);
  }
}

interface StreamError {
  readonly message: string;
  readonly extensions?: Record<string, unknown>;
}

/** Reads one stream to its end. @returns the errors by which the server rejected or ended it */
async function readStream<Result, Variables extends Record<string, unknown>>(
  { document, variables }: Subscription<Result, Variables>,
  signal: AbortSignal,
  onOpen: () => void,
  onEvent: (event: Result) => void,
): Promise<readonly StreamError[]> {
  let rejection: readonly StreamError[] = [];
  const client = createClient({
    url: ENDPOINT,
    headers: authorization,
    retryAttempts: 0,
    async fetchFn(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      if (response.ok) onOpen();
      else rejection = await errorsIn(response.clone());
      return response;
    },
  });
  const events = client.iterate<Result>({ query: stringifyDocument(formatDocument(document)), variables });
  signal.addEventListener('abort', () => client.dispose(), { once: true });
  try {
    for await (const { data, errors } of events) {
      if (errors) return errors;
      if (data && !signal.aborted) onEvent(data);
    }
  } catch {
    // The server rejected the stream, or the connection was lost.
  }
  return rejection;
}

async function errorsIn(response: Response): Promise<readonly StreamError[]> {
  try {
    const { errors = [] } = (await response.json()) as { errors?: StreamError[] };
    return errors;
  } catch {
    return []; // a proxy may answer without JSON
  }
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
